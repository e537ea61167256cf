import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { readTipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";
import {
  decodeServerFrame,
  encodeClientFrame,
  type ServerFrame,
} from "@svc/shared/protocol/http/liveFrames.ts";
import { readContainer } from "@svc/shared/protocol/http/recordContainer.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog } from "../../platform/log/log.ts";
import { askHttp } from "../../platform/testkit/askHttp.ts";
import type { LocalMiner } from "../service/nodeApi.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { fakeTip, hashOf } from "../testkit/fakeNode.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import { startHttpServer, type HttpServer } from "./httpServer.ts";

const clock = new ManualClock(0n);
let chain: FakeChain;
let pages: string;
let server: HttpServer;
let paid: string[];

const miner: LocalMiner = {
  state: () => ({ address: "fake:me", blocksPerSecond: 0.5, minedBlocks: "12" }),
  payTo: (address) => {
    if (!address.startsWith("fake:")) throw new SvcError("address/missing-prefix", {});
    paid.push(address);
  },
};

const FILES: Readonly<Record<string, string>> = {
  "headers.json": JSON.stringify([
    { path: "*", headers: { "Cache-Control": "no-cache", "X-Frame-Options": "DENY" } },
    { path: "/assets/*", headers: { "Cache-Control": "public, immutable" } },
  ]),
  "index.html": "home",
  "wallet/index.html": "wallet",
  "assets/core-1.wasm": "wasm",
  "assets/app-1.js": "script",
  "assets/app-1.js.br": "as brotli",
  "assets/app-1.js.gz": "as gzip",
  "assets/lone-1.js.br": "of no file",
  ".secret": "hidden",
};

beforeEach(async () => {
  chain = new FakeChain();
  paid = [];
  pages = folderOfTest();
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(pages, name)), { recursive: true });
    await writeFile(join(pages, name), text);
  }
  const at = { host: "127.0.0.1", port: 0 };
  const log = createLog("silent");
  server = await startHttpServer({
    node: chain.node,
    ...at,
    pages,
    miner,
    clock,
    log,
    rules: OWN_PAGES,
  });
});

afterEach(() => server.stop());

const get = (path: string, init: RequestInit = {}) => fetch(server.address + path, init);
const post = (path: string, body: BodyInit, type = "application/octet-stream") =>
  get(path, { method: "POST", body, headers: { "Content-Type": type } });

async function errorOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body: unknown = await response.json();
  expect(body).toMatchObject({ error: expect.any(String), code: expect.any(String) });
  const code = typeof body === "object" && body !== null && "code" in body ? body.code : null;
  return { status: response.status, code };
}

describe("the browser protocol over HTTP", () => {
  it("answers the tip in the form that clients read, closed to pages of other origins", async () => {
    const response = await get("/v1/tip");
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    const tip = readTipAnswer(await response.text());
    expect(tip).toMatchObject({ network: "net-fake", mempoolSize: 3, maxPage: 2_000 });
  });

  it("tells at the tip which rules change soon", async () => {
    const { ruleChanges } = readTipAnswer(await (await get("/v1/tip")).text());
    expect(ruleChanges).toEqual([
      { names: ["securityFork"], daaScore: 50_000n, blocksLeft: 49_999n },
    ]);
  });

  it("tells its health without asking the engine, with what the operator should see to", async () => {
    delete chain.node.answers.tip;
    const well = { status: "ok", isSynced: true, proverReady: false, warnings: [] };
    expect(await (await get("/v1/health")).json()).toEqual(well);
    const warning = { code: "store/low-room", message: "The disk is nearly full." };
    chain.node.state = { ...chain.node.state, warnings: [warning] };
    const warned = { ...well, status: "warning", warnings: [warning] };
    expect(await (await get("/v1/health")).json()).toEqual(warned);
  });

  it("tells its health while a question of the same host does not come back", async () => {
    const asked = Promise.withResolvers<void>();
    const stuck = Promise.withResolvers<string>();
    chain.node.answers.tip = () => {
      asked.resolve();
      return stuck.promise;
    };
    const tip = get("/v1/tip");
    await asked.promise;
    expect((await get("/v1/health")).status).toBe(200);
    stuck.resolve(fakeTip(1));
    await tip;
  });

  it("pages records, by default and within the most", async () => {
    chain.grow(
      ...Array.from({ length: 600 }, (_, index) => (index + 256).toString(16).padStart(64, "0")),
    );
    const count = async (limit: string) => {
      const response = await get(`/v1/blocks?after=${hashOf(0)}${limit}`);
      return readContainer(new Uint8Array(await response.arrayBuffer()), 5_000).count;
    };
    expect(await count("")).toBe(RPC_LIMITS.recordPageDefault);
    expect(await count("&limit=7")).toBe(7);
    expect(await count("&limit=18446744073709551615")).toBe(600);
  });

  it("tells of a cursor that left the chain, with the common block beside the sentence", async () => {
    chain.grow(hashOf(1));
    chain.reorganise(0, [hashOf(2)]);
    const response = await get(`/v1/blocks?after=${hashOf(1)}`);
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      code: "chain/not-on-chain",
      commonHash: hashOf(0),
      chainIndex: "0",
    });
  });

  it("refuses what it cannot read", async () => {
    expect(await errorOf(await get("/v1/blocks"))).toEqual({
      status: 400,
      code: "http/bad-request",
    });
    expect(await errorOf(await get("/v1/blocks?after=12"))).toEqual({
      status: 400,
      code: "codec/bad-hex",
    });
    expect(await errorOf(await get(`/v1/blocks?after=${hashOf(7)}&limit=-1`))).toEqual({
      status: 400,
      code: "codec/number-out-of-range",
    });
    expect(await errorOf(await get(`/v1/blocks?after=${hashOf(7)}`))).toEqual({
      status: 404,
      code: "chain/unknown-block",
    });
    expect(await errorOf(await get("/v1/nothing"))).toEqual({
      status: 404,
      code: "http/not-found",
    });
    expect(await errorOf(await post("/v1/locate", new Uint8Array(31)))).toEqual({
      status: 400,
      code: "codec/wrong-length",
    });
    expect(await errorOf(await post("/v1/locate", new Uint8Array(32)))).toEqual({
      status: 404,
      code: "chain/no-common-block",
    });
  });

  it("takes transactions up to their largest size", async () => {
    const fits = await post("/v1/tx", new Uint8Array(RPC_LIMITS.rawTransactionBytes));
    expect(await fits.json()).toEqual({ txid: hashOf(0xaa) });
    expect(chain.node.submitted).toHaveLength(1);
    const large = await post("/v1/tx", new Uint8Array(RPC_LIMITS.rawTransactionBytes + 1));
    expect(await errorOf(large)).toEqual({ status: 413, code: "http/body-too-large" });
    expect(chain.node.submitted).toHaveLength(1);
  });

  it("does not look for blocks above the sink one by one", async () => {
    let asked = 0;
    chain.node.answers.chainHashAt = () => {
      asked += 1;
      return undefined;
    };
    await get("/v1/chain?before=18446744073709551615");
    expect(asked).toBeLessThan(3);
  });
});

describe("the local routes", () => {
  it("show and steer the miner", async () => {
    expect(await (await get("/local/mine")).json()).toMatchObject({ minedBlocks: "12" });
    const wish = await post("/local/mine", '{"address":"fake:you"}', "application/json");
    expect(wish.status).toBe(200);
    expect(paid).toEqual(["fake:you"]);
  });

  it("refuse foreign pages, wrong addresses and long bodies", async () => {
    const foreign = await post("/local/mine", '{"address":"fake:you"}', "text/plain");
    expect(foreign.status).toBe(400);
    expect(foreign.headers.get("access-control-allow-origin")).toBeNull();
    const wrong = await post("/local/mine", '{"address":"you"}', "application/json");
    expect(await errorOf(wrong)).toMatchObject({ code: "address/missing-prefix" });
    const long = await post(
      "/local/mine",
      "x".repeat(RPC_LIMITS.localRequestBytes + 1),
      "application/json",
    );
    expect(long.status).toBe(413);
    expect(paid).toEqual([]);
  });
});

describe("the pages", () => {
  it("come with the type and the headers of their path", async () => {
    const home = await get("/");
    expect(await home.text()).toBe("home");
    expect(home.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(home.headers.get("x-frame-options")).toBe("DENY");
    const wasm = await get("/assets/core-1.wasm");
    expect(wasm.headers.get("content-type")).toBe("application/wasm");
    expect(wasm.headers.get("cache-control")).toBe("public, immutable");
    expect(await (await get("/wallet/")).text()).toBe("wallet");
    expect((await get("/wallet", { redirect: "manual" })).headers.get("location")).toBe("/wallet/");
  });

  it("come compressed as they were built to who takes that, and nothing is compressed here", async () => {
    const ask = (path: string, accepted?: string) =>
      askHttp(Number(new URL(server.address).port), path, {
        headers: accepted === undefined ? {} : { "Accept-Encoding": accepted },
      });
    const tags = new Set<unknown>();
    for (const [accepted, coding, body] of [
      ["gzip, deflate, br, zstd", "br", "as brotli"],
      ["gzip", "gzip", "as gzip"],
      ["br;q=0.1, gzip;q=0.9", "gzip", "as gzip"],
      ["br;q=0, gzip;q=0", undefined, "script"],
      [undefined, undefined, "script"],
    ] as const) {
      const { headers, body: sent } = await ask("/assets/app-1.js", accepted);
      expect([headers["content-encoding"], sent], accepted).toEqual([coding, body]);
      expect(headers["content-length"]).toBe(String(body.length));
      expect(headers["content-type"]).toBe("text/javascript; charset=utf-8");
      expect(headers["cache-control"]).toBe("public, immutable");
      expect(headers["vary"]).toBe("Accept-Encoding");
      tags.add(headers["etag"]);
    }
    expect(tags.size).toBe(3);
    for (const path of ["/assets/core-1.wasm", "/", "/v1/tip", "/v1/none", "/v1/profile"]) {
      const { headers } = await ask(path, "gzip, br");
      expect(headers["content-encoding"], path).toBeUndefined();
    }
    for (const path of ["/assets/app-1.js.br", "/assets/app-1.js.gz", "/assets/lone-1.js.br"]) {
      expect((await ask(path)).status, path).toBe(404);
    }
  });

  it("are not sent again to who has the same bytes in the same coding", async () => {
    const port = Number(new URL(server.address).port);
    const ask = (headers: Record<string, string>) => askHttp(port, "/assets/app-1.js", { headers });
    const first = await ask({ "Accept-Encoding": "br" });
    const tag = String(first.headers["etag"]);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const again = await ask({ "Accept-Encoding": "br", "If-None-Match": `"other", ${tag}` });
    expect([again.status, again.body, again.headers["etag"]]).toEqual([304, "", tag]);
    expect(again.headers["vary"]).toBe("Accept-Encoding");
    expect((await ask({ "Accept-Encoding": "gzip", "If-None-Match": tag })).status).toBe(200);
    expect((await ask({ "Accept-Encoding": "br", "If-None-Match": "*" })).status).toBe(200);
  });

  it("come whole and as they are where a part is asked for", async () => {
    const port = Number(new URL(server.address).port);
    const headers = { Range: "bytes=0-1", "Accept-Encoding": "br" };
    const answer = await askHttp(port, "/assets/app-1.js", { headers });
    expect([answer.status, answer.body]).toEqual([200, "script"]);
    expect(answer.headers["content-encoding"]).toBeUndefined();
  });

  it("come as they are to who sends a header of codings that is none, or one as long as may be", async () => {
    const port = Number(new URL(server.address).port);
    const longest = 15_000;
    const hostile = [
      "br".padEnd(longest, ";q=1"),
      `${"gzip,".repeat(longest / 5)}br`,
      ",".repeat(longest),
      "\t ;,=".repeat(longest / 5),
      "br;q=1e99, gzip;q=-1",
      "*;q=0, identity;q=0",
      "__proto__, constructor, toString",
    ];
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => hostile)
        .flat()
        .map((accepted) =>
          askHttp(port, "/assets/app-1.js", { headers: { "Accept-Encoding": accepted } }),
        ),
    );
    for (const { status, headers, body } of answers) {
      expect([status, headers["content-encoding"], body]).toEqual([200, undefined, "script"]);
    }
  });

  it("never show what is not a page", async () => {
    for (const path of ["/.secret", "/headers.json", "/%2e%2e/%2e%2e/etc/passwd", "/%", "/none"]) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  it("U12: answer a person in words where there is no page, and a program in JSON", async () => {
    const page = await get("/<b>none", { headers: { Accept: "text/html,*/*;q=0.8" } });
    expect(page.status).toBe(404);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    const text = await page.text();
    expect(text).toContain("There is no such page");
    expect(text).not.toContain("none");
    expect(await errorOf(await get("/none"))).toEqual({ status: 404, code: "http/not-found" });
  });
});

/** A connection that remembers what it heard. */
class LiveClient {
  readonly socket: WebSocket;
  readonly closed = Promise.withResolvers<number>();
  readonly #heard: ServerFrame[] = [];
  #onFrame: () => void = () => {};

  constructor(path = "/v1/live") {
    this.socket = new WebSocket(server.address.replace("http", "ws") + path);
    this.socket.on("message", (data: Buffer) => {
      this.#heard.push(decodeServerFrame(new Uint8Array(data)));
      this.#onFrame();
    });
    this.socket.on("error", () => {});
    this.socket.on("close", (code) => this.closed.resolve(code));
  }

  opened(): Promise<void> {
    return new Promise((resolve) => this.socket.once("open", () => resolve()));
  }

  async next(): Promise<ServerFrame> {
    for (;;) {
      const frame = this.#heard.shift();
      if (frame !== undefined) return frame;
      await new Promise<void>((resolve) => (this.#onFrame = resolve));
    }
  }
}

describe("the live connection", () => {
  it("streams blocks over a real socket", async () => {
    const client = new LiveClient();
    await client.opened();
    chain.grow(hashOf(1));
    client.socket.send(
      encodeClientFrame({ type: "subscribe", after: asBlockHash(hashOf(0)), pool: false }),
    );
    expect((await client.next()).type).toBe("tip");
    expect((await client.next()).type).toBe("block");
    chain.grow(hashOf(2));
    expect((await client.next()).type).toBe("tip");
    expect((await client.next()).type).toBe("block");
  });

  it("pings, and hangs up on those who stay silent", async () => {
    const client = new LiveClient();
    await client.opened();
    clock.advance(RPC_LIMITS.livePingMs);
    expect(await client.next()).toEqual({ type: "ping" });
    clock.advance(RPC_LIMITS.livePingMs);
    expect(await client.closed.promise).toBe(1_008);
  });

  it("hangs up on nonsense and on other paths, and survives both", async () => {
    const client = new LiveClient();
    await client.opened();
    client.socket.send(Uint8Array.of(99));
    expect(await client.closed.promise).toBe(1_008);
    const large = new LiveClient();
    await large.opened();
    large.socket.send(new Uint8Array(RPC_LIMITS.liveClientFrameBytes + 1));
    expect(await large.closed.promise).toBe(1_009);
    expect(await new LiveClient("/v1/other").closed.promise).toBe(1_006);
    expect((await get("/v1/tip")).status).toBe(200);
  });

  it("ends with the server", async () => {
    const client = new LiveClient();
    await client.opened();
    await Promise.all([server.stop(), server.stop()]);
    await client.closed.promise;
    expect(chain.node.listeners.size).toBe(0);
    await expect(get("/v1/tip")).rejects.toThrow("fetch failed");
  });
});
