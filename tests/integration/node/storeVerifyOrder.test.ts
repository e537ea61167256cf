/** `svc verify` over sound stores whose blocks came in an order that the check does not follow. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { verifyStore } from "@svc/node-server/app/verify/verifyStore.ts";
import { readInsertOutcome } from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { readPaymentFixture } from "../../fixtures/payments/paymentFixture.ts";
import {
  BlockMaker,
  core,
  NOW_MS,
  recipient,
  simnet,
  sinkOf,
  START_MS,
} from "../engine/engineFixture.ts";
import { changeStore, storeOf, trust, verifyOptions } from "../engine/verifyFixture.ts";

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** A block over the engine's tips, told apart by `extra`. */
function blockOver({ engine }: BlockMaker, extra: number, nowMs: bigint): Uint8Array {
  const mark = Uint8Array.of(extra);
  const template = engine.buildTemplate(recipient(1), mark, new Uint32Array(), nowMs);
  const block = template.block();
  template.free();
  return block;
}

/** Its id, after the judge took it in. */
function idOf(judge: BlockMaker, raw: Uint8Array): string {
  return readInsertOutcome(judge.engine.insertBlock(raw, NOW_MS)).hash;
}

/** A chain each second block of which has a sibling with a greater id, which its successor's miner had not seen. */
function chainBesideTwins(rounds: number): Uint8Array[] {
  const [maker, judge] = [new BlockMaker(), new BlockMaker()];
  const raws: Uint8Array[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const nowMs = START_MS + 2_000n * BigInt(round + 1);
    const pair = [0, 1].map((extra) => blockOver(maker, extra, nowMs));
    const ids = new Map(pair.map((raw) => [raw, idOf(judge, raw)]));
    const [less, greater] = pair.toSorted((a, b) =>
      (ids.get(a) ?? "") < (ids.get(b) ?? "") ? -1 : 1,
    );
    if (less === undefined || greater === undefined) throw new Error("no pair");
    trust(maker, less);
    const next = blockOver(maker, 0, nowMs + 1_000n);
    for (const raw of [next, greater]) trust(maker, raw);
    judge.take(next);
    raws.push(less, next, greater);
  }
  return raws;
}

describe("a sound store", () => {
  test("may end a page beside a heavier twin", async () => {
    // Genesis, then a block and its twin with its successor: the page is full with a twin.
    const rounds = Math.ceil(ENGINE_LIMITS.checkPageBlocks / 3) + 1;
    await storeOf(folder.path, chainBesideTwins(rounds));
    const expected = { blocks: 3 * rounds + 1, notes: [] };
    expect(await verifyStore(verifyOptions(folder.path))).toEqual(expected);
  });

  test("may hold a heavier twin of the sink whose proofs were awaited", async () => {
    const fixture = readPaymentFixture();
    const trunk = fixture.trunk.slice(0, fixture.forkIndex);
    const paying = fixture.trunk[fixture.forkIndex] ?? new Uint8Array();
    const [maker, judge] = [new BlockMaker(), new BlockMaker()];
    for (const raw of trunk) for (const engine of [maker, judge]) trust(engine, raw);
    const id = idOf(judge, paying);
    const nowMs = fixture.firstBlockMs + 1_000n * BigInt(trunk.length);
    const twin = Array.from({ length: 64 }, (_, extra) => blockOver(maker, extra, nowMs)).find(
      (raw) => idOf(judge, raw) < id,
    );
    if (twin === undefined) throw new Error("no twin with a smaller id");
    await changeStore(folder.path, (store) => {
      const engine = new core.Engine(kvHostStore(store), simnet);
      for (const raw of [...trunk, twin]) trust({ engine }, raw);
      const outcome = readInsertOutcome(engine.insertBlock(paying, NOW_MS));
      expect(outcome).toMatchObject({ kind: "accepted", needVerdicts: [{ format: 1 }] });
      engine.resolve(16);
      expect(sinkOf(engine.tip())).not.toBe(id);
      engine.free();
    });
    const { blocks, notes } = await verifyStore(verifyOptions(folder.path));
    // The engine had gone down to the fork and waited there.
    expect([blocks, notes.map(({ code }) => code)]).toEqual([
      trunk.length + 3,
      ["verify/unfinished"],
    ]);
  });
});
