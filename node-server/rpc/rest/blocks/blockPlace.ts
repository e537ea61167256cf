/** Where the selected chain puts a block: its colour, and the chain block that merged it. */
import type { BlockHash, BlueScore, ChainIndex } from "@svc/shared/base/brand.ts";
import type { BlockFacts } from "@svc/shared/protocol/facts/blockFacts.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { askFacts, type QuestionSource } from "../../../engine/calls/askFacts.ts";

/** What the chain says of a block. */
export type BlockPlace = {
  /** A block of the chain is blue; one that no chain block has merged has no colour. */
  readonly color: "blue" | "red" | "none";
  /** The chain block whose mergeset it is in; of a chain block itself. */
  readonly mergedBy: BlockHash | null;
  /** Blue score of that chain block: as deep as it lies, the place is settled. */
  readonly mergedAt: BlueScore | null;
};

const NOWHERE: BlockPlace = { color: "none", mergedBy: null, mergedAt: null };

/** Who is asked, and how far the chain is. */
export type ChainView = {
  readonly node: QuestionSource;
  readonly tip: Pick<TipFacts, "sink" | "chainIndex" | "pruningPoint">;
  readonly signal: AbortSignal;
};

/**
 * Finds the place of a block, in some questions for each doubling of its depth. Where the chain moves meanwhile, a block may have
 * none for the moment. Rejects as a question does.
 */
export async function blockPlace(
  { hash, isChainBlock, blueScore }: Pick<BlockFacts, "hash" | "isChainBlock" | "blueScore">,
  view: ChainView,
): Promise<BlockPlace> {
  if (isChainBlock) return { color: "blue", mergedBy: hash, mergedAt: blueScore };
  const merging = await firstAbove(hash, view);
  if (merging === null) return NOWHERE;
  const facts = await askFacts(view.node, "blockFacts", [merging], view.signal);
  if (facts === undefined) return NOWHERE;
  const place = { mergedBy: merging, mergedAt: facts.blueScore };
  if (facts.blues.includes(hash)) return { color: "blue", ...place };
  return facts.reds.includes(hash) ? { color: "red", ...place } : NOWHERE;
}

/** The lowest block of the chain that has this one in its past; null where the sink has not. */
async function firstAbove(hash: BlockHash, view: ChainView): Promise<BlockHash | null> {
  const { node, tip, signal } = view;
  if (!(await isAbove(hash, tip.sink, view))) return null;
  const lowest = (await node.ask("chainIndexOf", [tip.pruningPoint], signal)) ?? 0n;
  let above: { readonly index: bigint; readonly hash: BlockHash } = {
    index: tip.chainIndex,
    hash: tip.sink,
  };
  // Most blocks that are asked about lie near the sink: the steps down double, then the search halves.
  let below = lowest - 1n;
  for (let step = 1n; above.index - step > below; step *= 2n) {
    const found = await chainBlockAt(above.index - step, view);
    if (found === null) return null;
    if (!(await isAbove(hash, found, view))) {
      below = above.index - step;
      break;
    }
    above = { index: above.index - step, hash: found };
  }
  while (above.index - below > 1n) {
    const index = (above.index + below) / 2n;
    const found = await chainBlockAt(index, view);
    if (found === null) return null;
    if (await isAbove(hash, found, view)) above = { index, hash: found };
    else below = index;
  }
  return above.hash;
}

async function isAbove(hash: BlockHash, chainBlock: BlockHash, view: ChainView): Promise<boolean> {
  return (await view.node.ask("ancestry", [hash, chainBlock], view.signal)) !== "none";
}

async function chainBlockAt(
  index: bigint | ChainIndex,
  { node, signal }: ChainView,
): Promise<BlockHash | null> {
  return (await askFacts(node, "chainHashAt", [index], signal)) ?? null;
}
