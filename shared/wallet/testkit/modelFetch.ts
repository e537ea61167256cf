/**
 * A fake `fetch` over a node port: records what a wallet sends byte for byte, with the time, and encodes what the node answers.
 */
import { asBlockHash, asChainIndex } from "../../base/brand.ts";
import { ByteWriter } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { infoOf } from "../../base/errors.ts";
import { SvcError } from "../../base/svcError.ts";
import type { ClockPort, NodePort, RecordPage } from "../state/ports.ts";

const { signal: never } = new AbortController();

/** The recorded requests: time, method, target, headers, body. */
export type RequestLog = string[];

/** Makes a `fetch` that asks `node` and writes every request to `log`. */
export function modelFetch(node: NodePort, clock: ClockPort, log: RequestLog): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const body = encodeHex(new Uint8Array(await request.clone().arrayBuffer()));
    const headers = [...request.headers].map(([name, value]) => `${name}=${value}`).join("&");
    const { pathname, search } = new URL(request.url);
    log.push(`${clock.nowMs()} ${request.method} ${pathname}${search} ${headers} ${body}`);
    try {
      return new Response(await answer(node, new URL(request.url), body));
    } catch (thrown) {
      const error = SvcError.from(thrown);
      const text = JSON.stringify({ code: error.code, error: "", ...error.data });
      return new Response(text, { status: infoOf(error).http });
    }
  };
}

async function answer(node: NodePort, url: URL, body: string): Promise<Uint8Array<ArrayBuffer>> {
  const query = (name: string) => url.searchParams.get(name) ?? "";
  switch (url.pathname) {
    case "/v1/tip":
      return json(await node.tip(never));
    case "/v1/blocks": {
      const limit = Number(query("limit"));
      return container(await node.blocks(asBlockHash(query("after")), limit, never));
    }
    case "/v1/start": {
      const { tree, ...place } = await node.start(asChainIndex(BigInt(query("index"))), never);
      return json({ ...place, tree: encodeHex(tree) });
    }
    case "/v1/tx":
      return json({ txid: await node.submit(decodeHex(body), never) });
    default:
      throw new SvcError("http/not-found", { path: url.pathname });
  }
}

function json(value: object): Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(value, (_, item: unknown) =>
    typeof item === "bigint" ? item.toString() : item,
  );
  return new TextEncoder().encode(text);
}

function container({ firstIndex, count, body }: RecordPage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(body.length + 64).raw(new TextEncoder().encode("SVCB"));
  writer.u8(1).u8(0x50).u16(0).u64(firstIndex).u32(count).block(body);
  return writer.u32(crc32c(writer.toBytes())).toBytes();
}
