import { describe, expect, it } from "vitest";
import { DagLayout } from "@svc/shared/explorer/dag/dagLayout.ts";
import type { DagBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import {
  cellAt,
  columnX,
  draggedView,
  FIRST_VIEW,
  movedView,
  rowY,
  seenColumns,
  shownColumn,
  zoomedView,
} from "./dagView.ts";

const VIEW = { ...FIRST_VIEW, width: 1_000, height: 400, centre: 50 };
const STILL = { elapsedMs: 0, isStill: true };

/** A chain of so many blocks, with so many parallel ones beside the last. */
function layout(blocks: number, beside: number): DagLayout {
  const made = new DagLayout();
  const block = (hash: string, parent: string, blueScore: number): DagBlock => ({
    hash,
    parents: [parent],
    color: "blue",
    isChainBlock: hash.startsWith("c"),
    mergedBy: null,
    blueScore,
    daaScore: blueScore,
    timestamp: 0,
    txCount: 1,
    work: "native",
  });
  made.add(Array.from({ length: blocks }, (_, at) => block(`c${at}`, `c${at - 1}`, at)));
  const last = `c${blocks - 2}`;
  made.add(Array.from({ length: beside }, (_, at) => block(`w${at}`, last, blocks - 1)));
  return made;
}

describe("a view", () => {
  it("finds the cell under a point", () => {
    for (const [column, row] of [
      [50, 0],
      [43, -3],
      [58, 4],
    ] as const) {
      expect(cellAt(VIEW, columnX(VIEW, column) - 5, rowY(VIEW, row) + 5)).toEqual([column, row]);
    }
  });

  it("keeps the newest block in sight while it follows, and stays where it was dragged to", () => {
    const graph = layout(100, 0);
    const followed = movedView(VIEW, graph, STILL);
    expect(columnX(followed, 99)).toBeCloseTo(930);
    const dragged = draggedView(followed, 300, graph);
    expect(columnX(dragged, 99)).toBeCloseTo(1_230);
    expect(movedView(dragged, graph, STILL).centre).toBe(dragged.centre);
    expect(draggedView(followed, 1e9, graph).centre).toBe(-1);
  });

  it("comes to rest", () => {
    const graph = layout(100, 0);
    let view = { ...VIEW, centre: 90 };
    for (let frame = 0; frame < 200; frame += 1) {
      view = movedView(view, graph, { elapsedMs: 16, isStill: false });
    }
    expect(movedView(view, graph, { elapsedMs: 16, isStill: false })).toBe(view);
  });

  it("zooms around the pointer, within bounds", () => {
    const column = cellAt(VIEW, 800, 200)[0];
    const closer = zoomedView(VIEW, 1.5, columnX(VIEW, column));
    expect(columnX(closer, column)).toBeCloseTo(columnX(VIEW, column));
    expect(zoomedView(VIEW, 1e9).zoom).toBe(2.5);
    expect(zoomedView(VIEW, 1e-9).zoom).toBe(0.3);
  });

  it("moves to a block only as far as it must", () => {
    expect(shownColumn(VIEW, 52)).toBe(VIEW);
    const shown = shownColumn(VIEW, 80);
    expect(columnX(shown, 80)).toBeCloseTo(930);
    expect(shown.isFollowing).toBe(false);
  });

  it("brings rows closer together while a wide group is seen", () => {
    const narrow = movedView(VIEW, layout(100, 0), STILL);
    const wide = movedView(VIEW, layout(100, 20), STILL);
    expect(wide.rowStep).toBeLessThan(narrow.rowStep);
    expect(rowY(wide, 10)).toBeLessThan(VIEW.height);
    expect(rowY(wide, -10)).toBeGreaterThan(0);
  });

  it("sees no column that the layout does not have", () => {
    expect(seenColumns(VIEW, layout(55, 0))).toEqual([38, 54]);
    expect(seenColumns({ ...VIEW, centre: 2 }, layout(5, 0))).toEqual([0, 4]);
  });
});
