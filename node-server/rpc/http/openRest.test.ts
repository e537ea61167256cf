/** The public REST interface opened to everybody: what a stranger's page may read then, and that it reads nothing else. */
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { OWN_PAGES, type HttpRules } from "../../platform/http/accessCheck.ts";
import { BearerHash } from "../../platform/http/bearerHash.ts";
import { TrustedProxies } from "../../platform/http/trustedProxies.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { askHttp, type HttpAsk } from "../../platform/testkit/askHttp.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { LocalMiner } from "../service/nodeApi.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { hashOf } from "../testkit/fakeNode.ts";
import { startHttpServer, type HttpServer } from "./httpServer.ts";

const EVIL = "https://evil.example";
const TOKEN = "a-token-of-the-edge";
const DAG = "/api/info/blockdag";

let chain: FakeChain;
let clock: ManualClock;
let server: HttpServer;
let paid: string[];
/** What the server logs, at its loudest. */
let logged: string[];
const miner: LocalMiner = {
  state: () => ({ address: "fake:me", blocksPerSecond: 0.5, minedBlocks: "12" }),
  payTo: (address) => void paid.push(address),
};

async function start(isPublic: boolean, rules: Partial<HttpRules> = {}): Promise<void> {
  server = await startHttpServer({
    node: chain.node,
    host: "127.0.0.1",
    port: 0,
    pages: null,
    miner,
    rules: { ...OWN_PAGES, ...rules },
    rest: { isPublic, token: new BearerHash(Buffer.from(TOKEN)), countries: null },
    clock,
    log: pino({ level: "trace" }, { write: (line) => void logged.push(line) }),
  });
}

beforeEach(() => {
  chain = new FakeChain();
  clock = new ManualClock(0n);
  paid = [];
  logged = [];
});
afterEach(() => server.stop());

const ask = (path: string, wish: HttpAsk = {}) =>
  askHttp(Number(new URL(server.address).port), path, wish);

/** Who a stranger is: a page of another origin, and a page under another name of this machine (DNS rebinding). */
const STRANGERS: readonly (readonly [string, Record<string, string>, number])[] = [
  ["a page of another origin", { Origin: EVIL }, 403],
  ["a page of no origin", { Origin: "null", "Sec-Fetch-Site": "cross-site" }, 403],
  [
    "an image of another page",
    { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" },
    403,
  ],
  ["a name bound to this machine", { Host: "evil.example" }, 421],
  ["a page under such a name", { Host: "evil.example", Origin: "http://evil.example" }, 421],
];

/** What stays closed, in every spelling of it. */
const CLOSED: readonly (readonly [string, HttpAsk])[] = [
  ["/v1/tip", {}],
  ["/v1/profile", {}],
  ["/v1/health", {}],
  [`/v1/blocks?after=${hashOf(0)}`, {}],
  ["/v1/tx", { method: "POST", body: "x" }],
  ["/v1/tip", { method: "OPTIONS" }],
  ["/local/mine", {}],
  [
    "/local/mine",
    {
      method: "POST",
      body: '{"address":"fake:you"}',
      headers: { "Content-Type": "application/json" },
    },
  ],
  ["/", {}],
  ["/wallet/", {}],
  ["/apis/info/blockdag", {}],
  ["/API/info/blockdag", {}],
  ["/api/../v1/tip", {}],
  ["/api/%2e%2e/v1/tip", {}],
  ["/api/./../v1/tip", {}],
  ["//api/../v1/tip", {}],
  ["/v1/tip?/api/info/blockdag", {}],
  ["/v1/tip#/api/info/blockdag", {}],
];

/** Spellings that no server takes for a path of another part. */
const ODD: readonly (readonly [string, readonly number[]])[] = [
  ["/api/..%2fv1/tip", [404, 403, 421]],
  ["/api\\..\\v1\\tip", [400]],
];

describe.each(STRANGERS)("%s", (_, stranger, refused) => {
  it("reads the interface once it is opened, and nothing is sent twice", async () => {
    await start(true);
    const { status, headers, body } = await ask(DAG, { headers: stranger });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({ networkName: "net-fake" });
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-expose-headers":
        "ETag, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After",
    });
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    const tag = { "If-None-Match": String(headers["etag"]) };
    const again = await ask(DAG, { headers: { ...stranger, ...tag } });
    expect([again.status, again.headers["access-control-allow-origin"]]).toEqual([304, "*"]);
  });

  it("reads nothing else of an opened node, and changes nothing", async () => {
    await start(true);
    for (const [path, asked] of CLOSED) {
      const headers = { ...asked.headers, ...stranger };
      const { status, headers: answered, body } = await ask(path, { ...asked, headers });
      expect([path, status]).toEqual([path, refused]);
      expect(body).not.toContain("chainIndex");
      expect(answered["access-control-allow-origin"]).toBeUndefined();
    }
    for (const [path, statuses] of ODD) {
      const { status, body } = await ask(path, { headers: stranger });
      expect([path, statuses.includes(status)]).toEqual([path, true]);
      expect(body).not.toContain("chainIndex");
    }
    expect(paid).toEqual([]);
    expect(chain.node.submitted).toEqual([]);
  });

  it("reads nothing of a node that is not opened", async () => {
    await start(false);
    for (const [path, asked] of [[DAG, {}], ...CLOSED] as const) {
      const headers = { ...("headers" in asked ? asked.headers : {}), ...stranger };
      const { status, headers: answered } = await ask(path, { ...asked, headers });
      expect([path, status]).toEqual([path, refused]);
      expect(answered["access-control-allow-origin"]).toBeUndefined();
    }
  });

  it("gets no live connection of an opened node", async () => {
    await start(true);
    for (const path of ["/v1/live", "/api/live", "/api/../v1/live"]) {
      const target = `${server.address.replace("http", "ws")}${path}`;
      const socket = new WebSocket(target, { headers: stranger });
      const { promise, resolve } = Promise.withResolvers<string>();
      socket.on("open", () => resolve("open"));
      socket.on("error", () => resolve("refused"));
      expect([path, await promise]).toEqual([path, "refused"]);
      socket.terminate();
    }
  });
});

describe("a program elsewhere that asks for a name of this machine, through a proxy", () => {
  const passedOn = { Host: "localhost", "X-Forwarded-For": "192.0.2.1" };

  it("reads the interface of an opened node, and nothing else", async () => {
    await start(true);
    expect((await ask(DAG, { headers: passedOn })).status).toBe(200);
    for (const [path, asked] of CLOSED) {
      const headers = { ...asked.headers, ...passedOn };
      const { status, body } = await ask(path, { ...asked, headers });
      expect([path, status]).toEqual([path, 421]);
      expect(body).not.toContain("chainIndex");
    }
    expect(paid).toEqual([]);
    expect(chain.node.submitted).toEqual([]);
    const socket = new WebSocket(`${server.address.replace("http", "ws")}/v1/live`, {
      headers: passedOn,
    });
    const { promise, resolve } = Promise.withResolvers<string>();
    socket.on("open", () => resolve("open"));
    socket.on("error", () => resolve("refused"));
    expect(await promise).toBe("refused");
    socket.terminate();
  });

  it("is served everything under a name that the operator has configured", async () => {
    await start(true, { hostNames: ["node.example"] });
    const headers = { ...passedOn, Host: "node.example" };
    expect((await ask("/v1/tip", { headers })).status).toBe(200);
  });
});

describe("a program on this machine", () => {
  it("is served everything of an opened node", async () => {
    await start(true);
    expect((await ask("/v1/tip")).status).toBe(200);
    expect((await ask("/local/mine")).status).toBe(200);
  });
});

describe("a page that asks first whether it may ask", () => {
  it("may read and search on an opened node", async () => {
    await start(true);
    const headers = {
      Origin: EVIL,
      "Access-Control-Request-Method": "POST",
      "Access-Control-Request-Headers": "content-type",
    };
    const answer = await ask("/api/transactions/search", { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD, OPTIONS, POST",
      "access-control-allow-headers": "Content-Type, If-None-Match",
    });
  });

  it("of an origin that the operator has named may on a closed one, too", async () => {
    await start(false, { origins: ["https://wallet.example"] });
    const headers = { Origin: "https://wallet.example" };
    const answer = await ask("/api/info/blockdag", { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": "https://wallet.example",
      "access-control-allow-methods": "GET, HEAD, OPTIONS, POST",
    });
  });
});

describe("a host that asks too much of an opened node", () => {
  const from = (host: string): HttpAsk => ({ headers: { "X-Forwarded-For": host } });
  const proxied = (): Promise<void> =>
    start(true, { proxies: TrustedProxies.of(["127.0.0.1"]) ?? TrustedProxies.none() });

  it("is told its share, then when to come again; others are served, and it is again, later", async () => {
    await proxied();
    const first = await ask(DAG, from("192.0.2.1"));
    expect(first.headers).toMatchObject({
      "ratelimit-limit": String(RPC_LIMITS.restReadsPerMinute),
      "ratelimit-remaining": String(RPC_LIMITS.restReadsPerMinute - 1),
      "ratelimit-reset": "1",
    });
    for (let call = 1; call < RPC_LIMITS.restReadsPerMinute; call += 1) {
      expect((await ask(DAG, from("192.0.2.1"))).status).toBe(200);
    }
    const refused = await ask(DAG, from("192.0.2.1"));
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect(refused.headers).toMatchObject({
      "ratelimit-remaining": "0",
      "access-control-allow-origin": "*",
      "cache-control": "no-store",
    });
    expect(JSON.parse(refused.body)).toMatchObject({
      error: expect.any(String),
      code: "http/too-many-requests",
    });
    expect((await ask(DAG, from("192.0.2.2"))).status).toBe(200);
    expect((await ask(DAG, from("2001:db8::1"))).status).toBe(200);
    clock.advance(1_000);
    expect((await ask(DAG, from("192.0.2.1"))).status).toBe(200);
  });

  it("is one host with all addresses of its /64", async () => {
    await proxied();
    const remaining = async (host: string): Promise<unknown> =>
      (await ask(DAG, from(host))).headers["ratelimit-remaining"];
    const most = RPC_LIMITS.restReadsPerMinute;
    expect(await remaining("2001:db8::1")).toBe(String(most - 1));
    expect(await remaining("2001:db8::2")).toBe(String(most - 2));
    expect(await remaining("2001:db8:0:1::1")).toBe(String(most - 1));
  });

  it("has a smaller share of searches, which leaves that of reads alone", async () => {
    await proxied();
    const search = { method: "POST", body: "{}", ...from("192.0.2.1") };
    for (let call = 0; call < RPC_LIMITS.restSearchesPerMinute; call += 1) {
      expect((await ask("/api/transactions/search", search)).status).not.toBe(429);
    }
    expect((await ask("/api/transactions/search", search)).status).toBe(429);
    expect((await ask(DAG, from("192.0.2.1"))).status).toBe(200);
  });

  it("is not the edge of the operator, which shows his token; a wrong one is of no use", async () => {
    await proxied();
    const shown = async (token: string): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": "192.0.2.1" };
      return (await ask(DAG, { headers })).headers["ratelimit-remaining"];
    };
    expect(await shown(TOKEN)).toBeUndefined();
    expect(await shown(`${TOKEN}x`)).toBe(String(RPC_LIMITS.restReadsPerMinute - 1));
  });

  it("may be this machine: a tunnel that ends here asks for everybody behind it", async () => {
    await start(true);
    for (const Host of ["localhost", "node.example"]) {
      const answer = await ask(DAG, { headers: { Host } });
      expect([answer.status, answer.headers["ratelimit-limit"]]).toEqual([
        200,
        String(RPC_LIMITS.restReadsPerMinute),
      ]);
    }
  });
});

describe("what somebody looked for", () => {
  const hash = "c0ffee".repeat(10) + "abcd";
  const ways = [
    `/api/blocks/${hash}`,
    `/api/blocks/${hash}/bytes`,
    `/api/transactions/${hash}`,
    `/api/search/4/${hash.slice(0, 1)}`,
    `/api/blocks/${hash}x`,
    `/api/none/${hash}`,
    `/v1/block/${hash}`,
  ];

  it("is in no line of the log, found or not, at its loudest", async () => {
    await start(true);
    const faults = [
      new SvcError("chain/unknown-block", { hash }),
      new SvcError("engine/restarted", {}),
      new TypeError("a defect"),
    ];
    for (const fault of faults) {
      chain.node.answers.blockStage = () => Promise.reject(fault);
      for (const path of ways) {
        await ask(path);
        await ask(path, { headers: { Origin: EVIL } });
        await ask(path, { method: "POST", body: JSON.stringify({ transactionIds: [hash] }) });
      }
    }
    expect(logged.some((line) => line.includes("a defect"))).toBe(true);
    expect(logged.filter((line) => line.includes("c0ffee"))).toEqual([]);
  });
});
