/**
 * Documents of transactions that blocks carry: what an index says of their place becomes the document, and nothing but an application by
 * the chain makes one accepted. The index here says what a test wants; the real one is tested with its own tables.
 */
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { askFacts } from "@svc/node-server/engine/calls/askFacts.ts";
import { errorAnswer } from "@svc/node-server/platform/http/errorAnswer.ts";
import type { HttpEnv } from "@svc/node-server/platform/http/httpEnv.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { RestSession } from "@svc/node-server/rpc/rest/call/restSession.ts";
import { restRoutes } from "@svc/node-server/rpc/rest/restRoutes.ts";
import type { IndexApi, TransactionPlace } from "@svc/node-server/rpc/service/indexApi.ts";
import type { NodeApi } from "@svc/node-server/rpc/service/nodeApi.ts";
import { asBlockHash, asTimestampMs, asTxId } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { readComputedHashes } from "@svc/shared/protocol/facts/computedHashes.ts";
import { decodeRawBlock } from "@svc/shared/protocol/raw/rawBlock.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { unlikeDocument } from "../../testkit/restDocuments.ts";
import { core } from "../engine/engineFixture.ts";
import { never, tipOf } from "../node/nodeFixture.ts";
import { startRecordedNode } from "./restScene.ts";

const fixture = readPaymentFixture();
const payment = fixture.payment("first");
const [carrier = new Uint8Array(), judge = new Uint8Array()] = fixture.branch;
const hashOf = (raw: Uint8Array) => readComputedHashes(callCore(() => core.computeHashes(raw)));
const block = hashOf(carrier).hash;
const by = hashOf(judge).hash;

let node: RunningNode;
let session: RestSession;

beforeAll(async () => {
  node = await startRecordedNode();
  session = new RestSession(node.api, null);
});
afterAll(async () => {
  session?.stop();
  await node?.stop();
});

const PLACE: TransactionPlace = {
  txid: payment.txid,
  blocks: [block],
  outcome: { status: "applied", by },
  kind: "payment",
  actions: 2,
  fee: payment.fee,
  size: 9_275,
  firstSeenMs: asTimestampMs(1_700_000_000_000n),
};

/** An index that knows one place, or none. */
function indexOf(place: TransactionPlace | null, isComplete = true, isCurrent = true): IndexApi {
  const refuse = (): never => {
    throw new SvcError("http/unavailable", { reason: "not here" });
  };
  return {
    transactionPlace: () => Promise.resolve(place),
    coverage: () => ({ coveredFrom: null, isComplete, isCurrent, head: null }),
    recentBlocks: refuse,
    blockWindow: refuse,
    blocksAt: refuse,
    transactionSearch: refuse,
    transactionCount: refuse,
    searchBucket: refuse,
    mergedMining: refuse,
    miners: refuse,
    pulse: refuse,
    workHistory: refuse,
    reorgs: refuse,
    extremes: refuse,
    index: refuse,
  };
}

async function ask(index: IndexApi, txid: string, over: Partial<NodeApi> = {}): Promise<Response> {
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => errorAnswer(c, error));
  const turn = <T>(_host: string, _signal: AbortSignal, work: () => Promise<T>) => work();
  const api: NodeApi = { ...node.api, index, ...over };
  app.route(
    "/api",
    restRoutes({ node: api, session, rates: null, turn, clock: systemClock, onError: () => {} }),
  );
  return app.request(`/api/transactions/${txid}`, {}, { caller: { host: "h", origin: null } });
}

async function documentOf(place: TransactionPlace, over: Partial<NodeApi> = {}): Promise<unknown> {
  const answer = await ask(indexOf(place), place.txid, over);
  expect(answer.status).toBe(200);
  const document: unknown = await answer.json();
  expect(unlikeDocument("transaction", document)).toEqual([]);
  return document;
}

describe("an applied payment", () => {
  it("is accepted by the chain block that has applied it, and as deep as that", async () => {
    const { sinkBlueScore } = await tipOf(node);
    const facts = await askFacts(node.api, "blockFacts", [by], never);
    const carried = await askFacts(node.api, "blockFacts", [block], never);
    const [, transaction] = decodeRawBlock(carrier).transactions;
    const { txHashes, computeMasses } = hashOf(carrier);
    expect(await documentOf(PLACE)).toEqual({
      subnetwork_id: "00".repeat(20),
      transaction_id: payment.txid,
      hash: txHashes[1],
      mass: String(computeMasses[1]),
      payload: encodeHex(transaction?.payload ?? new Uint8Array()),
      block_hash: [block],
      block_time: Number(carried?.timestamp),
      is_accepted: true,
      confirmations: Number(sinkBlueScore - (facts?.blueScore ?? 0n)),
      accepting_block_hash: by,
      accepting_block_blue_score: Number(facts?.blueScore),
      accepting_block_time: Number(facts?.timestamp),
      inputs: null,
      outputs: null,
      kind: "payment",
      status: "applied",
      drop_reason: null,
      actions: 2,
      fee: String(payment.fee),
      size: 9_275,
      first_seen: 1_700_000_000_000,
    });
  });

  it("may be kept by the depth of that block", async () => {
    const answer = await ask(indexOf(PLACE), payment.txid);
    expect(answer.headers.get("cache-control")).toContain("max-age=2,");
  });

  it("is found by capital digits, too", async () => {
    expect((await ask(indexOf(PLACE), payment.txid.toUpperCase())).status).toBe(200);
  });
});

describe("an index that does not follow the chain any more", () => {
  const judged = [
    { status: "applied", by },
    { status: "dropped", by, reason: "tx/nullifier-spent" },
  ] as const;
  /** The engine says that the block has left the chain. */
  const leftChain: NodeApi["ask"] = async (question, args, signal) => {
    const answer = await node.api.ask(question, args, signal);
    if (question !== "blockFacts" || args[0] !== by) return answer;
    return JSON.parse(
      JSON.stringify(String(answer).replace('"isChainBlock":true', '"isChainBlock":false')),
    );
  };
  const gone: NodeApi["ask"] = (question, args, signal) => {
    if (question !== "tip") throw new SvcError("chain/pruned", { hash: String(args[0]) });
    return node.api.ask(question, args, signal);
  };

  it.each(judged)("has nothing $status by a block that left the chain", async (outcome) => {
    for (const isCurrent of [true, false]) {
      const index = indexOf({ ...PLACE, outcome }, true, isCurrent);
      const answer = await ask(index, payment.txid, { ask: leftChain });
      expect(answer.headers.get("cache-control")).toContain("max-age=1,");
      expect(await answer.json()).toMatchObject({
        status: "included",
        is_accepted: false,
        drop_reason: null,
        confirmations: 0,
        accepting_block_hash: null,
      });
    }
  });

  it.each(judged)("cannot say $status of a block that nothing is known of", async (outcome) => {
    const index = indexOf({ ...PLACE, outcome }, true, false);
    const answer = await ask(index, payment.txid, { ask: gone });
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([503, "no-store"]);
  });

  it.each([
    { status: "included" },
    { status: "dropped", by, reason: "tx/nullifier-spent" },
  ] as const)("says of $status that it is behind, and one at the tip does not", async (outcome) => {
    const behind = await ask(indexOf({ ...PLACE, outcome }, true, false), payment.txid);
    expect(await behind.json()).toMatchObject({
      status: outcome.status,
      is_accepted: false,
      status_reason: "the index is behind the chain",
    });
    const { status_reason: reason } = Object(await documentOf({ ...PLACE, outcome }));
    expect(reason).toBeUndefined();
  });

  it("says nothing of what was applied when it is asked for many", async () => {
    const app = new Hono<HttpEnv>();
    app.onError((error, c) => errorAnswer(c, error));
    const search = { ...indexOf(PLACE, true, false), transactionSearch: () => Promise.resolve([]) };
    const api: NodeApi = { ...node.api, index: search };
    const turn = <T>(_host: string, _signal: AbortSignal, work: () => Promise<T>) => work();
    app.route(
      "/api",
      restRoutes({ node: api, session, rates: null, turn, clock: systemClock, onError: () => {} }),
    );
    const answer = await app.request(
      "/api/transactions/search",
      {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ transactionIds: [payment.txid] }),
      },
      { caller: { host: "h", origin: null } },
    );
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: "http/unavailable" }]);
  });
});

describe("a payment without effect", () => {
  it("is not kept by the depth of its judgement, since another block may carry it yet", async () => {
    const outcome = { status: "dropped", by, reason: "tx/nullifier-spent" } as const;
    const ask0: NodeApi["ask"] = async (question, args, signal) => {
      const answer = await node.api.ask(question, args, signal);
      if (question !== "tip") return answer;
      const deep = String(answer).replace(/"sinkBlueScore":"\d+"/, '"sinkBlueScore":"100000"');
      return JSON.parse(JSON.stringify(deep));
    };
    const applied = await ask(indexOf(PLACE), payment.txid, { ask: ask0 });
    expect(applied.headers.get("cache-control")).toContain("max-age=600,");
    const answer = await ask(indexOf({ ...PLACE, outcome }), payment.txid, { ask: ask0 });
    expect(answer.headers.get("cache-control")).toContain("max-age=1,");
  });

  it("is in a block and not accepted, with the reason", async () => {
    const reason = "tx/nullifier-spent";
    const dropped = { ...PLACE, outcome: { status: "dropped", by, reason } as const };
    expect(await documentOf(dropped)).toMatchObject({
      status: "dropped",
      drop_reason: reason,
      is_accepted: false,
      confirmations: 0,
      block_hash: [block],
      accepting_block_hash: null,
      accepting_block_blue_score: null,
      accepting_block_time: null,
    });
  });

  it("nor is one that no chain block has judged yet", async () => {
    expect(await documentOf({ ...PLACE, outcome: { status: "included" } })).toMatchObject({
      status: "included",
      is_accepted: false,
      confirmations: 0,
      block_hash: [block],
      accepting_block_hash: null,
    });
  });
});

it("a coinbase shows its outputs, each with its address", async () => {
  const [coinbase] = decodeRawBlock(judge).transactions;
  const txid = hashOf(judge).txids[0] ?? asTxId("");
  const place: TransactionPlace = {
    ...{ ...PLACE, txid, blocks: [by], kind: "coinbase", actions: 0, fee: null },
    outcome: { status: "applied", by },
  };
  expect(await documentOf(place)).toMatchObject({
    kind: "coinbase",
    fee: null,
    subnetwork_id: `01${"00".repeat(19)}`,
    outputs: coinbase?.outputs.map(({ value, script }, index) => ({
      transaction_id: txid,
      index,
      amount: Number(value),
      script_public_key: encodeHex(script),
      script_public_key_address: core.encodeAddress("svcsim", script),
      script_public_key_type: "nonstandard",
      accepting_block_hash: by,
    })),
  });
});

it("a payment whose bodies are pruned still has its place", async () => {
  const ask: NodeApi["ask"] = (question, args, signal) => {
    if (question !== "tip") throw new SvcError("chain/pruned", { hash: String(args[0]) });
    return node.api.ask(question, args, signal);
  };
  expect(
    await documentOf({ ...PLACE, blocks: [asBlockHash("ab".repeat(32))] }, { ask }),
  ).toMatchObject({
    status: "applied",
    is_accepted: true,
    accepting_block_hash: by,
    accepting_block_blue_score: null,
    hash: null,
    payload: null,
    outputs: null,
    block_time: null,
  });
});

it.each([
  [true, "never-seen"],
  [false, "not-covered"],
])("an unknown one is 404; where the index is complete (%s): %s", async (isComplete, reason) => {
  const answer = await ask(indexOf(null, isComplete), "ee".repeat(32));
  expect([answer.status, answer.headers.get("cache-control")]).toEqual([
    404,
    "public, max-age=5, s-maxage=5, stale-while-revalidate=0",
  ]);
  expect(await answer.json()).toEqual({
    error: `Transaction ${"ee".repeat(32)} is unknown.`,
    code: "chain/unknown-transaction",
    txid: "ee".repeat(32),
    reason,
  });
});
