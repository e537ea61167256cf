/** Which way of catching up a peer's chain calls for (specification network 1.8 B, decision record 19). */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** Where a peer's chain meets ours. */
export type SyncFacts = {
  /** Highest block of the peer's chain whose header is here. */
  readonly known: BlockHash | null;
  /** Whether our pruning point is that block or an ancestor of it on its chain; of no meaning where none is known. */
  readonly isOwnPointBelow: boolean;
  /** The peer's pruning point is one of our last ones, or its body is here. */
  readonly isPeerPointKept: boolean;
  /** This node has followed a chain for longer than a finality depth takes, and still does: nobody needs to begin it anew. */
  readonly isSettled: boolean;
  /** Of the block that the peer announced: blue score and work above those of our best header. */
  readonly isWellAhead: boolean;
};

/**
 * `blocks`: headers and bodies from what is known upwards. `point`: start anew from the peer's pruning point. Throws
 * `sync/finality-conflict` when our pruning point is not on the peer's chain, `sync/not-ahead` when a proof would have to be
 * fetched and the peer does not even claim enough work for it, or this node needs none.
 */
export function chooseSync(facts: SyncFacts): "blocks" | "point" {
  if (facts.known !== null) {
    if (!facts.isOwnPointBelow) throw new SvcError("sync/finality-conflict", {});
    if (facts.isPeerPointKept) return "blocks";
  }
  if (!facts.isWellAhead || facts.isSettled) throw new SvcError("sync/not-ahead", {});
  return "point";
}
