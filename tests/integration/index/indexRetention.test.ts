/** An index that keeps so much of the chain and no more: what stays has the bytes that it had, and answers say where it begins. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { expect, test } from "vitest";
import { chainEnd } from "@svc/node-server/indexer/tables/derivedTables.ts";
import { reorgs } from "@svc/node-server/indexer/tables/reorgTable.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Kv } from "@svc/node-server/storage/kv.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { endAfter } from "./endedIndex.ts";
import { derivedRows, ForkingChain } from "./indexFixture.ts";
import { IndexScene } from "./indexScene.ts";
import { rowsFrom } from "./keptRows.ts";

const ROUNDS = 60;
const COUNTS = v.object({ blocks: v.number(), hashes: v.number() });
/** A minute of a chain with a block a second. */
const KEPT_MS = 60_000n;

function roundsOf(name: string, count = ROUNDS): Uint8Array[] {
  const chain = new ForkingChain(seededRandom(name));
  return Array.from({ length: count }, () => chain.round()).flat();
}

function kvOf(scene: IndexScene): Kv {
  return scene.index.writer.derived.kv;
}

function firstOf(scene: IndexScene): bigint {
  return chainEnd(kvOf(scene), "first")?.index ?? -1n;
}

/** Until the index is at the sink and takes nothing away any more. */
async function quiet(scene: IndexScene): Promise<void> {
  for (let before = -1n; before !== firstOf(scene);) {
    before = firstOf(scene);
    // A few turns of the follower; it goes on by itself while there is something to take away.
    for (let turn = 0; turn < 3; turn += 1) await scene.settle();
  }
}

async function follow(scene: IndexScene, blocks: readonly Uint8Array[]): Promise<void> {
  for (const block of blocks) {
    scene.take(block);
    await scene.settle();
  }
  await quiet(scene);
}

test("what an index keeps has the bytes that a whole one has, at every height", async () => {
  const blocks = roundsOf("index retention");
  const whole = await new IndexScene({}).start();
  const kept = await new IndexScene({ keptMs: KEPT_MS }).start();
  for (let at = 0; at < blocks.length; at += 40) {
    const some = blocks.slice(at, at + 40);
    await follow(whole, some);
    await follow(kept, some);
    expect(derivedRows(kvOf(kept))).toEqual(rowsFrom(kvOf(whole), firstOf(kept)));
  }
  const first = chainEnd(kvOf(kept), "first");
  const last = chainEnd(kvOf(kept), "last");
  if (first === undefined || last === undefined) throw new Error("nothing is kept");
  expect(first.index).toBeGreaterThan(20n);
  // All of the minute is there, and not much more.
  const age = last.timestamp - first.timestamp;
  expect(age).toBeGreaterThanOrEqual(KEPT_MS);
  expect(age).toBeLessThan(2n * KEPT_MS);
  expect(kept.index.writer.derived.drops).toBe(0);
  // What was observed is not of the chain, and stays.
  const seen = (scene: IndexScene) =>
    reorgs(scene.index.writer.observed, { order: "time", limit: 1_000 }).length;
  expect(seen(kept)).toBe(seen(whole));
  await whole.index.stop();
  await kept.index.stop();
});

test("answers say where the index begins, and count from there", async () => {
  const scene = await new IndexScene({ keptMs: KEPT_MS }).start();
  await follow(scene, roundsOf("index retention"));
  const first = chainEnd(kvOf(scene), "first");
  const last = chainEnd(kvOf(scene), "last");
  if (first === undefined || last === undefined) throw new Error("nothing is kept");
  expect(scene.index.coverage()).toMatchObject({
    coveredFrom: { daaScore: first.daaScore, timestamp: first.timestamp },
    isComplete: false,
    isCurrent: true,
  });
  const minute = first.timestamp / 60_000n;
  const below = await scene.index.blockWindow(minute - 1n, scene.never);
  expect(below).toMatchObject({ isComplete: false, blocks: [] });
  const count: unknown = JSON.parse(jsonText(await scene.index.transactionCount(scene.never)));
  expect(count).toMatchObject({
    coinbase: Number(last.index - first.index + 1n),
    regular: Number(last.totals.applied - first.totals.applied),
    isComplete: false,
  });
  const rows = derivedRows(kvOf(scene));
  const rowsIn = (table: string): number =>
    rows.filter((row) => row.startsWith(`${table} `)).length;
  const open = scene.index.writer.open.all().length;
  const index = await scene.index.index(scene.never);
  const told = v.parse(COUNTS, JSON.parse(jsonText(index)));
  expect(told.blocks).toBe(rowsIn("blocks") + open);
  // Only what an older block carried, too, may be left out.
  const hashes = rowsIn("blocks") + rowsIn("transactions") + open;
  expect(told.hashes).toBeLessThanOrEqual(hashes + open * 2);
  expect(told.hashes).toBeGreaterThan(hashes * 0.9);
  await scene.index.stop();
});

test("a chain block that the chain can still leave stays, however little is kept", async () => {
  const scene = await new IndexScene({ keptMs: 1n }).start();
  for (const block of roundsOf("index retention of little", 40)) {
    scene.take(block);
    await scene.settle();
    expect(firstOf(scene)).toBeLessThanOrEqual(scene.node.tip().finalIndex);
  }
  await quiet(scene);
  expect(firstOf(scene)).toBe(scene.node.tip().finalIndex);
  expect(firstOf(scene)).toBeGreaterThan(0n);
  expect(scene.index.writer.derived.drops).toBe(0);
  await scene.index.stop();
});

/** Lets an index that is to keep less end after so many commits, and looks at what the next one makes of it. True when it was cut. */
async function cutAfter(commits: number, folder: string, whole: IndexScene): Promise<boolean> {
  const options = { folder, node: whole.node, keptMs: KEPT_MS };
  const first = await new IndexScene(options).start();
  const isOver = endAfter(first, commits);
  // Whoever waits for an index that has ended waits for ever.
  const working = { isQuiet: false };
  void quiet(first).then(() => (working.isQuiet = true));
  while (!working.isQuiet && !isOver()) await new Promise((resolve) => setImmediate(resolve));
  const isCut = isOver();
  await first.index.stop();
  const second = await new IndexScene(options).start();
  await quiet(second);
  expect(firstOf(second)).toBeGreaterThan(16n);
  expect(derivedRows(kvOf(second))).toEqual(rowsFrom(kvOf(whole), firstOf(second)));
  // One that is made anew begins there.
  const anew = await new IndexScene({ node: whole.node, keptMs: KEPT_MS }).start();
  await anew.settle();
  expect(firstOf(anew)).toBe(firstOf(second));
  await second.index.stop();
  await anew.index.stop();
  return isCut;
}

test("a whole index that is to keep less from now on gets there, whatever ends in between", async () => {
  await inTemporaryFolder(async (root) => {
    const folder = join(root, "whole");
    const whole = await new IndexScene({ folder }).start();
    await follow(whole, roundsOf("index retention later", 30));
    await whole.index.stop();
    const again = await new IndexScene({ node: whole.node }).start();
    await again.settle();
    let commits = 0;
    for (let isCut = true; isCut; commits += 1) {
      const copy = join(root, `copy ${commits}`);
      cpSync(folder, copy, { recursive: true });
      isCut = await cutAfter(commits, copy, again);
    }
    expect(commits).toBeGreaterThan(3);
    await again.index.stop();
  });
});
