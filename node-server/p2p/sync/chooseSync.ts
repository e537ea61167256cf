/**
 * Chooses how to catch up with a peer's chain: by its blocks, or by a new start at its pruning point (specification network 1.8
 * B, decision record 19).
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { TipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";

/** What the choice depends on: where a peer's chain meets this node's, and how far each reaches. */
export type SyncFacts = {
  /** Highest block of the peer's chain whose header is here. */
  readonly known: BlockHash | null;
  /** Whether our pruning point is that block or an ancestor of it on its chain; of no meaning where none is known. */
  readonly isOwnPointBelow: boolean;
  /** The peer's pruning point is one of our last ones, or its body is here. */
  readonly isPeerPointKept: boolean;
  /** This node has followed a chain for longer than a finality depth takes, and still does: nobody needs to begin it anew. */
  readonly isSettled: boolean;
  /** What `isWellAhead` says of the block that the peer announced. */
  readonly isWellAhead: boolean;
  /** This store began at a pruning point that the network has not gone on from, and the peer claims more work. */
  readonly isOutworkedBeginning: boolean;
  /** The heaviest chain is refused here, soon above the pruning point that this store began at. */
  readonly isDoubted: boolean;
};

/** Blue score and blue work that a block claims. */
export type ChainClaim = { readonly blueScore: bigint; readonly blueWork: bigint };

/** The part of the node's own tip that a claim is compared with. */
export type OwnReach = Pick<
  TipFacts,
  "sinkBlueScore" | "sinkBlueWork" | "headersBlueScore" | "headersBlueWork"
>;

/**
 * Whether a block claims more work than ours, and so much blue score that its pruning point may lie above what is here. Where
 * the chains meet, what counts is how far bodies are here: headers ahead of them may be the peer's own, and its pruning point
 * one of them whose body, and those below, nobody has any more.
 */
export function isWellAhead(
  claim: ChainClaim,
  own: OwnReach,
  { isKnown, pruningDepth }: { readonly isKnown: boolean; readonly pruningDepth: bigint },
): boolean {
  const score = isKnown ? own.sinkBlueScore : own.headersBlueScore;
  const work = isKnown ? own.sinkBlueWork : own.headersBlueWork;
  return claim.blueScore >= score + pruningDepth && claim.blueWork > BigInt(`0x${work}`);
}

/**
 * Chooses the way to catch up. `blocks`: headers and bodies from what is known upwards. `point`: start anew from the peer's
 * pruning point, also where the point that this store began at is one peer's word against the work of another (decision record
 * 28). Throws `sync/finality-conflict` when our pruning point is not on the peer's chain, `sync/not-ahead` when a proof would
 * have to be fetched and the peer does not even claim enough work for it, or this node needs none.
 */
export function chooseSync(facts: SyncFacts): "blocks" | "point" {
  if (facts.isDoubted) return "point";
  if (facts.known !== null) {
    if (!facts.isOwnPointBelow) {
      if (facts.isOutworkedBeginning) return "point";
      throw new SvcError("sync/finality-conflict", {});
    }
    if (facts.isPeerPointKept) return "blocks";
  }
  if (!facts.isWellAhead || facts.isSettled) throw new SvcError("sync/not-ahead", {});
  return "point";
}
