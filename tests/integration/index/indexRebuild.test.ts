/** The index of a store: dropped and made anew, damaged, begun late, and over a store that has deleted its oldest blocks. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { INDEXER_LIMITS } from "@svc/node-server/indexer/indexerLimits.ts";
import { DERIVED_TABLES, OBSERVED_TABLES } from "@svc/node-server/indexer/tables/indexLayout.ts";
import { chainEnd } from "@svc/node-server/indexer/tables/derivedTables.ts";
import { firstSeen } from "@svc/node-server/indexer/tables/observedTables.ts";
import { reorgs } from "@svc/node-server/indexer/tables/reorgTable.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { DerivedStore } from "@svc/node-server/indexer/follow/derivedStore.ts";
import { IndexFollower } from "@svc/node-server/indexer/follow/indexFollower.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { ManualClock } from "@svc/node-server/platform/time/clock.ts";
import { KEYS_END, type KvChange } from "@svc/node-server/storage/kv.ts";
import { unreadableFile } from "@svc/node-server/storage/checkDatabase.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { NOW_MS } from "../engine/engineFixture.ts";
import { asBlockHash } from "@svc/shared/base/brand.ts";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { jsonText } from "@svc/shared/base/jsonText.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { EngineNode, hashOf } from "../engine/importFixture.ts";
import { derivedRows, ForkingChain, headOf, sourceOf } from "./indexFixture.ts";
import { IndexScene } from "./indexScene.ts";

const ROUNDS = 12;
const log = createLog("silent");

/** A store whose disk is full when the test says so. */
class FullKv extends MemoryKv {
  isFull = false;

  override commit(changes: readonly KvChange[]): void {
    if (this.isFull) throw new SvcError("store/no-room", { folder: "", freeMib: 0, neededMib: 1 });
    super.commit(changes);
  }
}

function roundsOf(name: string, count = ROUNDS): Uint8Array[] {
  const chain = new ForkingChain(seededRandom(name));
  return Array.from({ length: count }, () => chain.round()).flat();
}

function rowsOf(scene: IndexScene): string[] {
  return derivedRows(scene.index.writer.derived.kv);
}

async function follow(scene: IndexScene, blocks: readonly Uint8Array[]): Promise<void> {
  for (const block of blocks) {
    scene.take(block);
    await scene.settle();
  }
}

describe("derived tables", () => {
  test("dropped and made anew have the same bytes, and what was observed stays", async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await new IndexScene({ folder }).start();
      await follow(first, roundsOf("index rebuild"));
      const rows = rowsOf(first);
      const seen = reorgs(first.index.writer.observed, { order: "time", limit: 1_000 });
      expect(seen.length).toBeGreaterThan(0);
      await first.index.stop();
      const second = await new IndexScene({ folder, node: first.node, isRebuilt: true }).start();
      // It answers while it works, and says how far it is.
      const begun: unknown = JSON.parse(jsonText(await second.index.index(second.never)));
      expect(begun).toMatchObject({ isRebuilding: true, isComplete: false });
      await second.settle();
      expect(rowsOf(second)).toEqual(rows);
      expect(reorgs(second.index.writer.observed, { order: "time", limit: 1_000 })).toEqual(seen);
      await second.index.stop();
    });
  });

  test("with a damaged row are made anew by whoever reads it", async () => {
    const scene = await new IndexScene({}).start();
    await follow(scene, roundsOf("index damaged row", 8));
    const rows = rowsOf(scene);
    const { kv } = scene.index.writer.derived;
    const sink = asBlockHash(scene.node.tip().sink);
    const table = DERIVED_TABLES.blocks;
    const [pair] = kv.range({ table, from: Buffer.from(sink, "hex"), to: KEYS_END, limit: 1 });
    if (pair === undefined) throw new Error("no row");
    const value = pair.value.slice();
    value[20] = (value[20] ?? 0) ^ 1;
    kv.commit([{ table, key: pair.key, value }]);
    const read = scene.index.recentBlocks({ limit: 5 }, scene.never);
    expect(await rejectionCode(read, "answered")).toBe("http/unavailable");
    await scene.settle();
    expect(rowsOf(scene)).toEqual(rows);
    expect(await scene.index.recentBlocks({ limit: 5 }, scene.never)).toHaveLength(5);
    await scene.index.stop();
  });

  test("of another chain are made anew", async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await new IndexScene({ folder }).start();
      await follow(first, roundsOf("index of another chain", 6));
      await first.index.stop();
      // Another store is in the place of the one that was followed, as after an import.
      const node = new EngineNode();
      const other = await new IndexScene({ folder, node }).start();
      for (let block = 0; block < 12; block += 1) {
        other.take(node.build(7, [], 1_800_500_000_000n + BigInt(block) * 1_000n));
      }
      await waitForHead(other);
      const fresh = await new IndexScene({ node }).start();
      await fresh.settle();
      expect(rowsOf(other)).toEqual(rowsOf(fresh));
      await other.index.stop();
      await fresh.index.stop();
    });
  });
});

/** The index tries again after a pause of the scene's clock. */
async function waitForHead(scene: IndexScene): Promise<void> {
  for (;;) {
    scene.clock.advance(INDEXER_LIMITS.indexRetryMs);
    scene.tell({ type: "engineRestarted" });
    await new Promise((resolve) => setImmediate(resolve));
    const { derived } = scene.index.writer;
    try {
      if (headOf(derived.kv) === scene.node.tip().sink) return;
    } catch {
      // It is being made anew.
    }
  }
}

describe("databases on disk", () => {
  test.each(["derived", "observed"] as const)(
    "a damaged file of what is %s is found at the start",
    async (name) => {
      await inTemporaryFolder(async (folder) => {
        const first = await new IndexScene({ folder }).start();
        const blocks = roundsOf("index damaged file", 10);
        await follow(first, blocks);
        const rows = rowsOf(first);
        const seen = reorgs(first.index.writer.observed, { order: "time", limit: 1_000 });
        await first.index.stop();
        const file = join(folder, "index", name, "data.mdb");
        const bytes = readFileSync(file);
        // The pages behind the two heads are nonsense now.
        bytes.fill(0xa5, 8_192, bytes.length);
        writeFileSync(file, bytes);
        const second = await new IndexScene({ folder, node: first.node }).start();
        await second.settle();
        expect(rowsOf(second)).toEqual(rows);
        const kept = reorgs(second.index.writer.observed, { order: "time", limit: 1_000 });
        if (name === "derived") expect(kept).toEqual(seen);
        else {
          expect(kept).toEqual([]);
          expect(existsSync(join(folder, "index", "observed.damaged-1", "data.mdb"))).toBe(true);
        }
        await second.index.stop();
        expect(readdirSync(join(folder, "index"))).toContain("derived");
      });
    },
  );
});

test("a file that can no longer be read while the node runs is made anew, by whoever finds it", async () => {
  await inTemporaryFolder(async (folder) => {
    const scene = await new IndexScene({ folder }).start();
    await follow(scene, roundsOf("index unreadable file", 6));
    const rows = rowsOf(scene);
    const { derived } = scene.index.writer;
    const path = join(folder, "index", "derived");
    const unreadable = unreadableFile(join(path, "data.mdb"), "MDB_PAGE_NOTFOUND");
    // A reader finds it.
    derived.kv.snapshot = () => {
      throw unreadable;
    };
    const read = scene.index.recentBlocks({ limit: 5 }, scene.never);
    expect(await rejectionCode(read, "answered")).toBe("http/unavailable");
    expect(scene.index.coverage().isCurrent).toBe(false);
    await scene.settle();
    expect([derived.drops, rowsOf(scene)]).toEqual([1, rows]);
    // The follower finds it.
    derived.kv.range = () => {
      throw unreadable;
    };
    await scene.settle();
    expect([derived.drops, rowsOf(scene)]).toEqual([2, rows]);
    // A file of somebody else's says nothing about these.
    const stranger = unreadableFile(join(folder, "index", "observed", "data.mdb"), "EIO");
    derived.kv.snapshot = () => {
      throw stranger;
    };
    const other = scene.index.recentBlocks({ limit: 5 }, scene.never);
    expect(await rejectionCode(other, "answered")).toBe("store/unreadable");
    expect(derived.drops).toBe(2);
    await scene.index.stop();
  });
});

test("tables that somebody reads are deleted when the reading is over", async () => {
  await inTemporaryFolder(async (root) => {
    const derived = new DerivedStore({ root, log });
    await derived.open();
    derived.kv.commit([{ table: 1, key: Uint8Array.of(1), value: Uint8Array.of(2) }]);
    const turn = Promise.withResolvers<void>();
    const reading = derived.read(async (reader) => {
      await turn.promise;
      return reader.get(1, Uint8Array.of(1));
    });
    const dropping = derived.drop();
    // Meanwhile nobody begins to read.
    expect(() => derived.kv).toThrow("http/unavailable");
    const refused = derived.read(() => Promise.resolve());
    expect(await rejectionCode(refused, "answered")).toBe("http/unavailable");
    turn.resolve();
    expect(await reading).toEqual(Uint8Array.of(2));
    await dropping;
    expect(derived.kv.get(1, Uint8Array.of(1))).toBeUndefined();
    await derived.close();
  });
});

test("a damaged row of what was observed is left out, and the others are kept", async () => {
  const scene = await new IndexScene({}).start();
  await follow(scene, roundsOf("index damaged sighting", 10));
  const { observed } = scene.index.writer;
  const seen = reorgs(observed, { order: "time", limit: 1_000 });
  const [pair] = observed.range({
    ...{ table: OBSERVED_TABLES.reorgs, from: new Uint8Array(), to: KEYS_END, limit: 1 },
  });
  if (pair === undefined) throw new Error("no row");
  const value = pair.value.slice();
  value[12] = (value[12] ?? 0) ^ 1;
  observed.commit([{ table: OBSERVED_TABLES.reorgs, key: pair.key, value }]);
  const log: unknown = JSON.parse(jsonText(await scene.index.reorgs(200, scene.never)));
  expect(log).toMatchObject({ count: seen.length - 1 });
  expect(scene.index.writer.derived.drops).toBe(0);
  await scene.index.stop();
});

describe("an index that begins late", () => {
  test("over a store that is there comes to the same tables", async () => {
    const live = await new IndexScene({}).start();
    await follow(live, roundsOf("index backfill"));
    const late = await new IndexScene({ node: live.node }).start();
    await late.settle();
    expect(rowsOf(late)).toEqual(rowsOf(live));
    await live.index.stop();
    await late.index.stop();
  });

  test("over a pruned store covers what is left and says so; one that was there before keeps what it has", async () => {
    const early = await new IndexScene({}).start();
    for (const block of roundsOf("index pruning", 80)) early.take(block);
    await early.settle();
    const rows = rowsOf(early);
    early.node.prune();
    const { pruningPoint, genesis } = early.node.tip();
    expect(pruningPoint).not.toBe(genesis);
    early.tell({ type: "engineRestarted" });
    await early.settle();
    expect(rowsOf(early)).toEqual(rows);
    const late = await new IndexScene({ node: early.node }).start();
    await late.settle();
    const first = chainEnd(late.index.writer.derived.kv, "first");
    expect(first?.index).toBeGreaterThan(0n);
    expect(late.index.coverage()).toMatchObject({
      coveredFrom: { daaScore: first?.daaScore, timestamp: first?.timestamp },
      isComplete: false,
    });
    const totals = chainEnd(late.index.writer.derived.kv, "last")?.totals;
    const whole = chainEnd(early.index.writer.derived.kv, "last")?.totals;
    // The pool is that of the whole chain; what is counted by the index begins with it.
    expect(totals).toMatchObject({
      coinbase: whole?.coinbase,
      fees: whole?.fees,
      notes: whole?.notes,
      nullifiers: whole?.nullifiers,
    });
    expect(totals?.chainBlocks).toBeLessThan(whole?.chainBlocks ?? 0n);
    const minute = (first?.timestamp ?? 0n) / 60_000n;
    const below = await late.index.blockWindow(minute - 2n, late.never);
    expect(below).toMatchObject({ isComplete: false, blocks: [] });
    const above = await late.index.blockWindow(minute + 1n, late.never);
    expect(above.isComplete).toBe(true);
    expect(above.blocks.length).toBeGreaterThan(0);
    await early.index.stop();
    await late.index.stop();
  });
});

describe("a flood", () => {
  test("of events is one look at the chain, and of sightings is cut at the bound", async () => {
    const scene = await new IndexScene({}).start();
    let asked = 0;
    const { engine } = scene.node;
    const tip = engine.tip.bind(engine);
    engine.tip = () => {
      asked += 1;
      return tip();
    };
    const count = 4 * INDEXER_LIMITS.indexNotesWaiting;
    for (let at = 0; at < count; at += 1) {
      const hash = asBlockHash(at.toString(16).padStart(64, "0"));
      scene.tell({ type: "blockAdded", hash, parents: [] });
    }
    await scene.index.writer.written();
    expect(asked).toBeLessThan(10);
    const last = asBlockHash((count - 1).toString(16).padStart(64, "0"));
    const first = asBlockHash("0".repeat(64));
    expect(firstSeen(scene.index.writer.observed, first)).toBeDefined();
    expect(firstSeen(scene.index.writer.observed, last)).toBeUndefined();
    // Afterwards there is room again.
    scene.tell({ type: "blockAdded", hash: last, parents: [] });
    await scene.index.writer.written();
    expect(firstSeen(scene.index.writer.observed, last)).toBeDefined();
    await scene.index.stop();
  });

  test("of events does not keep the thread from others", async () => {
    const scene = await new IndexScene({}).start();
    for (const block of roundsOf("index turns", 20)) scene.take(block);
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await scene.settle();
    isOver = true;
    // Each chain block is a turn of its own, some of which come with answers of the engine.
    expect(turns).toBeGreaterThan(Number(scene.node.tip().chainIndex) / 2);
    await scene.index.stop();
  });
});

test("an index without room on its disk ends by itself, keeps what it has, and says how far behind it is", async () => {
  const kv = new FullKv();
  const derived = new DerivedStore({ root: null, log, open: () => Promise.resolve(kv) });
  await derived.open();
  const node = new EngineNode();
  const follower = new IndexFollower({
    derived,
    source: sourceOf(node),
    clock: new ManualClock(NOW_MS),
    log,
    keptMs: null,
  });
  // The same seed makes the same rounds: the last one of the longer chain is what follows.
  const first = roundsOf("index without room", 4);
  const second = roundsOf("index without room", 5).slice(first.length);
  follower.start();
  for (const block of first) node.insert(block);
  node.settle();
  const settled = follower.caughtUp;
  follower.wake();
  await settled;
  const head = headOf(kv);
  kv.isFull = true;
  for (const block of second) node.insert(block);
  node.settle();
  follower.wake();
  while (follower.state().problem === null) await new Promise((resolve) => setImmediate(resolve));
  expect(follower.state()).toMatchObject({ problem: { code: "store/no-room" } });
  expect(follower.state().behind).toBeGreaterThan(0n);
  expect(headOf(kv)).toBe(head);
  await follower.stop();
});

test("whoever goes away gets no answer, and the others get theirs", async () => {
  const scene = await new IndexScene({}).start();
  await follow(scene, roundsOf("index signals", 3));
  const gone = AbortSignal.abort();
  const asked = [scene.index.pulse("15m", gone), scene.index.pulse("15m", scene.never)];
  const codes = await Promise.all(asked.map((answer) => rejectionCode(answer, "answered")));
  expect(codes).toEqual(["run/aborted", "answered"]);
  expect(await rejectionCode(scene.index.blockWindow(1n, gone), "answered")).toBe("run/aborted");
  await scene.index.stop();
});

test("a block of a side that nobody merges is shown with no colour, and is forgotten with its side", async () => {
  const scene = await new IndexScene({}).start();
  const blocks = roundsOf("index open blocks", 5);
  await follow(scene, blocks);
  const open = scene.index.writer.open.all().map(({ hash }) => hash as string);
  const shown = await scene.index.recentBlocks({ limit: 200 }, scene.never);
  const none = shown.filter(({ color }) => color === "none").map(({ block_hash }) => block_hash);
  expect(none.toSorted()).toEqual(open.toSorted());
  expect(shown).toHaveLength(new Set([...blocks.map(hashOf), ""]).size);
  expect(callCore(() => scene.node.engine.chainIndexOf(open[0] ?? ""))).toBeUndefined();
  await scene.index.stop();
});
