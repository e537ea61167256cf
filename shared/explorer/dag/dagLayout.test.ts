import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";
import { testSeed } from "@svc/node-server/platform/testkit/testRun.ts";
import { DAG_LIMITS } from "../dagLimits.ts";
import { syntheticDag } from "../testkit/syntheticDag.ts";
import type { DagBlock, PlacedBlock } from "./dagBlock.ts";
import { DagLayout } from "./dagLayout.ts";

const SEED = testSeed(21);

function block(hash: string, parents: readonly string[], more: Partial<DagBlock> = {}): DagBlock {
  return {
    hash,
    parents,
    color: "blue",
    isChainBlock: false,
    mergedBy: null,
    blueScore: 1,
    daaScore: 1,
    timestamp: 0,
    txCount: 1,
    work: "native",
    ...more,
  };
}

const chain = (hash: string, parents: readonly string[], blueScore: number) =>
  block(hash, parents, { isChainBlock: true, blueScore });

function placeOf(layout: DagLayout, hash: string): readonly [number, number] {
  const placed = layout.get(hash);
  if (placed === undefined) throw new Error(`${hash} is not in the layout`);
  return [placed.column, placed.row];
}

function madeUp(seed: number, blocks: number, width = 4): readonly DagBlock[] {
  const bits = mulberry32(seed);
  return syntheticDag({
    blocks,
    width,
    stepMs: 1_000,
    fromMs: 0,
    below: (limit) => bits() % limit,
  });
}

describe("places", () => {
  it("puts a chain into the middle row, a column for each block", () => {
    const layout = new DagLayout();
    layout.add([chain("c", ["b"], 3), chain("a", [], 1), chain("b", ["a"], 2)]);
    expect(["a", "b", "c"].map((hash) => placeOf(layout, hash))).toEqual([
      [0, 0],
      [1, 0],
      [2, 0],
    ]);
    expect(layout.tip?.block.hash).toBe("c");
  });

  it("puts parallel blocks into one column, blue above and red below the chain", () => {
    const layout = new DagLayout();
    layout.add([
      chain("a", [], 1),
      chain("b", ["a"], 2),
      block("blue", ["a"], { blueScore: 2 }),
      block("red", ["a"], { blueScore: 2, color: "red" }),
      chain("c", ["b", "blue", "red"], 4),
    ]);
    expect(placeOf(layout, "b")).toEqual([1, 0]);
    expect(placeOf(layout, "blue")).toEqual([1, -1]);
    expect(placeOf(layout, "red")).toEqual([1, 1]);
    expect(placeOf(layout, "c")).toEqual([2, 0]);
  });

  it("keeps a wide group readable: each block has a cell of its own, the rest is counted", () => {
    const layout = new DagLayout();
    const wide = Array.from({ length: 60 }, (_, index) =>
      block(`w${index}`, ["a"], { blueScore: 2, isChainBlock: index === 0 }),
    );
    layout.add([chain("a", [], 1), ...wide]);
    const column = layout.column(1);
    expect(column).toHaveLength(60);
    const drawn = column.filter(({ isFolded }) => !isFolded);
    expect(drawn).toHaveLength(2 * DAG_LIMITS.rowsPerSide + 1);
    expect(new Set(column.map(({ row }) => row)).size).toBe(60);
  });

  it("leaves a gap where blocks are missing", () => {
    const layout = new DagLayout();
    layout.add([chain("a", [], 1), chain("b", ["a"], 2)]);
    layout.add([chain("z", ["y"], 90)]);
    expect(placeOf(layout, "z")).toEqual([3, 0]);
    expect(layout.chainParentOf({ ...present(layout.get("z")) })).toBeNull();
  });

  it("puts a parent that comes late left of its children", () => {
    const layout = new DagLayout();
    layout.add([chain("a", [], 1), chain("b", ["a"], 2), chain("d", ["c"], 4)]);
    layout.add([chain("c", ["b"], 3)]);
    expect(placeOf(layout, "c")[0]).toBe(2);
    expect(placeOf(layout, "d")[0]).toBe(3);
    expect(layout.awaitedParents).toBe(0);
  });
});

describe("a reorganisation", () => {
  it("moves colours and the chain line, and no block", () => {
    const layout = new DagLayout();
    layout.add([chain("a", [], 1), chain("b", ["a"], 2), block("x", ["a"], { blueScore: 2 })]);
    const before = ["a", "b", "x"].map((hash) => placeOf(layout, hash));
    const change = layout.add([
      block("b", ["a"], { blueScore: 2, color: "red" }),
      chain("x", ["a"], 2),
      chain("y", ["x"], 3),
    ]);
    expect(change).toEqual({ placed: 1, changed: 2, leftChain: 1 });
    expect(["a", "b", "x"].map((hash) => placeOf(layout, hash))).toEqual(before);
    expect(layout.get("b")?.block.color).toBe("red");
    const tip = present(layout.tip);
    expect(tip.block.hash).toBe("y");
    expect(layout.chainParentOf(tip)?.block.hash).toBe("x");
  });

  it("finds the tip again when the newest block leaves the chain", () => {
    const layout = new DagLayout();
    layout.add([chain("a", [], 1), chain("b", ["a"], 2)]);
    layout.add([block("b", ["a"], { blueScore: 2, color: "none" })]);
    expect(layout.tip?.block.hash).toBe("a");
  });
});

describe("bounds", () => {
  test("20,000 blocks pass and the window stays as large as its limit", () => {
    const layout = new DagLayout();
    const blocks = madeUp(SEED, 20_000);
    for (let from = 0; from < blocks.length; from += 40) {
      layout.add(blocks.slice(from, from + 40));
      expect(layout.size).toBeLessThanOrEqual(DAG_LIMITS.layoutBlocks);
      expect(layout.awaitedParents).toBeLessThanOrEqual(4);
    }
    const inColumns = Array.from(
      { length: layout.lastColumn - layout.firstColumn + 1 },
      (_, index) => layout.column(layout.firstColumn + index).length,
    ).reduce((sum, count) => sum + count, 0);
    expect(inColumns).toBe(DAG_LIMITS.layoutBlocks);
    expect(layout.lastColumn - layout.firstColumn).toBeLessThan(DAG_LIMITS.layoutBlocks);
  });

  it("takes blocks without number, parents without number and circles of parents", () => {
    const layout = new DagLayout(8);
    const many = Array.from({ length: 500 }, (_, index) => `p${index}`);
    layout.add([block("many", many)]);
    expect(layout.awaitedParents).toBe(DAG_LIMITS.blockParents);
    layout.add([block("o", ["p"]), block("p", ["o"]), block("self", ["self"])]);
    layout.add(Array.from({ length: 100 }, (_, index) => block(`n${index}`, [])));
    expect(layout.size).toBe(8);
    expect(layout.awaitedParents).toBe(0);
    expect(layout.firstColumn).toBeLessThanOrEqual(layout.lastColumn);
  });

  it("is empty after it is cleared", () => {
    const layout = new DagLayout();
    layout.add(madeUp(SEED, 50));
    layout.clear();
    expect([layout.size, layout.tip, layout.firstColumn, layout.lastColumn]).toEqual([
      0,
      null,
      0,
      -1,
    ]);
  });
});

describe("properties", () => {
  const graphs = fc.record({
    seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
    width: fc.integer({ min: 1, max: 12 }),
    batch: fc.integer({ min: 1, max: 60 }),
  });

  test("no block ever moves, no two share a cell, parents are on the left", () => {
    console.info(`DAG layout: SVC_SEED=${SEED}`);
    const property = fc.property(graphs, ({ seed, width, batch }) => {
      const blocks = madeUp(seed, 300, width);
      const layout = new DagLayout(120);
      const places = new Map<string, string>();
      const faults: string[] = [];
      for (let from = 0; from < blocks.length; from += batch) {
        layout.add(blocks.slice(Math.max(0, from - 10), from + batch).toReversed());
        const cells = new Set<string>();
        for (const placed of layout.all()) {
          const { hash } = placed.block;
          const cell = `${placed.column}/${placed.row}`;
          if (cells.has(cell)) faults.push(`${hash} shares ${cell}`);
          cells.add(cell);
          if ((places.get(hash) ?? cell) !== cell) faults.push(`${hash} moved to ${cell}`);
          places.set(hash, cell);
          const isLeft = ({ column }: PlacedBlock) => column < placed.column;
          if (!layout.parentsOf(placed).every(isLeft)) faults.push(`${hash} is left of a parent`);
        }
      }
      expect(faults).toEqual([]);
    });
    fc.assert(property, { seed: SEED, numRuns: 60 });
  });

  test("the order within a document does not matter", () => {
    const property = fc.property(graphs, ({ seed, width }) => {
      const blocks = madeUp(seed, 80, width);
      const bits = mulberry32(seed);
      const shuffled = blocks
        .map((each) => ({ each, key: bits() }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ each }) => each);
      const [one, other] = [new DagLayout(), new DagLayout()];
      one.add(blocks);
      other.add(shuffled);
      expect([...other.all()]).toEqual([...one.all()]);
    });
    fc.assert(property, { seed: SEED, numRuns: 60 });
  });
});

function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("there is one");
  return value;
}
