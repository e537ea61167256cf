/** Test fixtures: chain rows of made-up branches. A branch is named by a letter, a row by its index. */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asTimestampMs,
  asTxId,
  type BlockHash,
} from "@svc/shared/base/brand.ts";
import type { ChainFacts } from "@svc/shared/protocol/facts/chainFacts.ts";

/** The hash of a block of a branch. */
export function hashOf(branch: string, index: number): BlockHash {
  return asBlockHash(branch.repeat(8) + index.toString(16).padStart(56, "0"));
}

/** A row of a branch that leaves branch "a" after block `fork`. */
export function rowOf(index: number, branch = "a", fork = 0): ChainFacts {
  const parent = index - 1 < fork ? "a" : branch;
  return {
    hash: hashOf(branch, index),
    index: asChainIndex(BigInt(index)),
    blueScore: asBlueScore(BigInt(index)),
    daaScore: asDaaScore(BigInt(index)),
    timestamp: asTimestampMs(0n),
    selectedParent: hashOf(parent, index - 1),
    coinbaseTxid: asTxId("00".repeat(32)),
    coinbase: [],
    merged: [],
    applied: [],
    dropped: [],
  };
}

/** Rows from one index down to another. */
export function chainOf(from: number, to: number, branch = "a", fork = 0): readonly ChainFacts[] {
  return Array.from({ length: from - to + 1 }, (_, offset) => rowOf(from - offset, branch, fork));
}
