import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { flipBits } from "../../base/testkit/flipBits.ts";
import { asBlockHash, asChainIndex } from "../../base/brand.ts";
import { ByteWriter } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";
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
    const start = { hash: HASH, chainIndex: "1024", blueScore: "9", daaScore: "8" };
    const answers: Record<string, Answer> = {
      "/v1/blocks": { body: container(new Uint8Array(200), 2) },
      "/v1/start": { body: JSON.stringify({ ...start, timestamp: "7", tree: "0102" }) },
      "/v1/tx": { body: JSON.stringify({ txid: HASH }) },
    };
    const { asked, node } = await serve(({ url }) => answers[url.split("?")[0] ?? ""] ?? null);
    expect(await node.blocks(HASH, 5, signal)).toMatchObject({ firstIndex: 7n, count: 2 });
    expect(await node.start(asChainIndex(1_024n), signal)).toEqual({
      hash: HASH,
      chainIndex: 1_024n,
      blueScore: 9n,
      daaScore: 8n,
      timestamp: 7n,
      tree: new Uint8Array([1, 2]),
    });
    expect(await node.submit(new Uint8Array([3, 4]), signal)).toBe(HASH);
    expect(asked.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
      `GET /v1/blocks?after=${HASH}&limit=5`,
      "GET /v1/start?index=1024",
      "POST /v1/tx 0304",
    ]);
  });

  it.each([
    ["a stop of our own", "run/aborted"],
    ["a fault of our own", "wallet/tree-mismatch"],
    ["a payment's verdict where none was asked for", "tx/invalid-proof"],
    ["a fault of the store", "store/corrupt"],
  ])("does not take a node's word for %s", async (_, code) => {
    const body = JSON.stringify({ code, error: "", reason: "x", expected: "a", found: "b" });
    const { node } = await serve(() => ({ status: 409, body }));
    const { signal: open } = new AbortController();
    for (const ask of [
      node.tip(open),
      node.blocks(HASH, 5, open),
      node.start(asChainIndex(0n), open),
      node.profile(open),
    ]) {
      await expect(ask).rejects.toMatchObject({ code: "http/unavailable" });
    }
  });

  it("takes verdicts on a payment from nowhere but the answer to one", async () => {
    const codes = ["tx/invalid-proof", "mempool/duplicate", "run/aborted", "wallet/cancelled"];
    const found: string[] = [];
    for (const code of codes) {
      const { node } = await serve(() => ({ status: 422, body: JSON.stringify({ code }) }));
      await node.submit(new Uint8Array([1]), signal).catch((error) => found.push(error.code));
    }
    expect(found).toEqual([codes[0], codes[1], "http/unavailable", "http/unavailable"]);
  });

  it("does not read an answer without end", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(1 << 20));
      },
    });
    const node = new HttpNode("http://node", async () => new Response(endless));
    await expect(node.tip(signal)).rejects.toMatchObject({ code: "codec/count-too-large" });
    expect(sent).toBeLessThan(8);
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
      flipBits(damaged, index, 0x40);
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
