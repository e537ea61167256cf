/** The routes over a fake node: what they say of peers, and of a node that cannot answer. */
import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asTxId,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv } from "../../platform/http/httpEnv.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { FakeNode, hashOf } from "../testkit/fakeNode.ts";
import { fakeNetwork, fakePeer } from "../testkit/fakePeers.ts";
import { restRoutes } from "./restRoutes.ts";
import { RestSession } from "./call/restSession.ts";

let node: FakeNode;
/** Hosts whose requests waited for a turn. */
let turns: string[];
let session: RestSession;

beforeEach(() => {
  node = new FakeNode();
  session = new RestSession(node, null);
  turns = [];
});

async function ask(
  path: string,
  headers: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => errorAnswer(c, error));
  app.route(
    "/api",
    restRoutes({
      node,
      session,
      rates: null,
      clock: new ManualClock(0n),
      turn: (host, _, work) => {
        turns.push(host);
        return work();
      },
      onError: () => {},
    }),
  );
  return app.request(`/api${path}`, { ...init, headers }, { caller: { host: "h", origin: null } });
}

describe("the peers", () => {
  it("are masked, and neighbours count once", async () => {
    node.network = fakeNetwork([
      fakePeer("203.0.113.77:1", { userAgent: "/b/" }),
      fakePeer("203.0.113.78:2", { userAgent: "/a/" }),
      fakePeer("[2001:db8:7:1::2]:3", { userAgent: "/a/" }),
      fakePeer("some.onion:4", { userAgent: "/a/" }),
    ]);
    const answer = await ask("/info/network");
    const body = await answer.text();
    expect(JSON.parse(body)).toEqual({
      nodes: 4,
      connectedPeers: 4,
      peerNets: ["2001:db8:7::/48", "203.0.113.x", "name"],
      userAgents: ["/a/", "/b/"],
    });
    expect(body).not.toMatch(/\d+\.\d+\.\d+\.\d+|onion/);
  });
});

it("the intake counts the payments that chain blocks judged, and no headers", async () => {
  const { daaScore, sink } = { daaScore: asDaaScore(2n), sink: asBlockHash(hashOf(1)) };
  const [first, second] = [asTxId(hashOf(0xa1)), asTxId(hashOf(0xa2))];
  const scores = { index: asChainIndex(1n), blueScore: asBlueScore(1n), daaScore };
  node.tell({
    type: "virtualChanged",
    removed: [],
    added: [
      { hash: sink, ...scores, applied: [first], dropped: [{ txid: second, reason: "tx/x" }] },
    ],
    sink,
    sinkBlueScore: asBlueScore(1n),
    daaScore,
    tips: [sink],
    last: true,
  });
  expect(await (await ask("/info/relay")).json()).toMatchObject({
    chainBlocksProcessed: 1,
    transactionsProcessed: 2,
    headersProcessed: null,
  });
});

describe("a node that cannot answer", () => {
  it("says so with 503 and when to ask again, and nobody keeps the answer", async () => {
    node.state = { ...node.state, isSynced: false };
    const health = await ask("/health");
    expect([health.status, health.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(health.headers.get("cache-control")).toBe("no-store");
    expect(await health.json()).toMatchObject({ code: "http/unavailable" });
    node.answers.tip = () => Promise.reject(new SvcError("engine/restarted", {}));
    const dag = await ask("/info/blockdag");
    expect([dag.status, dag.headers.get("retry-after")]).toEqual([503, "10"]);
    expect(dag.headers.get("cache-control")).toBe("no-store");
  });

  it("is asked for its health without a turn, and for everything else with one", async () => {
    await ask("/health");
    expect(turns).toEqual([]);
    await ask("/info/blockdag");
    expect(turns).toEqual(["h"]);
  });
});

it("an answer that has changed is sent again", async () => {
  const first = await ask("/info/blockdag");
  const tag = { "if-none-match": first.headers.get("etag") ?? "" };
  expect((await ask("/info/blockdag", tag)).status).toBe(304);
  const { answers } = node;
  const before = await answers.tip?.();
  answers.tip = () => (before ?? "").replace('"difficulty":1.5', '"difficulty":2.5');
  const changed = await ask("/info/blockdag", tag);
  expect([changed.status, await changed.json()]).toMatchObject([200, { difficulty: 2.5 }]);
});

/** BlockFacts of a block alone. */
function factsOf(hash: string, blueScore: number): string {
  const none = { blues: [], reds: [], parents: [], children: [], txids: [] };
  const scores = { blueScore: String(blueScore), daaScore: String(blueScore), timestamp: "1" };
  const work = { blueWork: "1", difficulty: 1 };
  const place = { hash, status: "valid", selectedParent: hash, isChainBlock: true };
  return JSON.stringify({ ...none, ...scores, ...work, ...place });
}

describe("a block that cannot be shown", () => {
  const hash = hashOf(0xab);
  const ask404 = async (path: string): Promise<unknown> => {
    const answer = await ask(path);
    expect([path, answer.status]).toEqual([path, 404]);
    expect(answer.headers.get("cache-control")).toContain("max-age=5,");
    return answer.json();
  };

  it("is below the pruning point, as 404 and never as 410", async () => {
    node.answers.blockStage = () => "pruned";
    for (const path of [`/blocks/${hash}`, `/blocks/${hash}/bytes`]) {
      expect(await ask404(path)).toMatchObject({ code: "chain/pruned", reason: "pruned", hash });
    }
  });

  it("has its header here alone", async () => {
    node.answers.blockStage = () => "headerOnly";
    node.answers.blockFacts = (of) => factsOf(of, of === hash ? 9 : 4);
    node.answers.blockBytes = () => undefined;
    for (const path of [`/blocks/${hash}`, `/blocks/${hash}/bytes`]) {
      expect(await ask404(path)).toMatchObject({
        code: "chain/unknown-block",
        reason: "header-only",
      });
    }
  });

  it("has its header here still, of before the pruning point", async () => {
    node.answers.blockStage = () => "valid";
    node.answers.blockFacts = (of) => factsOf(of, of === hash ? 3 : 4);
    node.answers.blockBytes = () => undefined;
    expect(await ask404(`/blocks/${hash}`)).toMatchObject({ reason: "pruned" });
  });

  it("was pruned while it was asked about", async () => {
    node.answers.blockStage = () => "valid";
    node.answers.blockFacts = () => Promise.reject(new SvcError("chain/pruned", { hash }));
    expect(await ask404(`/blocks/${hash}`)).toMatchObject({ reason: "pruned" });
    node.answers.chainIndexOf = () => 5n;
    node.answers.chainHashAt = () => hash;
    expect(await ask404("/blocks/at?blueScore=7")).toMatchObject({ reason: "pruned" });
  });
});

describe("a body", () => {
  const post = (body: string, type = "application/json"): Promise<Response> =>
    ask("/transactions/search", { "content-type": type }, { method: "POST", body });

  it("that is too long, no JSON, or not of the form is refused, and no turn is taken for it", async () => {
    expect((await post("x".repeat(8_193))).status).toBe(413);
    for (const bad of ["{", "[]", "{}", '{"transactionIds":7}', '{"transactionIds":["ab"]}']) {
      expect([bad, [400, 422].includes((await post(bad)).status)]).toEqual([bad, true]);
    }
    expect((await post("{}", "text/plain")).status).toBe(415);
    expect(turns).toEqual([]);
  });
});

it.each(["POST", "PUT", "DELETE", "PATCH"])("%s changes nothing: it is 405", async (method) => {
  const answer = await ask("/info/blockdag", {}, { method });
  expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect(turns).toEqual([]);
});

it("HEAD has the headers of GET and no body", async () => {
  const [get, head] = [
    await ask("/info/blockdag"),
    await ask("/info/blockdag", {}, { method: "HEAD" }),
  ];
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const name of ["etag", "cache-control", "content-type"]) {
    expect(head.headers.get(name)).toBe(get.headers.get(name));
  }
});
