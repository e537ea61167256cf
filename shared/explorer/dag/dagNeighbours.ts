/** Keyboard walk through the drawn DAG: the block beside a block, along the chain and between parallel blocks. */
import type { PlacedBlock } from "./dagBlock.ts";
import type { DagLayout } from "./dagLayout.ts";

/** Where to go: to a parent, to a child, or to the parallel block above or below; the ends are those of the window. */
export type DagStep = "parent" | "child" | "above" | "below" | "oldest" | "newest";

/** The block that a step leads to; the same block where there is none. Null in an empty layout. */
export function stepFrom(
  layout: DagLayout,
  from: PlacedBlock | null,
  step: DagStep,
): PlacedBlock | null {
  const at = from === null ? undefined : layout.get(from.block.hash);
  if (at === undefined || step === "newest")
    return layout.tip ?? middleOf(layout.column(layout.lastColumn));
  switch (step) {
    case "oldest":
      return middleOf(layout.column(layout.firstColumn)) ?? at;
    case "parent":
      return chainFirst(layout.parentsOf(at)) ?? at;
    case "child":
      return childOf(layout, at) ?? at;
    case "above":
    case "below":
      return parallelTo(layout, at, step === "above" ? -1 : 1) ?? at;
  }
}

function parallelTo(layout: DagLayout, at: PlacedBlock, side: 1 | -1): PlacedBlock | null {
  const beyond = layout
    .column(at.column)
    .filter(({ row }) => (row - at.row) * side > 0)
    .toSorted((a, b) => (a.row - b.row) * side);
  return beyond[0] ?? null;
}

/** The child on the chain if there is one, however far; else the nearest one. */
function childOf(layout: DagLayout, at: PlacedBlock): PlacedBlock | null {
  let nearest: PlacedBlock | null = null;
  for (let column = at.column + 1; column <= layout.lastColumn; column += 1) {
    const children = layout
      .column(column)
      .filter(({ block }) => block.parents.includes(at.block.hash));
    const onChain = children.find(({ block }) => block.isChainBlock);
    if (onChain !== undefined) return onChain;
    nearest ??= middleOf(children);
  }
  return nearest;
}

function chainFirst(blocks: readonly PlacedBlock[]): PlacedBlock | null {
  return blocks.find(({ block }) => block.isChainBlock) ?? middleOf(blocks);
}

function middleOf(blocks: readonly PlacedBlock[]): PlacedBlock | null {
  const [first] = blocks.toSorted((a, b) => Math.abs(a.row) - Math.abs(b.row));
  return first ?? null;
}
