/** The public REST interface of a whole node: its documents field by field, its headers, and what it refuses. */
import { Validator } from "@seriousme/openapi-schema-validator";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import type { RouteContract } from "@svc/shared/protocol/contract/routeContract.ts";
import { REST_ROUTES, type RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { blockToRpc } from "@svc/shared/protocol/rpc/rpcBlock.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { SPECIFIED_ROWS, unlikeDocument } from "../../testkit/restDocuments.ts";
import { startTestNode } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
const blocks = fixture.trunk.slice(0, fixture.forkIndex);

/** Rows that the engine answers, with a path of each. */
const ENGINE_PATHS = [
  ["blockDag", "/info/blockdag"],
  ["recentBlocks", "/blocks/recent"],
  ["blocksAt", "/blocks/at?blueScore=7"],
  ["block", `/blocks/${fixture.genesis}`],
  ["shielded", "/info/shielded"],
  ["coinSupply", "/info/coinsupply"],
  ["blockReward", "/info/blockreward"],
  ["halving", "/info/halving"],
  ["network", "/info/network"],
  ["nodes", "/info/nodes"],
  ["relay", "/info/relay"],
  ["mempool", "/info/mempool"],
  ["feeEstimate", "/info/fee-estimate"],
  ["rules", "/info/rules"],
] as const satisfies readonly (readonly [RestRouteName, string])[];

let node: RunningNode;
let client: GrpcClient;

beforeAll(async () => {
  node = await startTestNode(null, {
    network: { name: fixture.profile },
    clock: new ManualClock(fixture.firstBlockMs + 1_000_000n),
  });
  client = new GrpcClient(node.grpcAddress ?? "");
  for (const raw of blocks) {
    const value = { block: blockToRpc(decodeRawBlock(raw)), allowNonDaaBlocks: true };
    await client.exchange({ $case: "submitBlock", value });
  }
});
afterAll(async () => {
  client?.close();
  await node?.stop();
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${node.httpAddress}/api${path}`, { headers });

async function documentAt(path: string): Promise<unknown> {
  const answer = await ask(path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
}

describe("the documents", () => {
  it("tell how far the chain is, as the node's own RPC does", async () => {
    const dag = await client.call({ $case: "getBlockDagInfo", value: {} });
    expect(await documentAt("/info/blockdag")).toEqual({
      networkName: dag.networkName,
      blockCount: String(blocks.length + 1),
      headerCount: String(blocks.length + 1),
      tipHashes: dag.tipHashes,
      difficulty: dag.difficulty,
      pastMedianTime: String(dag.pastMedianTime),
      virtualParentHashes: dag.virtualParentHashes,
      pruningPointHash: [fixture.genesis],
      virtualDaaScore: String(dag.virtualDaaScore),
      sink: dag.sink,
    });
  });

  it("tell of the pool and the supply what the supply of the same block is", async () => {
    const supply = await client.call({ $case: "getShieldedSupply", value: {} });
    const dag = await client.call({ $case: "getBlockDagInfo", value: {} });
    expect(await documentAt("/info/shielded")).toEqual({
      anchor: dag.shieldedTip?.treeRoot,
      blueScore: String(supply.blueScore),
      emissionPerBlock: 60,
      noteCount: Number(supply.noteCount),
      nullifierCount: 0,
      turnstileIn: String(supply.cumulativeCoinbase),
      turnstileOut: "0",
      blockHash: supply.blockHash,
      daaScore: String(supply.daaScore),
    });
    expect(supply.poolValue).toBeGreaterThan(0n);
    expect(await documentAt("/info/coinsupply")).toEqual({
      circulatingSupply: String(supply.poolValue),
      maxSupply: null,
      emissionModel: "perpetual-tail",
    });
    expect(await documentAt("/info/blockreward")).toEqual({ blockreward: 60 });
  });

  it("tell of a node without peers that it is alone", async () => {
    expect(await documentAt("/info/network")).toEqual({
      nodes: 1,
      connectedPeers: 0,
      peerNets: [],
      userAgents: [],
    });
  });

  it.each(ENGINE_PATHS)(
    "%s has the form of the table and of the specification: %s",
    async (name, path) => {
      const row: RouteContract = REST_ROUTES[name];
      const document = await documentAt(path);
      expect(v.safeParse(row.answer, document).issues).toBeUndefined();
      if (SPECIFIED_ROWS.includes(name)) expect(unlikeDocument(name, document)).toEqual([]);
    },
  );

  it("are described by a valid document", async () => {
    const document = await documentAt("/openapi.json");
    const validator = new Validator();
    expect(await validator.validate(Object(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });
});

describe("an answer", () => {
  it("says how long it may be kept, and is not sent twice", async () => {
    const first = await ask("/info/halving");
    expect(first.headers.get("cache-control")).toBe(
      "public, max-age=60, s-maxage=60, stale-while-revalidate=300",
    );
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^"[0-9a-f]+"$/);
    const again = await ask("/info/halving", { "if-none-match": tag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("etag")).toBe(tag);
  });

  it("about health is a word while the node follows the chain", async () => {
    const good = await ask("/health");
    expect([good.status, await good.text()]).toEqual([200, "ok"]);
    expect(good.headers.get("cache-control")).toBe("no-store");
  });

  it("to a path that there is not is 404, and nothing is written", async () => {
    const none = await ask("/addresses/x/balance");
    expect([none.status, none.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await none.json()).toMatchObject({ code: "http/not-found" });
    const post = await fetch(`${node.httpAddress}/api/info/blockdag`, { method: "POST" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await post.json()).toMatchObject({ code: "api/wrong-method" });
  });
});
