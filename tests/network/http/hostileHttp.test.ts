/**
 * HTTP clients that send malformed or incomplete requests: the node keeps running, logs no internal fault, and serves an
 * honest client beside them.
 *
 * `SVC_SEED` gives the mutated requests another seed, `SVC_FUZZ_INPUTS` another number of them for each route.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { APP_LIMITS } from "@svc/node-server/app/appLimits.ts";
import { RPC_LIMITS } from "@svc/node-server/rpc/rpcLimits.ts";
import { IS_FULL, testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { PATIENCE_MS, pruneNetwork } from "../testkit/networkSizes.ts";
import { mutationsOf, routesOf, type Route } from "./mutatedRequests.ts";
import { payAddressOf } from "../testkit/nodeMiner.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { RawHttp, upgradeOf } from "./rawHttp.ts";
import { Scene } from "../testkit/scene.ts";

const PAYEE = payAddressOf(1);
const SEED = testSeed(11);
const ALL_ROUTES = 1_000_000;
const EACH_ROUTE = 800;
/** Connections at the same time. */
const WORKERS = 16;
/** Questions of an honest client beside connections that are held. */
const BESIDE = 3;
/** Milliseconds within which an honest client is answered beside the flood, at the full size. */
const HONEST_MS = 10_000;
const HOUR_MS = 3_600_000;
/** MiB that the node may grow under all of them: the garbage of what it refused among them. */
const GROWTH_MIB = 300;
const DEFECTS = [/"code":"internal\//, /a fault/];

let node: NodeProcess;
let port: number;
let host: string;

beforeEach(async () => {
  const scene = new Scene(pruneNetwork());
  const pages = join(scene.appdir("pages"));
  mkdirSync(join(pages, "wallet"), { recursive: true });
  writeFileSync(join(pages, "headers.json"), "[]");
  writeFileSync(join(pages, "index.html"), "home");
  writeFileSync(join(pages, "wallet", "index.html"), "wallet");
  // It has a miner, so it has the routes of one, and mines nothing while the test lasts.
  const mining = [`--mine=${PAYEE}`, `--block-interval=${APP_LIMITS.blockIntervalMaxMs}`];
  node = await scene.node({
    name: "node",
    more: [`--pages=${pages}`, ...mining],
    watched: DEFECTS,
  });
  port = Number(new URL(node.http).port);
  host = `127.0.0.1:${port}`;
});

/** Addresses of this machine: each is a host with shares of its own. */
function addressOf(index: number): string {
  return `127.${1 + (index % 7)}.${1 + (index % 251)}.${1 + (index % 241)}`;
}

/** The answer to an honest question. */
async function askTip(): Promise<void> {
  const response = await fetch(`${node.http}/v1/tip`);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
}

/** Asks each time that somebody else's request is over, one question at a time. */
class HonestClient {
  readonly #ask: () => Promise<void>;
  readonly #faults: unknown[] = [];
  #asking: Promise<void> | null = null;
  #answers = 0;

  constructor(ask = askTip) {
    this.#ask = ask;
  }

  /** Asks, unless the question before waits for its answer. */
  step(): void {
    this.#asking ??= this.#once();
  }

  /** Waits for the last answer; how many there were. Fails where one was not good. */
  async stop(): Promise<number> {
    await this.#asking;
    expect(this.#faults).toEqual([]);
    return this.#answers;
  }

  async #once(): Promise<void> {
    try {
      await this.#ask();
      this.#answers += 1;
    } catch (error) {
      this.#faults.push(error);
    }
    this.#asking = null;
  }
}

/** The node is as before: it answers, and nothing went wrong inside. */
async function expectSound(): Promise<void> {
  expect(node.hasEnded).toBe(false);
  await node.tip();
  expect(DEFECTS.map((form) => node.countOf(form))).toEqual([0, 0]);
}

const tails = (): readonly string[] => ["\r\n\r\n", `\r\nHost: ${host}\r\n\r\n`];

/** First lines that are none, or strange ones. */
const LINES = [
  "GET",
  "GET /",
  "GET / HTTP/9.9",
  "GET / HTTP/1.0",
  "GET  /v1/tip HTTP/1.1",
  "get /v1/tip HTTP/1.1",
  "GET //evil.example/v1/tip HTTP/1.1",
  "GET http://[ HTTP/1.1",
  "GET http://evil.example/v1/tip HTTP/1.1",
  "GET http://user:pass@[::1]:1/ HTTP/1.1",
  "GET * HTTP/1.1",
  "OPTIONS * HTTP/1.1",
  "CONNECT evil.example:443 HTTP/1.1",
  "CONNECT / HTTP/1.1",
  "TRACE /v1/tip HTTP/1.1",
  "PRI * HTTP/2.0",
  "GET /\\..\\..\\etc\\passwd HTTP/1.1",
  "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1",
  "GET /v1/block/%ff%fe%00 HTTP/1.1",
  "GET /v1/tip?%=%&&&=&limit=%zz HTTP/1.1",
  `GET /${"a".repeat(20_000)} HTTP/1.1`,
  `GET /v1/blocks?after=${"0".repeat(15_000)} HTTP/1.1`,
  `${"A".repeat(5_000)} / HTTP/1.1`,
  "\0\0\0\0",
  "\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03",
  "",
  "\r\n\r\n\r\n",
];

/** Headers of a request for the tip that are none, strange ones, or too many. */
const HEADERS = [
  ["Host: a", "Host: b"],
  ["Content-Length: -1"],
  ["Content-Length: 1", "Content-Length: 2"],
  ["Content-Length: 99999999999999999999"],
  ["Content-Length: 5", "Transfer-Encoding: chunked"],
  ["Transfer-Encoding: chunked, gzip"],
  ["Transfer-Encoding:\vchunked"],
  ["Expect: 100-continue"],
  ["Expect: something else"],
  ["Upgrade: h2c", "Connection: Upgrade, HTTP2-Settings", "HTTP2-Settings: AAMAAABkAAQ"],
  ["Connection: Upgrade"],
  ["No colon"],
  [": no name"],
  [" folded: line", "\tfolded again"],
  ["X: \x7f\x80\xff"],
  ["X-Forwarded-For: " + "1.1.1.1,".repeat(1_500)],
  ["__proto__: 1", "constructor: 2", "toString: 3", "hasOwnProperty: 4"],
  Array.from({ length: 1_000 }, (_, index) => `x${index}: 1`),
  ["Range: bytes=0-,0-,0-"],
  ["Origin: http://["],
  ["Cookie: " + "a=b;".repeat(3_000)],
];

/** Headers beside those of a good upgrade, or in their place. */
const UPGRADES = [
  ["Sec-WebSocket-Key: short"],
  ["Sec-WebSocket-Version: 99"],
  ["Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=99999"],
  ["Sec-WebSocket-Extensions: " + "x;".repeat(4_000)],
  ["Sec-WebSocket-Protocol: ,,,"],
  ["Origin: null"],
  ["Upgrade: websocket, h2c"],
  ["Content-Length: 10"],
];
/** What comes after a good upgrade instead of frames. */
const FRAMES = [
  "\xff\xff\xff\xff\xff\xff\xff\xff",
  "\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff",
  "\x82\x80\0\0\0\0",
  "\x82\x05hello",
  "\x89\xfe\xff\xff",
  "\x88\x82\0\0\0\0\0\0",
  "GET /v1/tip HTTP/1.1\r\n\r\n",
];

/** Sends text and ends this side of the connection when nothing comes; resolves with the status line when it is over. */
async function provoke(text: string, from: string, after = ""): Promise<string> {
  const client = new RawHttp({ port, from });
  client.write(text + after);
  const status = await client.statusWhenQuiet();
  // A live connection would stay.
  if (status.includes(" 101 ") || after === "") client.cut();
  await client.over;
  return status;
}

test("request lines, headers and upgrades that are none end their connection alone", async () => {
  const honest = new HonestClient();
  const texts = [
    ...LINES.flatMap((line) => tails().map((tail) => line + tail)),
    ...HEADERS.map((lines) =>
      ["GET /v1/tip HTTP/1.1", `Host: ${host}`, ...lines, "\r\n"].join("\r\n"),
    ),
    ...UPGRADES.map((lines) => upgradeOf("/v1/live", host, lines)),
    ...FRAMES.map((frame) => upgradeOf("/v1/live", host) + frame),
  ];
  for (const [index, text] of texts.entries()) {
    const status = await provoke(text, addressOf(index));
    expect(status, JSON.stringify(text.slice(0, 100))).not.toContain(" 500 ");
    honest.step();
  }
  expect(await honest.stop()).toBeGreaterThan(0);
  await expectSound();
});

test("bad frames behind a live connection that is refused end that one alone", async () => {
  const honest = new HonestClient();
  const from = "127.0.0.4";
  const held = Array.from({ length: RPC_LIMITS.liveConnectionsPerHost }, () => {
    const client = new RawHttp({ port, from });
    client.write(upgradeOf("/v1/live", host));
    return client;
  });
  for (const client of held) expect(await client.status()).toContain(" 101 ");
  for (const frame of FRAMES) {
    const client = new RawHttp({ port, from });
    client.write(upgradeOf("/v1/live", host) + frame);
    client.socket.end();
    expect(await client.over, JSON.stringify(frame)).toContain(" 101 ");
    honest.step();
  }
  for (const client of held) client.cut();
  await Promise.all(held.map(({ over }) => over));
  expect(await honest.stop()).toBeGreaterThan(0);
  await expectSound();
});

/** Opens connections whose requests never become whole. */
async function holdParts(): Promise<readonly RawHttp[]> {
  const parts = [
    "",
    "G",
    "GET /v1/tip HTTP/1.1\r\n",
    `GET /v1/tip HTTP/1.1\r\nHost: ${host}\r\nX: `,
  ];
  const halfOf = (path: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 960\r\n\r\nhalf`;
  const halfBodies = ["/v1/tx", "/v1/locate"].map(halfOf);
  const open = (text: string, from: string): RawHttp => {
    const client = new RawHttp({ port, from });
    client.write(text);
    return client;
  };
  const heads = Array.from({ length: 120 }, (_, index) =>
    open(parts[index % parts.length] ?? "", "127.0.0.2"),
  );
  // More hosts than there are turns, with half a body for each path.
  const bodies = Array.from({ length: RPC_LIMITS.httpTurns + 4 }, (_, index) =>
    halfBodies.map((text) => open(text, addressOf(index))),
  ).flat();
  const halves = [...parts, ...halfBodies].map((text) => open(text, "127.0.0.3"));
  for (const { socket } of halves) socket.end();
  await Promise.all(halves.map(({ over }) => over));
  const held = [...heads, ...bodies];
  await Promise.all(held.map((client) => client.connected()));
  return held;
}

test(
  "half-closed and slow connections are ended in time, and keep nobody else out",
  async () => {
    // Who had to wait for their ends is answered after the first of them. The server ends them by its own clock, which may be
    // before the answers are there: then it is seen with the next ones.
    for (let wasBeside = false; !wasBeside;) {
      const held = await holdParts();
      for (let question = 0; question < BESIDE; question += 1) await askTip();
      wasBeside = held.every(({ socket }) => !socket.readableEnded && !socket.closed);
      await Promise.all(held.map(({ over }) => over));
    }
    await expectSound();
  },
  PATIENCE_MS,
);

/** Sends mutated requests of a route; how often each status came. */
async function flood(
  route: Route,
  count: number,
  honest: HonestClient,
): Promise<Map<string, number>> {
  const next = mutationsOf(route, SEED);
  const statuses = new Map<string, number>();
  let sent = 0;
  const work = async (): Promise<void> => {
    while (sent < count) {
      sent += 1;
      const text = next();
      // A request that is whole is followed by one that ends the connection.
      const last = `GET /none HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const status = await provoke(text, addressOf(sent), last);
      honest.step();
      if (status.includes(" 500 ") || status.includes(" 503 ")) {
        throw new Error(`${route.name} (seed ${SEED}): ${status}: ${JSON.stringify(text)}`);
      }
      const code = status.split(" ")[1] ?? "none";
      statuses.set(code, (statuses.get(code) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return statuses;
}

test(
  "mutated requests for every route: the node lives, and an honest client is served",
  { timeout: IS_FULL ? 4 * HOUR_MS : 6 * PATIENCE_MS },
  async () => {
    const routes = routesOf(host, PAYEE);
    const usual = IS_FULL ? Math.ceil(ALL_ROUTES / routes.length) : EACH_ROUTE;
    const count = Number(process.env["SVC_FUZZ_INPUTS"] ?? usual);
    await node.keysReady(PATIENCE_MS);
    const before = node.residentMiB();
    const honest = new HonestClient();
    for (const route of routes) {
      const statuses = await flood(route, count, honest);
      console.log(route.name, JSON.stringify(Object.fromEntries(statuses)));
      expect(node.hasEnded, route.name).toBe(false);
    }
    const answers = await honest.stop();
    const grownMiB = Math.round(node.residentMiB() - before);
    console.log(JSON.stringify({ seed: SEED, requests: routes.length * count, answers, grownMiB }));
    expect(answers).toBeGreaterThan(0);
    expect(grownMiB).toBeLessThan(GROWTH_MIB);
    await expectSound();
  },
);

test.skipIf(!IS_FULL)(
  `mutated requests for every route: an honest client is answered within ${HONEST_MS} ms`,
  { timeout: 6 * PATIENCE_MS },
  async () => {
    let worstMs = 0;
    const honest = new HonestClient(async () => {
      const begun = performance.now();
      await askTip();
      worstMs = Math.max(worstMs, performance.now() - begun);
    });
    for (const route of routesOf(host, PAYEE)) await flood(route, EACH_ROUTE, honest);
    const answers = await honest.stop();
    console.log(JSON.stringify({ seed: SEED, answers, worstMs }));
    expect(answers).toBeGreaterThan(0);
    expect(worstMs).toBeLessThan(HONEST_MS);
  },
);
