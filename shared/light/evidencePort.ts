/** Interface of whoever serves evidence: a node, asked over any protocol (docs/light-client.md). What comes is a claim until it is judged. */
import type { BlockHash } from "../base/brand.ts";
import type { EvidenceTipFacts } from "../protocol/facts/evidenceFacts.ts";

/** How an opening shows the spent nullifiers: their digest, or their whole product (384 bytes). */
export type NullifierPart = "digest" | "product";

/**
 * The pieces of evidence by the blocks that they are about. Each call rejects with the node's own code, `chain/unknown-block` and
 * `chain/pruned` among them, or with `wallet/node-unreachable`.
 */
export interface EvidencePort {
  /** The opening of the state after a block, in the block above it. */
  opening(of: BlockHash, part: NullifierPart, signal: AbortSignal): Promise<Uint8Array>;
  /** The path of the block `of` in the anchor log after the block `at`. */
  membership(of: BlockHash, at: BlockHash, signal: AbortSignal): Promise<Uint8Array>;
  /** The headers from a block to a later one that show the work between them. */
  run(from: BlockHash, to: BlockHash, signal: AbortSignal): Promise<Uint8Array>;
}

/** A node that also says which blocks to name: evidence of a tip can be asked of it by who follows nothing of the chain. */
export interface TipPort extends EvidencePort {
  /** The blocks that prove a state at least so many blue scores below the sink, by the node's word. */
  evidenceTip(depth: bigint, signal: AbortSignal): Promise<EvidenceTipFacts>;
}

/** Evidence of a tip: the opening of a state, and the run of work above it. */
export type TipEvidence = {
  readonly opening: Uint8Array;
  readonly run: Uint8Array;
};

/** Evidence of an older block's state: membership of the block above it, and the opening. */
export type MemberEvidence = {
  readonly membership: Uint8Array;
  readonly opening: Uint8Array;
};
