/** What an index notes of reorganisations and first sightings that it did not hear of: an event lost, a process killed, an engine restarted. */
import { expect, test } from "vitest";
import { firstSeen } from "@svc/node-server/indexer/tables/observedTables.ts";
import { reorgs, type ReorgRow } from "@svc/node-server/indexer/tables/reorgTable.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { START_MS } from "../engine/engineFixture.ts";
import { endAfter, worked } from "./endedIndex.ts";
import { EngineNode, hashOf } from "../engine/importFixture.ts";
import { IndexScene } from "./indexScene.ts";

/** Blocks that both sides know, and that one of them is left with: three commits of a removal. */
const SHARED = 5;
const LEFT = 20;

/** The blocks of two miners: what both know, what is left, and the longer side. */
type Sides = {
  readonly shared: Uint8Array[];
  readonly left: Uint8Array[];
  readonly kept: Uint8Array[];
};

function sides(left = LEFT): Sides {
  const [ours, theirs] = [new EngineNode(), new EngineNode()];
  let nowMs = START_MS;
  const mine = (node: EngineNode, payTo: number): Uint8Array => {
    nowMs += 1_000n;
    const block = node.build(payTo, [], nowMs);
    node.insert(block);
    node.settle();
    return block;
  };
  const shared = Array.from({ length: SHARED }, () => mine(ours, 1));
  for (const block of shared) theirs.insert(block);
  theirs.settle();
  return {
    shared,
    left: Array.from({ length: left }, () => mine(ours, 1)),
    kept: Array.from({ length: left + 2 }, () => mine(theirs, 2)),
  };
}

function noted(scene: IndexScene): ReorgRow[] {
  return reorgs(scene.index.writer.observed, { order: "time", limit: 1_000 });
}

/** An index that has followed the side that will be left. */
async function onTheLeftSide(folder: string, { shared, left }: Sides): Promise<IndexScene> {
  const scene = await new IndexScene({ folder }).start();
  for (const block of [...shared, ...left]) scene.take(block);
  await scene.settle();
  return scene;
}

/** What is noted of the change from the one side to the other, whichever of its blocks made it the better one. */
function theChange({ shared, left, kept }: Sides): object {
  return {
    oldTip: hashOf(left.at(-1) ?? new Uint8Array()),
    newTip: expect.toBeOneOf(kept.map(hashOf)),
    forkPoint: hashOf(shared.at(-1) ?? new Uint8Array()),
    removed: left.length,
  };
}

test("a removal that is cut at any of its commits leaves its reorganisation noted once", async () => {
  const both = sides();
  const cuts: number[] = [];
  for (let commits = 0; ; commits += 1) {
    let isCut = true;
    await inTemporaryFolder(async (folder) => {
      const first = await onTheLeftSide(folder, both);
      const almost = both.kept.slice(0, LEFT - 1);
      for (const block of almost) first.take(block);
      await first.settle();
      const isOver = endAfter(first, commits);
      for (const block of both.kept.slice(almost.length)) first.take(block);
      await worked(first, isOver);
      await first.index.writer.written();
      isCut = isOver();
      await first.index.stop();
      const second = await new IndexScene({ folder, node: first.node }).start();
      await second.settle();
      expect(noted(second)).toMatchObject([theChange(both)]);
      await second.index.stop();
    });
    cuts.push(commits);
    if (!isCut) break;
  }
  // At least the removal's own commits were among them.
  expect(cuts.length).toBeGreaterThan(LEFT / 8);
});

test("a reorganisation that came while no index ran is noted at the next start, whole, and once", async () => {
  await inTemporaryFolder(async (folder) => {
    const both = sides();
    const first = await onTheLeftSide(folder, both);
    await first.index.stop();
    for (const block of both.kept) first.node.insert(block);
    first.node.settle();
    // The derived tables are made anew at that start: they could not tell.
    for (const isRebuilt of [true, false]) {
      const next = await new IndexScene({ folder, node: first.node, isRebuilt }).start();
      await next.settle();
      expect(noted(next)).toMatchObject([{ ...theChange(both), added: both.kept.length }]);
      await next.index.stop();
    }
  });
});

test("what the engine did while it was restarted is noted: the reorganisation and the blocks", async () => {
  await inTemporaryFolder(async (folder) => {
    const both = sides(3);
    const scene = await onTheLeftSide(folder, both);
    scene.clock.advance(60_000);
    // Nobody hears of these.
    for (const block of both.kept) scene.node.insert(block);
    scene.node.settle();
    scene.tell({ type: "engineRestarted" });
    await scene.settle();
    expect(noted(scene)).toMatchObject([
      { ...theChange(both), t: scene.clock.nowMs(), added: both.kept.length },
    ]);
    const { observed } = scene.index.writer;
    for (const block of both.kept) {
      expect(firstSeen(observed, asBlockHash(hashOf(block)))).toBe(scene.clock.nowMs());
    }
    // What was seen before keeps its time.
    const old = asBlockHash(hashOf(both.left[0] ?? new Uint8Array()));
    expect(firstSeen(observed, old)).toBeLessThan(scene.clock.nowMs());
    await scene.index.stop();
  });
});
