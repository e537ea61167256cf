/**
 * Proved states of one chain and the work that was recomputed above each: what decides how deep a payment is where a node is not believed
 * (docs/design/light-client.md).
 */
import type { BlueScore } from "../base/brand.ts";

/** A state that was proved. */
export type LadderStep = {
  /** Blue score of its block: it covers all payments up to there. */
  readonly blueScore: BlueScore;
  /** Work above it, in blocks of the whole network. */
  readonly above: bigint;
};

/** The states, lowest first. */
export type WorkLadder = {
  /** Payments up to this blue score were found by a program that asked for no evidence: their depth alone decides. Null for none. */
  readonly believedTo: BlueScore | null;
  readonly steps: readonly LadderStep[];
};

/** Where a chain stands, for whoever asks how deep a payment is. */
export type ChainDepth = {
  /** Blue score of the tip: of the last header that was judged, or as a node says where it is believed. Null for none. */
  readonly tip: BlueScore | null;
  /** What was proved; null where the node is believed. */
  readonly ladder: WorkLadder | null;
};

/** Work of a network that asks for none: any depth, since none of it proves more than another. */
export const NO_WORK_ABOVE = 2n ** 64n - 1n;

/** Blue score up to which all payments have so much work above them; null for none. */
export function provedUpTo({ steps }: WorkLadder, blocks: bigint): BlueScore | null {
  return steps.findLast(({ above }) => above >= blocks)?.blueScore ?? null;
}

/** Whether a payment of a block with this blue score has so much work above it. */
export function isProved(ladder: WorkLadder, blueScore: BlueScore, blocks: bigint): boolean {
  const { believedTo } = ladder;
  if (believedTo !== null && blueScore <= believedTo) return true;
  const upTo = provedUpTo(ladder, blocks);
  return upTo !== null && blueScore <= upTo;
}
