/** The explorer's pages of a node under a flood: what a page costs its host, and what a refused one says. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Hono } from "hono";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HEADER_FILE } from "@svc/shared/explorer/headerRows.ts";
import { RENDERER_FILE } from "@svc/shared/explorer/pageRenderer.ts";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { OWN_PAGES } from "../../platform/http/accessCheck.ts";
import type { HttpEnv, HttpRoutes } from "../../platform/http/httpEnv.ts";
import { TrustedProxies } from "../../platform/http/trustedProxies.ts";
import { askHttp, type HttpAnswer, type HttpAsk } from "../../platform/testkit/askHttp.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { RPC_LIMITS } from "../rpcLimits.ts";
import { FakeChain } from "../testkit/fakeChain.ts";
import { fakeTip } from "../testkit/fakeNode.ts";
import { explorerPages, EXPLORER_PLACE, type ExplorerPages } from "./explorerPages.ts";
import { startHttpServer, type HttpServer, type HttpServerParts } from "./httpServer.ts";

/** A renderer that says what it was given. */
const RENDERER = `export const renderExplorerPage = ({ documents, refusal }) => ({
  status: refusal?.status ?? 200,
  headers: {
    "Content-Type": "text/html; charset=utf-8",
    ...(refusal && { "Retry-After": String(refusal.retryAfterS) }),
  },
  html: refusal ? "<h1>later</h1>" : "<h1>" + Object.values(documents).map(({ status }) => status) + "</h1>",
});`;
const HOST = "node.example";
/** Calls of a host in a minute. */
const READS = 60;
const DAG = "/api/info/blockdag";
const PAGE = `${EXPLORER_PLACE}/`;
const SMALL = `${EXPLORER_PLACE}/nothing`;
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let folder: string;
let clock: ManualClock;

beforeEach(() => {
  clock = new ManualClock(0n);
  folder = folderOfTest();
  const files = { [HEADER_FILE]: "[]", [RENDERER_FILE]: RENDERER };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
});

describe("a page of a running node", () => {
  let chain: FakeChain;
  let server: HttpServer;
  beforeEach(() => void (chain = new FakeChain()));
  afterEach(() => server.stop());

  async function start(isPublic: boolean, more: Partial<HttpServerParts> = {}): Promise<void> {
    const proxies = TrustedProxies.of(["127.0.0.1"]) ?? TrustedProxies.none();
    server = await startHttpServer({
      node: chain.node,
      host: "127.0.0.1",
      port: 0,
      pages: folder,
      miner: null,
      rules: { ...OWN_PAGES, hostNames: [HOST], proxies },
      rest: { isPublic, token: null, countries: null },
      restShares: { read: READS },
      clock,
      log: pino({ level: "silent" }),
      ...more,
    });
  }

  const ask = (path: string, wish: HttpAsk = {}): Promise<HttpAnswer> =>
    askHttp(Number(new URL(server.address).port), path, wish);
  const from = (host: string): HttpAsk => ({ headers: { Host: HOST, "X-Forwarded-For": host } });

  it("counts as one call, whatever it asks for, and one too many is refused with a page that says so", async () => {
    await start(true);
    const first = await ask(PAGE, from("192.0.2.1"));
    expect([first.status, first.headers["ratelimit-remaining"]]).toEqual([200, String(READS - 1)]);
    for (let page = 1; page < READS; page += 1) {
      expect((await ask(SMALL, from("192.0.2.1"))).status).toBe(200);
    }
    const refused = await ask(PAGE, from("192.0.2.1"));
    expect([refused.status, refused.body]).toEqual([429, "<h1>later</h1>"]);
    expect(refused.headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "retry-after": "1",
      "ratelimit-remaining": "0",
    });
    expect((await ask(DAG, from("192.0.2.1"))).status).toBe(429);
    expect((await ask(PAGE, from("192.0.2.2"))).status).toBe(200);
    clock.advance(1_000);
    expect((await ask(PAGE, from("192.0.2.1"))).status).toBe(200);
  });

  it("is not counted where calls are not", async () => {
    await start(false);
    const { status, headers } = await ask(PAGE);
    expect([status, headers["ratelimit-limit"]]).toEqual([200, undefined]);
  });

  it("is refused, and never full of holes, where its host asks for more than may wait", async () => {
    const waiting: ((tip: string) => void)[] = [];
    chain.node.answers.tip = () => new Promise((resolve) => void waiting.push(resolve));
    await start(true, { shares: { waitingPerHost: 16 } });
    const flood = Array.from({ length: 8 }, () => ask(PAGE, from("192.0.2.1")));
    const settled: HttpAnswer[] = [];
    for (const page of flood) void page.then((answer) => settled.push(answer));
    while (settled.length < 7) await settle();
    chain.node.answers.tip = () => fakeTip(1);
    for (const resolve of waiting) resolve(fakeTip(1));
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(7);
    for (const { headers, body } of refused) {
      expect([headers["retry-after"], body]).toEqual(["1", "<h1>later</h1>"]);
    }
    for (const { body } of answers) expect(body).not.toContain("429");
    expect((await ask(PAGE, from("192.0.2.1"))).status).toBe(200);
  });

  it("is not refused to the operator for what comes through a tunnel that ends here", async () => {
    await start(true, { rules: OWN_PAGES });
    const tunnelled = { headers: { Host: HOST, "CF-Connecting-IP": "192.0.2.1" } };
    for (let call = 0; call < READS; call += 1) {
      expect((await ask(DAG, tunnelled)).status).toBe(200);
    }
    expect((await ask(DAG, tunnelled)).status).toBe(429);
    expect((await ask(DAG, { headers: { Host: HOST } })).status).toBe(429);
    expect((await ask(PAGE)).status).toBe(200);
    expect((await ask(DAG)).status).toBe(200);
  });

  it("is for people even where the server refuses its host everything", async () => {
    const each = { perSecond: 1, burst: 1 };
    await start(false, {
      shares: { requests: { each, all: { perSecond: 100, burst: 100 }, sources: 4 } },
    });
    expect((await ask(SMALL)).status).toBe(200);
    const refused = await ask(SMALL);
    expect([refused.status, refused.body]).toEqual([429, "<h1>later</h1>"]);
    expect(refused.headers["retry-after"]).toBe("1");
  });
});

describe("a page over the answers of its own interface", () => {
  /** Hosts whose rendering waits, and what begins it. */
  let turns: { readonly host: string; readonly begin: () => void }[];
  let pages: ExplorerPages;
  let app: HttpRoutes;
  let answer: (path: string, signal: AbortSignal) => Response | Promise<Response>;

  beforeEach(async () => {
    turns = [];
    const rest = new Hono<HttpEnv>();
    rest.get("*", (c) => answer(c.req.path, c.req.raw.signal));
    const made = await explorerPages({
      pages: folder,
      rest,
      turn: async (host, _signal, work) => {
        await new Promise<void>((resolve) => turns.push({ host, begin: resolve }));
        return work();
      },
      rates: null,
      clock,
    });
    if (made === null) throw new Error("the folder has no renderer");
    pages = made;
    app = new Hono<HttpEnv>();
    app.route(EXPLORER_PLACE, pages.routes);
    app.onError((error, c) => {
      const refused = pages.refused(c, SvcError.from(error));
      if (refused === null) throw error;
      return refused;
    });
    answer = () => Response.json({});
  });

  const ask = (): Promise<Response> =>
    Promise.resolve(app.request(PAGE, {}, { caller: { host: "h", origin: null } }));

  it("is rendered when the turn of its host comes", async () => {
    let isDone = false;
    const asked = ask().finally(() => (isDone = true));
    while (turns.length === 0) await settle();
    await settle();
    expect([turns.map(({ host }) => host), isDone]).toEqual([["h"], false]);
    turns[0]?.begin();
    expect((await asked).status).toBe(200);
    expect(clock.sleeping).toBe(0);
  });

  it("is refused as soon as one of its questions is, and the others end", async () => {
    const ended: string[] = [];
    answer = async (path, signal) => {
      if (path === "/info/pulse")
        return new Response("", { status: 429, headers: { "Retry-After": "7" } });
      await untilAborted(signal);
      ended.push(path);
      return Response.json({});
    };
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await refused.text()).toBe("<h1>later</h1>");
    await settle();
    expect(ended).toHaveLength(9);
    expect([turns, clock.sleeping]).toEqual([[], 0]);
  });

  it("shows a document that the node cannot give as missing, and is made", async () => {
    answer = (path) => Response.json({}, { status: path === "/info/pulse" ? 503 : 200 });
    const asked = ask();
    while (turns.length === 0) await settle();
    turns[0]?.begin();
    const page = await asked;
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("503")]);
  });

  it("is refused with 503 when its time is over, and leaves no timer", async () => {
    answer = async (_path, signal) => {
      await untilAborted(signal);
      return Response.json({});
    };
    const asked = ask();
    await settle();
    clock.advance(RPC_LIMITS.explorerPageMs);
    const late = await asked;
    expect([late.status, late.headers.get("retry-after")]).toEqual([503, "10"]);
    expect([turns, clock.sleeping]).toEqual([[], 0]);
  });
});
