/** The drawn DAG in words, for who does not see the drawing. */
import type { PlacedBlock } from "@svc/shared/explorer/dag/dagBlock.ts";
import type { DagLayout } from "@svc/shared/explorer/dag/dagLayout.ts";
import { mergesetOf } from "@svc/shared/explorer/dag/mergesets.ts";
import type { DagSession } from "./dagSession.ts";
import type { DagTexts } from "./dagTexts.ts";

/** Digits of a hash that are said. */
const SAID_DIGITS = 8;

/** How the graph stands. */
export function describeGraph(
  { layout, status }: DagSession,
  texts: DagTexts,
  numbers: Intl.NumberFormat,
): string {
  const { tip } = layout;
  if (tip === null) return texts.nothing;
  let reds = 0;
  for (const { block } of layout.all()) if (block.color === "red") reds += 1;
  const say = (count: number): string => numbers.format(count);
  const summary = texts.summary(say(layout.size), say(reds), say(tip.block.blueScore));
  return status.leftChain > 0 ? `${summary} ${texts.left(say(status.leftChain))}` : summary;
}

/** What a block is. */
export function kindText({ block }: PlacedBlock, texts: DagTexts): string {
  if (block.isChainBlock) return texts.chainBlock;
  return { blue: texts.blueBlock, red: texts.redBlock, none: texts.noneBlock }[block.color];
}

/** A block, and how large the mergeset is that it stands in. */
export function describeBlock(
  placed: PlacedBlock,
  layout: DagLayout,
  { texts, numbers }: { readonly texts: DagTexts; readonly numbers: Intl.NumberFormat },
): string {
  const { hash, blueScore, txCount, work } = placed.block;
  const kind = kindText(placed, texts);
  const say = (count: number): string => numbers.format(count);
  const parts = [
    texts.block(kind, hash.slice(0, SAID_DIGITS), say(blueScore), say(txCount)),
    ...(work === "merge-mined" ? [texts.mergeMined] : []),
  ];
  const merged = mergesetOf(layout, hash)?.merged.length ?? 0;
  if (merged > 0) parts.push(texts.merges(say(merged)));
  return parts.join(", ");
}
