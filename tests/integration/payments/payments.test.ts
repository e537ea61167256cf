/** Recorded payments against a node that judges proofs for real. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningNode } from "@svc/node-server/app/node/node.ts";
import { readTxCheck } from "@svc/node-server/engine/calls/engineFacts.ts";
import { PoolStore, type StoredTransaction } from "@svc/node-server/mempool/poolStore.ts";
import { META_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { asDaaScore, asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import { BlockMaker, core, recipient } from "../engine/engineFixture.ts";
import { fetchTip, mineOn, never, startJudgingNode } from "../node/nodeFixture.ts";

const fixture = readPaymentFixture();
let node: RunningNode;

/** The payment with one bit changed, counted from the end of its bytes. */
function damaged(name: string, fromEnd: number): Uint8Array {
  const { raw } = fixture.payment(name);
  return withFlippedBit(raw, raw.length - fromEnd);
}

/** A row of the pool's store as a node writes it. */
function rowOf(txid: TxId, raw: Uint8Array): StoredTransaction {
  return { txid, format: 1, addedAtDaa: asDaaScore(5n), raw };
}

beforeAll(async () => {
  node = await startJudgingNode(null);
  for (const raw of fixture.trunk.slice(0, fixture.forkIndex))
    await node.api.submitBlock(raw, never);
});
afterAll(() => node.stop());

describe("proofs judged for real", () => {
  test("the node answers before its keys are built, and says when they are", async () => {
    const building = await fetchTip(node);
    expect(building).toMatchObject({ status: 200, chainIndex: String(fixture.forkIndex) });
    await node.keysReady;
    expect(await fetchTip(node)).toMatchObject({ proverReady: true });
  });

  test("a changed proof is refused and leaves the pool as it was; the payment itself is taken", async () => {
    // Behind the proof lie the anchor block (32 bytes) and the storage mass (8).
    for (const fromEnd of [8 + 32 + 1, 8 + 32 + 3000]) {
      await expect(node.api.submitTransaction(damaged("waiting", fromEnd), never)).rejects.toThrow(
        "shielded/proof-invalid",
      );
    }
    expect(node.api.waiting()).toEqual([]);
    const { raw, txid } = fixture.payment("waiting");
    expect(await node.api.submitTransaction(raw, never)).toBe(txid);
    expect(node.api.waiting().length).toBe(1);
  });

  test("a block with a false proof never becomes the sink; the chain goes on beside it", async () => {
    const maker = new BlockMaker();
    for (const raw of fixture.trunk.slice(0, fixture.forkIndex)) maker.take(raw);
    const before = await fetchTip(node);
    const raw = damaged("later", 8 + 32 + 1);
    const { engine } = maker;
    const check = engine.checkTransaction(engine.holdTransaction(raw));
    const { txid, format } = readTxCheck(check);
    engine.noteVerdict(txid, format, true);
    const block = maker.next(recipient(9), [raw]);
    const outcome = await node.api.submitBlock(block, never);
    expect(outcome.kind).toBe("accepted");
    await blockJudged(outcome.hash);
    expect((await fetchTip(node))["sink"]).toBe(before["sink"]);
    const next = await mineOn(node, recipient(1));
    expect((await fetchTip(node))["sink"]).toBe(next);
  });

  test("recorded blocks with payments are accepted on their proofs", async () => {
    const chain = await startJudgingNode(null);
    await chain.keysReady;
    for (const raw of fixture.trunk) await chain.api.submitBlock(raw, never);
    const sink = await sinkOnceJudged(chain, fixture.trunk.length);
    const facts = await chain.api.ask("shieldedFacts", [sink]);
    expect(JSON.parse(facts)).toMatchObject({
      cumulativeFees: String(fixture.payment("plain").fee),
    });
    await chain.stop();
  });

  test("payments on disk are judged again at a start: a false one is dropped, a good one waits again", async () => {
    const folder = temporaryFolder();
    const first = await startJudgingNode(folder.path);
    for (const raw of fixture.trunk.slice(0, fixture.forkIndex))
      await first.api.submitBlock(raw, never);
    const { raw, txid } = fixture.payment("waiting");
    await first.api.submitTransaction(raw, never);
    await first.stop();
    const forged = damaged("later", 8 + 32 + 1);
    const opened = await openStore(first.folder, META_LAYOUT);
    const rows = new PoolStore(opened.store, (flush) => setImmediate(flush));
    const forgedId = asTxId(core.transactionId(forged));
    await rows.put(rowOf(forgedId, forged));
    // A good payment under the id of another one would make that one's proof count as good.
    await rows.put(rowOf(fixture.payment("plain").txid, fixture.payment("later").raw));
    await opened.store.close();
    const second = await startJudgingNode(folder.path);
    await second.poolRestored;
    expect(second.api.waiting().map((entry) => entry.txid)).toEqual([txid]);
    await second.stop();
    const after = await openStore(first.folder, META_LAYOUT);
    const left = new PoolStore(after.store, () => {}).page(new Uint8Array(), 9).rows;
    expect(left).toMatchObject([{ txid }]);
    await after.store.close();
    folder.remove();
  });
});

/** Resolves when a block's status is no longer pending. */
async function blockJudged(hash: string): Promise<void> {
  for (;;) {
    const facts: { status: string } = JSON.parse((await node.api.ask("blockFacts", [hash])) ?? "");
    if (facts.status !== "pending") return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function sinkOnceJudged(chain: RunningNode, height: number): Promise<string> {
  for (;;) {
    const tip: { sink: string; chainIndex: string } = JSON.parse(await chain.api.ask("tip", []));
    if (Number(tip.chainIndex) === height) return tip.sink;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
