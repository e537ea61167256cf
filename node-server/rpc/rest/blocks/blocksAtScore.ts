/** Blocks with a score, without an index: those of the mergesets of the chain blocks from this score on. */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import { askFacts } from "../../../engine/calls/askFacts.ts";
import { RPC_LIMITS } from "../../rpcLimits.ts";
import type { BlockPlace, ChainView } from "./blockPlace.ts";

/** A score, and which of the two it is. */
export type Score = { readonly kind: "daaScore" | "blueScore"; readonly value: bigint };

/** A block, and what the chain says of it. */
export type PlacedBlock = { readonly facts: BlockFacts; readonly place: BlockPlace };

/**
 * Finds them: the chain block with the score first, then what was merged within `restScoreChainBlocks` chain blocks. Null for a
 * score below the pruning point, where the node no longer knows. Rejects as a question does.
 */
export async function blocksAtScore(
  score: Score,
  view: ChainView,
): Promise<readonly PlacedBlock[] | null> {
  const lowest = (await view.node.ask("chainIndexOf", [view.tip.pruningPoint], view.signal)) ?? 0n;
  const bottom = await chainBlockAt(lowest, view);
  if (bottom === null || bottom[score.kind] > score.value) return null;
  const first = await firstFrom(score, lowest, view);
  const placed = new Map<BlockHash, PlacedBlock>();
  for (let step = 0n; step < RPC_LIMITS.restScoreChainBlocks; step += 1n) {
    const block = await chainBlockAt(first + step, view);
    if (block === null) break;
    const merged = { mergedBy: block.hash, mergedAt: block.blueScore };
    add(placed, score, block, { color: "blue", ...merged });
    for (const color of ["blue", "red"] as const) {
      for (const hash of color === "blue" ? block.blues : block.reds) {
        if (hash === block.selectedParent) continue;
        const facts = await askFacts(view.node, "blockFacts", [hash], view.signal);
        if (facts !== undefined) add(placed, score, facts, { color, ...merged });
      }
    }
  }
  return [...placed.values()];
}

/** Index of the lowest chain block with at least this score; one above the sink where there is none. */
async function firstFrom(score: Score, lowest: bigint, view: ChainView): Promise<bigint> {
  let [low, high] = [lowest, view.tip.chainIndex + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    const block = await chainBlockAt(middle, view);
    if (block !== null && block[score.kind] < score.value) low = middle + 1n;
    else high = middle;
  }
  return low;
}

function add(
  placed: Map<BlockHash, PlacedBlock>,
  { kind, value }: Score,
  facts: BlockFacts,
  place: BlockPlace,
): void {
  if (facts[kind] === value) placed.set(facts.hash, { facts, place });
}

async function chainBlockAt(
  index: bigint,
  { node, signal }: ChainView,
): Promise<BlockFacts | null> {
  const hash = await askFacts(node, "chainHashAt", [index], signal);
  if (hash === undefined) return null;
  return (await askFacts(node, "blockFacts", [hash], signal)) ?? null;
}
