/** Mergesets of the drawn DAG: which blocks a chain block merged, as documents say it, else by the edges in the window. */
import type { PlacedBlock } from "./dagBlock.ts";
import type { DagLayout } from "./dagLayout.ts";

/**
 * The block that merged each block beside the chain, by hash. A chain block merges what its parents lead to and no chain block
 * below it merged. At the left end of the window, where older blocks are missing, this may name too many.
 */
export function mergedBy(layout: DagLayout): ReadonlyMap<string, PlacedBlock> {
  const chain = [...layout.all()]
    .filter(({ block }) => block.isChainBlock)
    .toSorted((a, b) => a.block.blueScore - b.block.blueScore);
  const merged = new Map<string, PlacedBlock>();
  for (const { block } of layout.all()) {
    const merger = block.mergedBy === null ? undefined : layout.get(block.mergedBy);
    if (merger !== undefined && !block.isChainBlock) merged.set(block.hash, merger);
  }
  const seen = new Set<string>();
  for (const merger of chain) {
    const stack = [merger];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      for (const parent of layout.parentsOf(at)) {
        if (parent.block.isChainBlock || seen.has(parent.block.hash)) continue;
        seen.add(parent.block.hash);
        if (!merged.has(parent.block.hash)) merged.set(parent.block.hash, merger);
        stack.push(parent);
      }
    }
  }
  return merged;
}

/** A chain block and what it merged. */
export type Mergeset = { readonly merger: PlacedBlock; readonly merged: readonly PlacedBlock[] };

/** The mergeset that a block belongs to: its own if it is of the chain. Null for a block that nothing has merged yet. */
export function mergesetOf(layout: DagLayout, hash: string): Mergeset | null {
  const placed = layout.get(hash);
  if (placed === undefined) return null;
  const owners = mergedBy(layout);
  const merger = placed.block.isChainBlock ? placed : owners.get(hash);
  if (merger === undefined) return null;
  const merged = [...owners].flatMap(([of, by]) => (by === merger ? (layout.get(of) ?? []) : []));
  return { merger, merged };
}
