/** The real server against callers that are not its own, and callers that take too much. */
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { ManualClock } from "../../platform/time/clock.ts";
import { createLog, type Log } from "../../platform/log/log.ts";
import type { LocalMiner } from "../service/nodeApi.ts";
import { askHttp, type HttpAnswer, type HttpAsk } from "../../platform/testkit/askHttp.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { hashOf } from "../testkit/fakeNode.ts";
import { OWN_PAGES, type HttpRules } from "../../platform/http/accessCheck.ts";
import { startHttpServer, type HttpServer } from "./httpServer.ts";
import { NODE_SHARES, type NodeShareBounds } from "./nodeShares.ts";
import { TrustedProxies } from "../../platform/http/trustedProxies.ts";

const WALLET = "https://wallet.example";
/** More than the buffers of a connection take. */
const UNREAD_BYTES = 48 * 1024 * 1024;
const CLOSED = "default-src 'none'; frame-ancestors 'none'";

/** A request for a live connection, as bytes. */
const LIVE_UPGRADE = [
  "GET /v1/live HTTP/1.1",
  "Host: 127.0.0.1",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n",
].join("\r\n");

let chain: FakeChain;
let server: HttpServer;
let paid: string[];
let log: Log;
const miner: LocalMiner = {
  state: () => ({ address: "fake:me", blocksPerSecond: 0.5, minedBlocks: "12" }),
  payTo: (address) => void paid.push(address),
};

async function start(
  rules: Partial<HttpRules> = {},
  shares: Partial<NodeShareBounds> = {},
): Promise<void> {
  server = await startHttpServer({
    node: chain.node,
    host: "127.0.0.1",
    port: 0,
    pages: null,
    miner,
    rules: { ...OWN_PAGES, ...rules },
    clock: new ManualClock(0n),
    log,
    shares,
  });
}

beforeEach(() => {
  chain = new FakeChain();
  paid = [];
  log = createLog("silent");
});
afterEach(() => server.stop());

const port = (): number => Number(new URL(server.address).port);

const ask = (path: string, wish: HttpAsk = {}) => askHttp(port(), path, wish);

/** Asks for a live connection; the status of a refusal, or 101. */
async function upgrade(headers: Record<string, string>, path = "/v1/live"): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port()}${path}`, { headers });
  const { promise, resolve } = Promise.withResolvers<number>();
  socket.on("unexpected-response", (_, { statusCode }) => resolve(statusCode ?? 0));
  socket.on("open", () => resolve(101));
  socket.on("error", () => resolve(0));
  const status = await promise;
  socket.terminate();
  return status;
}

/** Everything that a page might ask for. */
const SURFACES: readonly (readonly [string, HttpAsk])[] = [
  ["/v1/tip", {}],
  ["/v1/mempool", {}],
  [`/v1/blocks?after=${hashOf(0)}`, {}],
  ["/v1/tx", { method: "POST", body: "x", headers: { "Content-Type": "text/plain" } }],
  ["/v1/locate", { method: "POST", body: "x" }],
  ["/local/mine", {}],
  [
    "/local/mine",
    {
      method: "POST",
      body: '{"address":"fake:you"}',
      headers: { "Content-Type": "application/json" },
    },
  ],
  ["/v1/tip", { method: "OPTIONS" }],
  ["/", {}],
];

describe("the request GET // with an upgrade", () => {
  it.each(["//", "///", "//[", "/v1/live//", "/v1//live", "/V1/LIVE", "/%76%31/live"])(
    "is refused, and nothing else happens: %s",
    async (path) => {
      await start();
      expect(await upgrade({}, path)).toBe(404);
      expect((await ask("/v1/tip")).status).toBe(200);
    },
  );
});

describe("a page under another name (DNS rebinding)", () => {
  it("is answered nothing, and changes nothing", async () => {
    await start();
    for (const [path, asked] of SURFACES) {
      const headers = { ...asked.headers, Host: `evil.example:${port()}` };
      const { status, body } = await ask(path, { ...asked, headers });
      expect([status, JSON.parse(body)], path).toMatchObject([421, { code: "http/foreign-host" }]);
    }
    expect(await upgrade({ Host: "evil.example" })).toBe(421);
    expect([chain.node.submitted, paid]).toEqual([[], []]);
  });
});

describe("a page of another origin", () => {
  it("is answered nothing, and changes nothing", async () => {
    await start();
    for (const [path, asked] of SURFACES) {
      for (const foreign of [
        { Origin: WALLET },
        { Origin: "null" },
        { "Sec-Fetch-Site": "cross-site" },
      ]) {
        const { status, headers, body } = await ask(path, {
          ...asked,
          headers: { ...asked.headers, ...foreign },
        });
        expect([status, JSON.parse(body)]).toMatchObject([403, { code: "http/foreign-origin" }]);
        expect(headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
    expect(await upgrade({ Origin: WALLET })).toBe(403);
    expect([chain.node.submitted, paid]).toEqual([[], []]);
  });

  it("that is configured may use /v1 and its live connection, and not /local", async () => {
    await start({ origins: [WALLET] });
    const headers = { Origin: WALLET };
    const tip = await ask("/v1/tip", { headers });
    expect(tip.status).toBe(200);
    expect(tip.headers).toMatchObject({
      "access-control-allow-origin": WALLET,
      "cross-origin-resource-policy": "cross-origin",
      vary: "Origin",
    });
    const preflight = await ask("/v1/tx", { method: "OPTIONS", headers });
    expect([preflight.status, preflight.headers["access-control-allow-methods"]]).toEqual([
      204,
      "GET, POST",
    ]);
    expect((await ask("/v1/tx", { method: "POST", headers, body: "x" })).status).toBe(200);
    expect(chain.node.submitted.length).toBe(1);
    // Also what goes wrong is told to the page.
    const wrong = await ask("/v1/blocks", { headers });
    expect([wrong.status, wrong.headers["access-control-allow-origin"]]).toEqual([400, WALLET]);
    expect(await upgrade(headers)).toBe(101);
    expect((await ask("/local/mine", { headers })).status).toBe(403);
  });
});

describe("the server's own pages and programs", () => {
  it("are served", async () => {
    await start();
    const own = { Origin: server.address, "Sec-Fetch-Site": "same-origin" };
    for (const headers of [own, {}]) {
      const { status, headers: sent } = await ask("/v1/tip", { headers });
      expect([status, sent["access-control-allow-origin"]]).toEqual([200, undefined]);
      expect(await upgrade(headers)).toBe(101);
    }
  });

  it("get answers that a browser runs nothing of", async () => {
    await start();
    for (const path of [
      "/v1/tip",
      "/v1/profile",
      "/v1/blocks",
      "/v1/none",
      "/local/mine",
      "/none",
    ]) {
      const { headers } = await ask(path);
      expect(headers, path).toMatchObject({
        "content-security-policy": CLOSED,
        "x-content-type-options": "nosniff",
        "cache-control": "no-store",
      });
    }
    const refused = await ask("/v1/tip", { headers: { Host: "evil.example" } });
    expect(refused.headers).toMatchObject({ "content-security-policy": CLOSED });
  });
});

describe("a defect", () => {
  it("ends its request or its connection alone, and is logged by its code", async () => {
    const lines: unknown[] = [];
    const hear = (fields: unknown): void => void lines.push(fields);
    log = { debug: hear, info: hear, warn: hear, error: hear };
    await start();
    const fail = (): never => {
      throw new TypeError("a defect of the test");
    };
    chain.node.answers.tip = fail;
    const { status, body } = await ask("/v1/tip");
    expect([status, JSON.parse(body)]).toMatchObject([500, { code: "internal/unexpected" }]);
    // The server asks the node when a connection goes live: here that throws inside a listener.
    const listen = WebSocketServer.prototype.handleUpgrade;
    WebSocketServer.prototype.handleUpgrade = fail;
    expect(await upgrade({})).toBe(0);
    WebSocketServer.prototype.handleUpgrade = listen;
    expect(await upgrade({})).toBe(101);
    expect(lines).toMatchObject([{ code: "internal/unexpected" }, { code: "internal/unexpected" }]);
  });
});

describe("a caller that leaves in the middle of its body", () => {
  it.each(["Content-Length: 100\r\n\r\nhalf", "Transfer-Encoding: chunked\r\n\r\n64\r\nhalf"])(
    "is no defect: %j",
    async (rest) => {
      const codes: unknown[] = [];
      const hear = (fields: unknown): void => void codes.push(fields);
      log = { debug: hear, info: hear, warn: hear, error: hear };
      await start();
      for (const path of ["/v1/tx", "/v1/locate", "/local/mine"]) {
        const socket = await silent("127.0.0.1");
        const type = "Content-Type: application/json\r\n";
        socket.end(`POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${type}${rest}`);
        socket.resume();
        await once(socket, "close");
      }
      expect((await ask("/v1/tip")).status).toBe(200);
      expect([codes, chain.node.submitted, paid]).toEqual([[], [], []]);
    },
  );

  it("has no turn while its body is awaited: others are answered at once", async () => {
    await start({}, { turns: 2 });
    const slow = await Promise.all(["127.0.0.2", "127.0.0.3"].map((from) => silent(from)));
    for (const socket of slow) {
      const head = "POST /v1/locate HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\n";
      socket.write(`${head}Content-Length: 64\r\n\r\nhalf`);
      // The request has reached its route: the server has read the head and asks for the rest.
      await once(socket, "readable");
    }
    expect((await ask("/v1/tip")).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  it("is told of a body that is too long, however it is sent", async () => {
    await start();
    const body = "x".repeat(5_000);
    for (const headers of [{}, { "Transfer-Encoding": "chunked" }]) {
      const json = { "Content-Type": "application/json", ...headers };
      const { status } = await ask("/local/mine", { method: "POST", headers: json, body });
      expect(status).toBe(413);
    }
  });
});

describe("callers behind a proxy", () => {
  const submit = (forwarded: string): Promise<HttpAnswer> =>
    ask("/v1/tx", { method: "POST", body: "x", headers: { "X-Forwarded-For": forwarded } });

  it("are told apart when the operator trusts it, a /64 being one", async () => {
    const proxies = TrustedProxies.of(["127.0.0.1"]) ?? TrustedProxies.none();
    await start({ proxies });
    for (const ip of ["192.0.2.1", "2001:db8::1", "2001:db8::2", "9.9.9.9, 192.0.2.1"])
      await submit(ip);
    expect(chain.node.sources).toEqual(["192.0.2.1", "2001:db8::", "2001:db8::", "192.0.2.1"]);
  });

  it("are one when nobody said that it may be trusted", async () => {
    await start();
    for (const ip of ["192.0.2.1", "192.0.2.2"]) await submit(ip);
    expect(chain.node.sources).toEqual(["127.0.0.1", "127.0.0.1"]);
  });
});

/** An open connection that says nothing. */
async function silent(from: string): Promise<Socket> {
  const socket = connect({ host: "127.0.0.1", port: port(), localAddress: from });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

describe("a host that takes too much", () => {
  it("has its share of connections, and others are served", async () => {
    await start({}, { connections: { total: 20, perHost: 3 } });
    const held = await Promise.all([1, 2, 3].map(() => silent("127.0.0.2")));
    const fourth = await silent("127.0.0.2");
    await once(fourth, "close");
    expect((await ask("/v1/tip")).status).toBe(200);
    for (const socket of held) socket.destroy();
  });

  it("gives up its oldest connection when all are taken", async () => {
    await start({}, { connections: { total: 4, perHost: 4 } });
    const held: Socket[] = [];
    for (let count = 0; count < 4; count += 1) held.push(await silent("127.0.0.2"));
    const closed = held.map((socket) => once(socket, "close"));
    expect((await ask("/v1/tip", { from: "127.0.0.3" })).status).toBe(200);
    await closed[0];
    expect(held.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
    for (const socket of held) socket.destroy();
  });

  it("has its share of live connections, and others have theirs", async () => {
    await start({}, { live: { total: 3, perHost: 2 } });
    const closes: number[] = [];
    const open = async (from: string): Promise<WebSocket> => {
      const socket = new WebSocket(`ws://127.0.0.1:${port()}/v1/live`, { localAddress: from });
      socket.on("close", (code) => closes.push(code));
      socket.on("error", () => {});
      await once(socket, "open");
      return socket;
    };
    const held = [await open("127.0.0.2"), await open("127.0.0.2")];
    const third = await open("127.0.0.2");
    await once(third, "close");
    expect(closes).toEqual([1_013]);
    held.push(await open("127.0.0.3"));
    expect(await upgrade({})).toBe(101);
    for (const socket of held) socket.terminate();
  });

  it("sends what is no frame behind a live connection that is refused, and ends that one alone", async () => {
    await start({}, { live: { total: 3, perHost: 1 } });
    const faults: unknown[] = [];
    const hear = (fault: unknown): void => void faults.push(fault);
    process.on("uncaughtExceptionMonitor", hear);
    const held = new WebSocket(`ws://127.0.0.1:${port()}/v1/live`, { localAddress: "127.0.0.2" });
    await once(held, "open");
    const second = await silent("127.0.0.2");
    second.resume();
    second.end(Buffer.from(`${LIVE_UPGRADE}\xff\xff\xff\xff`, "latin1"));
    await once(second, "close");
    expect((await ask("/v1/tip")).status).toBe(200);
    process.off("uncaughtExceptionMonitor", hear);
    expect(faults).toEqual([]);
    held.terminate();
  });

  it("is answered nothing new while it leaves answers unread, and others are", async () => {
    await start({}, { unsentPerHost: 1024 * 1024 });
    chain.node.answers.records = () => new Uint8Array(UNREAD_BYTES);
    const path = `/v1/blocks?after=${hashOf(0)}`;
    const slow = await silent("127.0.0.2");
    slow.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    // It has begun to come, and is read no further.
    await once(slow, "readable");
    expect((await ask(path, { from: "127.0.0.2" })).status).toBe(429);
    const { status, body } = await ask(path);
    expect([status, body.length]).toEqual([200, UNREAD_BYTES]);
    const closed = once(slow, "close");
    slow.destroy();
    await closed;
  });

  it("is told to ask later, and others are answered", async () => {
    const each = { perSecond: 1, burst: 5 };
    await start({}, { requests: { ...NODE_SHARES.requests, each } });
    const flood = await Promise.all(
      [1, 2, 3, 4, 5, 6].map(() => ask("/v1/tip", { from: "127.0.0.2" })),
    );
    const statuses = flood.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    const refused = flood.find(({ status }) => status === 429);
    expect(refused?.headers["retry-after"]).toBe("1");
    expect((await ask("/v1/tip")).status).toBe(200);
  });
});
