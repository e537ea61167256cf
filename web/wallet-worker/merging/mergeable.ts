/** The open wallet as the background merges see it: when its owner allows one, and what makes it. */
import type { WalletSession } from "../walletSession.ts";
import type { Mergeable } from "./noteMerger.ts";

/** What decides whether a merge may be tried. */
export type MergeWish = {
  readonly kept: {
    readonly flags: { readonly mergesNotes: boolean };
    readonly watchOnly: boolean;
  };
  readonly send: { readonly isRunning: boolean };
};

/** Allowed by the owner of a wallet with a seed that has caught up, while nothing is paid. */
export function mergeable(
  session: Pick<WalletSession, "loopFacts" | "mergeNotes">,
  { kept, send }: MergeWish,
): Mergeable {
  return {
    isAllowed: () =>
      kept.flags.mergesNotes && !kept.watchOnly && !send.isRunning && session.loopFacts.everSynced,
    merge: (signal) => session.mergeNotes(crypto.randomUUID(), signal),
  };
}
