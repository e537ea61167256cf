/** Proof faults in the batches of a scanner: why it does not believe its node, since when, and until when. */
import { describe, expect, it, onTestFinished } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { decodeFactBatch, type FactBatch } from "@svc/shared/invoice/factBatch.ts";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import { scannedBlock, stepTo } from "../testkit/scannedChain.ts";
import { FactOutbox } from "./factOutbox.ts";
import { OutboxStore } from "./outboxStore.ts";

const START_MS = 1_000_000n;
const RECENT = 100;
const OTHER = new SvcError("evidence/other-notes", { block: "ab", expected: "0", found: "1" });
const HIDDEN = new SvcError("evidence/not-shown", { reason: "chain/pruned" });
const DEPTH = { tip: null, ladder: { believedTo: null, steps: [] } };

/** A scanner at block 1 whose gateway takes everything. */
async function scene(folder: string | null = null) {
  const clock = new ManualClock(START_MS);
  const begin = async (over: { readonly depth?: typeof DEPTH; readonly scanner?: string } = {}) => {
    const store = await OutboxStore.open(folder);
    const parts = { store, clock, scanner: "scanner", depth: DEPTH, ...over };
    return { store, outbox: new FactOutbox(parts) };
  };
  const { store, outbox } = await begin();
  onTestFinished(() => store.close());
  outbox.takeStep(stepTo(1, []), RECENT);
  return { clock, store, outbox, begin };
}

/** All that waits, which the gateway has then. */
function told(outbox: FactOutbox): readonly FactBatch[] {
  const batches: FactBatch[] = [];
  for (let next = outbox.next(); next !== null; next = outbox.next()) {
    batches.push(decodeFactBatch(next.json));
    outbox.acknowledge(next.sequence + 1n);
  }
  return batches;
}

describe("a scanner that does not believe its node", () => {
  it("says so at once by a batch of its own, since when, and again while it lasts", async () => {
    const { clock, outbox } = await scene();
    outbox.takeVerdict(OTHER);
    const since = { sinceMs: START_MS, code: "evidence/other-notes" };
    expect(told(outbox)).toMatchObject([{ facts: [], tip: { blueScore: 1n }, fault: since }]);
    outbox.takeVerdict(OTHER);
    expect(told(outbox)).toEqual([]);
    clock.advance(Number(GATEWAY_LIMITS.pushBeatMs));
    outbox.takeVerdict(OTHER);
    expect(told(outbox)).toMatchObject([{ fault: since }]);
  });

  it("keeps the time of the first fault, whatever the node does next, and ends it where the node proves", async () => {
    const { clock, outbox } = await scene();
    outbox.takeVerdict(OTHER);
    told(outbox);
    clock.advance(Number(GATEWAY_LIMITS.pushTipMs));
    outbox.takeVerdict(HIDDEN);
    const next = { sinceMs: START_MS, code: "evidence/not-shown" };
    expect(told(outbox)).toMatchObject([{ fault: next }]);
    clock.advance(Number(GATEWAY_LIMITS.pushTipMs));
    outbox.takeVerdict(null);
    const [last, ...more] = told(outbox);
    expect(more).toEqual([]);
    expect(last).toBeDefined();
    expect(last?.fault).toBeUndefined();
    clock.advance(Number(GATEWAY_LIMITS.pushBeatMs));
    outbox.takeVerdict(null);
    expect(told(outbox)).toEqual([]);
  });

  it("says so with every fact, too", async () => {
    const { outbox } = await scene();
    outbox.takeVerdict(OTHER);
    outbox.takeStep(stepTo(2, [1]), RECENT);
    expect(told(outbox).map(({ fault }) => fault?.code)).toEqual([OTHER.code, OTHER.code]);
  });

  it("writes no second batch while one waits, however its faults change", async () => {
    const { clock, outbox } = await scene();
    for (let turn = 0; turn < 100; turn += 1) {
      outbox.takeVerdict(turn % 2 === 0 ? OTHER : HIDDEN);
      clock.advance(Number(GATEWAY_LIMITS.pushBeatMs));
    }
    expect(outbox.waiting).toBe(1n);
  });

  it("remembers it over a new start and under another name, until it is known better", async () => {
    const folder = folderOfTest();
    const { store, outbox, begin } = await scene(folder);
    outbox.takeVerdict(OTHER);
    told(outbox);
    await store.close();
    const again = await begin();
    again.outbox.takeTip(scannedBlock(1));
    expect(told(again.outbox)).toMatchObject([{ fault: { code: OTHER.code } }]);
    await again.store.close();
    const renamed = await begin({ scanner: "next" });
    renamed.outbox.takeTip(scannedBlock(1));
    expect(told(renamed.outbox)).toMatchObject([{ scanner: "next", fault: { code: OTHER.code } }]);
    await renamed.store.close();
  });

  it("forgets it where its node is believed without evidence", async () => {
    const folder = folderOfTest();
    const { clock, store, outbox } = await scene(folder);
    outbox.takeVerdict(OTHER);
    told(outbox);
    await store.close();
    const trusting = await OutboxStore.open(folder);
    const next = new FactOutbox({ store: trusting, clock, scanner: "scanner" });
    next.takeTip(scannedBlock(1));
    const [batch] = told(next);
    expect(batch).toBeDefined();
    expect(batch?.fault).toBeUndefined();
    await trusting.close();
  });
});
