import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { asBlockHash, asBlueScore } from "../base/brand.ts";
import { ByteWriter } from "../base/bytes.ts";
import { crc32c } from "../base/crc32c.ts";
import { HttpNode } from "./httpNode.ts";

type Answer = { readonly status?: number; readonly body: Uint8Array | string };
type Asked = { readonly method: string; readonly url: string; readonly body: string };

const HASH = asBlockHash("ab".repeat(32));
const { signal } = new AbortController();
let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** A real server on the loopback interface that records what it is asked. */
async function serve(answer: (asked: Asked) => Answer | null) {
  const asked: Asked[] = [];
  const started = createServer((request, response) => {
    void readAll(request).then((body) => {
      const call = { method: request.method ?? "", url: request.url ?? "", body };
      asked.push(call);
      const reply = answer(call);
      if (reply === null) return;
      response.writeHead(reply.status ?? 200).end(reply.body);
    });
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, "127.0.0.1", resolve));
  const address = started.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { asked, node: new HttpNode(`http://127.0.0.1:${port}/`) };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(Buffer.from(part));
  return Buffer.concat(parts).toString("hex");
}

function container(body: Uint8Array, count: number): Uint8Array {
  const writer = new ByteWriter().raw(new TextEncoder().encode("SVCB")).u8(1).u8(0x50).u16(0);
  writer.u64(7n).u32(count).block(body);
  return writer.u32(crc32c(writer.toBytes())).toBytes();
}

describe("HttpNode", () => {
  it("asks in the words of the browser protocol and reads the answers", async () => {
    const row = new ByteWriter().u64(9n).raw(new Uint8Array(32)).raw(new Uint8Array(32).fill(1));
    const answers: Record<string, Answer> = {
      "/v1/blocks": { body: container(new Uint8Array(200), 2) },
      "/v1/locate": { body: JSON.stringify({ hash: HASH, chainIndex: "4" }) },
      "/v1/tree/state": { body: new Uint8Array([1, 2]) },
      "/v1/anchors": { body: row.toBytes() },
      "/v1/tx": { body: JSON.stringify({ txid: HASH }) },
    };
    const { asked, node } = await serve(({ url }) => answers[url.split("?")[0] ?? ""] ?? null);
    expect(await node.blocks(HASH, 5, signal)).toMatchObject({ firstIndex: 7n, count: 2 });
    expect(await node.locate([HASH, HASH], signal)).toEqual({ hash: HASH, chainIndex: 4n });
    expect(await node.treeState(HASH, signal)).toEqual(new Uint8Array([1, 2]));
    expect(await node.anchors(asBlueScore(8n), 1, signal)).toEqual([
      { blueScore: 9n, hash: "00".repeat(32), root: "01".repeat(32) },
    ]);
    expect(await node.submit(new Uint8Array([3, 4]), signal)).toBe(HASH);
    expect(asked.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
      `GET /v1/blocks?after=${HASH}&limit=5`,
      `POST /v1/locate ${HASH}${HASH}`,
      `GET /v1/tree/state?at=${HASH}`,
      "GET /v1/anchors?from=8&limit=1",
      "POST /v1/tx 0304",
    ]);
  });

  it("turns the node's errors into its own", async () => {
    const error = { error: "not on the chain", code: "chain/not-on-chain", commonHash: HASH };
    const { node } = await serve(() => ({ status: 409, body: JSON.stringify(error) }));
    await expect(node.blocks(HASH, 5, signal)).rejects.toMatchObject({
      code: "chain/not-on-chain",
      data: { commonHash: HASH },
    });
  });

  it.each([
    ["a page of something else", 200, "<html>", "codec/bad-magic"],
    ["a proxy's error", 502, "<html>", "http/unavailable"],
    ["an unknown code", 400, '{"code":"what/ever"}', "http/unavailable"],
  ])("gives a clear error for %s", async (_, status, body, code) => {
    const { node } = await serve(() => ({ status, body }));
    await expect(node.blocks(HASH, 5, signal)).rejects.toMatchObject({ code });
  });

  it("does not take a tip of another form", async () => {
    const { node } = await serve(() => ({ body: '{"genesis":"00"}' }));
    await expect(node.tip(signal)).rejects.toMatchObject({ code: "codec/bad-json" });
  });

  it("notices damage to a page", async () => {
    const bytes = container(new Uint8Array(200), 2);
    for (const index of [0, 4, 5, 8, 24, bytes.length - 1]) {
      const damaged = bytes.slice();
      damaged[index] = (damaged[index] ?? 0) ^ 0x40;
      const { node } = await serve(() => ({ body: damaged }));
      await expect(node.blocks(HASH, 5, signal)).rejects.toMatchObject({
        code: expect.stringMatching(/^codec\//),
      });
    }
  });

  it("says when nobody answers", async () => {
    const { node } = await serve(() => null);
    server?.close();
    await expect(node.tip(signal)).rejects.toMatchObject({ code: "wallet/node-unreachable" });
  });

  it("stops waiting when it is told to", async () => {
    const stop = new AbortController();
    const { node } = await serve(() => {
      stop.abort();
      return null;
    });
    await expect(node.tip(stop.signal)).rejects.toMatchObject({ code: "run/aborted" });
  });
});
