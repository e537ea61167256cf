/** The routes over a fake node: what they say of peers, and of a node that cannot answer. */
import { Hono } from "hono";
import { beforeEach, describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { errorAnswer } from "../../platform/http/errorAnswer.ts";
import type { HttpEnv } from "../../platform/http/httpEnv.ts";
import type { NetworkApi, PeerFacts } from "../service/networkApi.ts";
import { FakeNode } from "../testkit/fakeNode.ts";
import { restRoutes } from "./restRoutes.ts";

let node: FakeNode;
/** Hosts whose requests waited for a turn. */
let turns: string[];

beforeEach(() => {
  node = new FakeNode();
  turns = [];
});

async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => errorAnswer(c, error));
  app.route(
    "/api",
    restRoutes(node, async (c, next) => {
      turns.push(c.env.caller.host);
      await next();
    }),
  );
  return app.request(`/api${path}`, { headers }, { caller: { host: "h", origin: null } });
}

function peer(address: string, userAgent: string): PeerFacts {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    address,
    lastPingMs: 12,
    isOutbound: true,
    timeOffset: 0n,
    userAgent,
    advertisedProtocolVersion: 7,
    timeConnected: 5n,
    isIbdPeer: false,
    blocksRelayed: 3,
  };
}

function networkOf(peers: readonly PeerFacts[]): NetworkApi {
  return {
    peers: () => peers,
    addresses: () => [],
    banned: () => [],
    addPeer: () => {},
    ban: () => false,
    unban: () => false,
    syncProgress: () => null,
  };
}

describe("the peers", () => {
  it("are masked, and neighbours count once", async () => {
    node.network = networkOf([
      peer("203.0.113.77:1", "/b/"),
      peer("203.0.113.78:2", "/a/"),
      peer("[2001:db8:7:1::2]:3", "/a/"),
      peer("some.onion:4", "/a/"),
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
