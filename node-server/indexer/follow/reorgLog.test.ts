/** The log of reorganisations: pages, an end in between, an engine that is down or restarted, and a fork point that is gone. */
import { expect, test } from "vitest";
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  type BlockHash,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { QuestionSource } from "../../engine/calls/askFacts.ts";
import { isAnswerTo } from "../../engine/calls/engineQuestions.ts";
import type { VirtualChanged } from "../../engine/calls/engineFacts.ts";
import { createLog } from "../../platform/log/log.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import type { KvChange } from "../../storage/kv.ts";
import { MemoryKv } from "../../storage/memoryKv.ts";
import { OBSERVED_TABLES } from "../tables/indexLayout.ts";
import { heardReorgOf, heardReorgsAfter, heardTip, reorgs } from "../tables/reorgTable.ts";
import { ReorgLog } from "./reorgLog.ts";

const NOW_MS = 1_800_000_000_000n;

function hash(number: number): BlockHash {
  return asBlockHash(number.toString(16).padStart(64, "0"));
}

/** An engine in which block n has the parent n - 1 and is the nth chain block. */
class FakeEngine implements QuestionSource {
  isDown = false;
  sink = 1;
  /** Blocks that it had and has deleted. */
  readonly pruned = new Set<number>();
  /** What the chain left since a block was its sink. */
  readonly left = new Map<number, readonly number[]>();
  /** What lies above a block. */
  above: readonly number[] = [];

  ask: QuestionSource["ask"] = async (question, args) => {
    if (this.isDown) throw new SvcError("engine/restarted", {});
    const number = parseInt(String(args[0]), 16);
    if (this.pruned.has(number)) throw new SvcError("chain/pruned", { hash: hash(number) });
    const answer = this.#answer(question, number);
    if (!isAnswerTo(question, answer)) throw new Error(question);
    return answer;
  };

  #answer(question: string, number: number): string | bigint {
    if (question === "chainIndexOf") return BigInt(number);
    if (question === "tip") return JSON.stringify(tipOf(this.sink));
    if (question === "blocksFrom") return JSON.stringify(this.above.map(hash));
    if (question === "virtualChainFrom") {
      const removed = (this.left.get(number) ?? []).map(hash);
      return JSON.stringify({ removed, added: [] });
    }
    return JSON.stringify({ ...BLOCK, hash: hash(number), selectedParent: hash(number - 1) });
  }
}

const BLOCK = {
  ...{ status: "valid", blues: [], reds: [], parents: [], children: [], isChainBlock: true },
  ...{ blueScore: "1", daaScore: "1", blueWork: "1", timestamp: "1", difficulty: 1, txids: [] },
};

function tipOf(sink: number): object {
  const zero = hash(0);
  return {
    ...{ genesis: zero, sink: hash(sink), sinkBlueScore: "1", sinkBlueWork: "1" },
    ...{ sinkTimestamp: "1", daaScore: "1", chainIndex: String(sink), finalIndex: "0" },
    ...{ treeSize: "0", treeRoot: zero, pruningPoint: zero, virtualParents: [], tips: [] },
    ...{ headersTip: hash(sink), headersBlueScore: "1", headersBlueWork: "1" },
    ...{ pastMedianTime: "1", bits: 1, difficulty: 1, blockCount: "1", headerCount: "1" },
    ...{ historyFromDaaScore: "0", historyComplete: true },
  };
}

/** A store that takes nothing while the test says so. */
class FailingKv extends MemoryKv {
  isFailing = false;
  commits = 0;

  override commit(changes: readonly KvChange[]): void {
    if (this.isFailing)
      throw new SvcError("store/no-room", { folder: "", freeMib: 0, neededMib: 1 });
    this.commits += 1;
    super.commit(changes);
  }
}

async function setUp() {
  const kv = new FailingKv();
  const engine = new FakeEngine();
  const clock = new ManualClock(NOW_MS);
  const state = { isSynced: true };
  const possiblyNew: BlockHash[] = [];
  const make = (): ReorgLog =>
    new ReorgLog({
      ...{ kv, engine, clock, log: createLog("silent") },
      isSynced: () => state.isSynced,
      onPossiblyNew: (blocks) => possiblyNew.push(...blocks),
    });
  const begin = async (): Promise<ReorgLog> => {
    const next = make();
    next.start();
    await next.written();
    return next;
  };
  const log = await begin();
  const list = () => reorgs(kv, { order: "time", limit: 100 });
  return { kv, engine, clock, state, possiblyNew, log, begin, make, list };
}

function change(removed: number[], added: number[], last = true): VirtualChanged {
  return {
    type: "virtualChanged",
    removed: removed.map(hash),
    added: added.map((number) => ({
      hash: hash(number),
      index: asChainIndex(BigInt(number)),
      blueScore: asBlueScore(1n),
      daaScore: asDaaScore(1n),
      applied: [],
      dropped: [],
    })),
    sink: hash(added.at(-1) ?? 0),
    sinkBlueScore: asBlueScore(1n),
    daaScore: asDaaScore(1n),
    tips: [],
    last,
  };
}

test("a change that leaves nothing is none, and the pages of a long one are one", async () => {
  const { log, list } = await setUp();
  log.noteChange(change([], [1, 2]));
  log.noteChange(change([9, 8], [], false));
  log.noteChange(change([7], [21, 22], false));
  log.noteChange(change([], [23, 24]));
  await log.written();
  expect(list()).toEqual([
    { t: NOW_MS, oldTip: hash(9), newTip: hash(24), forkPoint: hash(6), removed: 3, added: 4 },
  ]);
});

test("the newest and the deepest are found, however many there are", async () => {
  const { kv, log, clock, list } = await setUp();
  for (const depth of [1, 3, 2]) {
    clock.advance(1_000);
    const removed = Array.from({ length: depth }, (_, at) => 100 * depth - at);
    log.noteChange(change(removed, [7]));
  }
  await log.written();
  expect(list().map(({ removed }) => removed)).toEqual([2, 3, 1]);
  expect(reorgs(kv, { order: "depth", limit: 2 }).map(({ removed }) => removed)).toEqual([3, 2]);
});

test("what the chain left while nobody listened is noted at the start, and only once", async () => {
  const { engine, log, begin, list } = await setUp();
  log.noteChange(change([], [40]));
  await log.written();
  engine.sink = 60;
  engine.left.set(40, [40, 39]);
  await begin();
  const row = { oldTip: hash(40), newTip: hash(60), forkPoint: hash(38), removed: 2, added: 22 };
  expect(list()).toEqual([{ t: NOW_MS, ...row }]);
  await begin();
  expect(list()).toHaveLength(1);
});

test("an engine that does not answer costs no reorganisation", async () => {
  const { engine, log, list } = await setUp();
  engine.isDown = true;
  log.noteChange(change([5], [6]));
  await log.written();
  expect(list()).toEqual([]);
  engine.isDown = false;
  log.noteChange(change([], [9]));
  await log.written();
  expect(list()).toMatchObject([
    { oldTip: hash(5), newTip: hash(6), forkPoint: hash(4), added: 1 },
  ]);
});

test("a kill right after a reorganisation was heard of does not lose it, nor notes it twice", async () => {
  const { kv, engine, log, begin, list } = await setUp();
  engine.isDown = true;
  log.noteChange(change([5], [6]));
  const [pair] = heardReorgsAfter(kv, new Uint8Array(), 1);
  expect(pair && heardReorgOf(pair)).toMatchObject({ oldTip: hash(5), newTip: hash(6) });
  expect(heardTip(kv)).toBe(hash(6));
  // The process ends here; the next one finds the row.
  await log.written();
  engine.isDown = false;
  await begin();
  expect(list()).toMatchObject([{ oldTip: hash(5), forkPoint: hash(4), removed: 1, added: 1 }]);
});

test("a reorganisation whose lowest block is gone has no fork point, and those behind it go through", async () => {
  const { engine, log, list, clock } = await setUp();
  engine.isDown = true;
  log.noteChange(change([5, 4], [6, 7]));
  clock.advance(1_000);
  log.noteChange(change([25], [26]));
  await log.written();
  engine.isDown = false;
  engine.pruned.add(4);
  log.noteChange(change([], [27]));
  await log.written();
  expect(list()).toMatchObject([
    { oldTip: hash(25), forkPoint: hash(24) },
    { oldTip: hash(5), newTip: hash(7), forkPoint: null, removed: 2, added: 2 },
  ]);
});

test("a damaged row of one that waits does not hold up the others", async () => {
  const { kv, engine, log, list, clock } = await setUp();
  engine.isDown = true;
  log.noteChange(change([5], [6]));
  clock.advance(1_000);
  log.noteChange(change([25], [26]));
  const [pair] = heardReorgsAfter(kv, new Uint8Array(), 1);
  if (pair === undefined) throw new Error("no row");
  const value = pair.value.slice();
  value[12] = (value[12] ?? 0) ^ 1;
  kv.commit([{ table: OBSERVED_TABLES.reorgs, key: pair.key, value }]);
  await log.written();
  engine.isDown = false;
  log.noteChange(change([], [27]));
  await log.written();
  expect(list()).toMatchObject([{ oldTip: hash(25), forkPoint: hash(24) }]);
});

test("after an engine restart the chain is compared, and half of a change counts for nothing", async () => {
  const { engine, log, list, possiblyNew, state } = await setUp();
  log.noteChange(change([], [9]));
  log.noteChange(change([9, 8], [], false));
  engine.sink = 21;
  engine.left.set(9, [9, 8, 7]);
  engine.above = [19, 20, 21];
  log.noteRestart();
  await log.written();
  const missed = { oldTip: hash(9), newTip: hash(21), forkPoint: hash(6), removed: 3, added: 15 };
  expect(list()).toMatchObject([missed]);
  expect(possiblyNew).toEqual([19, 20, 21].map(hash));
  // What is caught up with was not seen when it came.
  state.isSynced = false;
  log.noteRestart();
  await log.written();
  log.noteChange(change([21], [22]));
  await log.written();
  expect(possiblyNew).toHaveLength(3);
  expect(list()).toMatchObject([{ oldTip: hash(21), removed: 1, added: 1 }, missed]);
});

test("an event that comes before or after the comparison counts once", async () => {
  const { engine, log, list } = await setUp();
  log.noteChange(change([], [9]));
  await log.written();
  // Heard of while the comparison is under way, which sees the same.
  engine.sink = 21;
  engine.left.set(9, [9]);
  log.noteRestart();
  log.noteChange(change([9], [21]));
  await log.written();
  expect(list()).toMatchObject([{ oldTip: hash(9), newTip: hash(21), removed: 1, added: 1 }]);
  // Heard of after a comparison that was ahead of it.
  engine.sink = 31;
  engine.left.set(21, [21]);
  log.noteRestart();
  await log.written();
  log.noteChange(change([21], [31]));
  await log.written();
  expect(
    list()
      .map(({ oldTip }) => oldTip)
      .toSorted(),
  ).toEqual([hash(9), hash(21)]);
});

test("across a gap an event does not hide what was missed before it, whatever ends in between", async () => {
  const { engine, log, begin, list, kv } = await setUp();
  log.noteChange(change([], [9]));
  await log.written();
  engine.isDown = true;
  log.noteRestart();
  // The chain had left 9 for 20 before; this is told of.
  log.noteChange(change([20], [31]));
  await log.written();
  expect(heardTip(kv)).toBe(hash(9));
  engine.isDown = false;
  engine.sink = 31;
  engine.left.set(9, [9]);
  await begin();
  expect(
    list()
      .map(({ oldTip }) => oldTip)
      .toSorted(),
  ).toEqual([hash(9), hash(20)]);
  expect(heardTip(kv)).toBe(hash(31));
});

test("a tip that the engine does not have any more leaves nothing noted, and another takes its place", async () => {
  const { engine, log, begin, list, kv } = await setUp();
  log.noteChange(change([], [9]));
  await log.written();
  engine.pruned.add(9);
  engine.sink = 50;
  await begin();
  expect([list(), heardTip(kv)]).toEqual([[], hash(50)]);
});

test("what finds no room on the disk is noted when there is some again", async () => {
  const { kv, engine, log, list } = await setUp();
  log.noteChange(change([], [9]));
  await log.written();
  kv.isFailing = true;
  log.noteChange(change([9], [10]));
  engine.sink = 10;
  engine.left.set(9, [9]);
  await log.written();
  expect(list()).toEqual([]);
  kv.isFailing = false;
  log.noteChange(change([], [11]));
  await log.written();
  expect(list()).toMatchObject([{ oldTip: hash(9), newTip: hash(10), removed: 1 }]);
});

test("while the chain is caught up with only reorganisations are written", async () => {
  const { kv, log, state } = await setUp();
  state.isSynced = false;
  const before = kv.commits;
  for (let at = 2; at < 50; at += 1) log.noteChange(change([], [at]));
  await log.written();
  expect(kv.commits).toBe(before);
  log.noteChange(change([49], [50]));
  expect(heardTip(kv)).toBe(hash(50));
  await log.written();
});
