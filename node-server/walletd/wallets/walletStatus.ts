/**
 * Read model of an open wallet's status. What a caller may conclude is said by booleans that come from the same place as the
 * refusals: `spendReady` is what sending asks, so the one never says yes where the other says no.
 */
import type { DaaScore } from "@svc/shared/base/brand.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { balances, type Balances } from "@svc/shared/wallet/plan/balances.ts";
import { spendability } from "@svc/shared/wallet/plan/spendability.ts";
import type { IncomingPayment } from "@svc/shared/wallet/reduce/incoming.ts";
import type { NodeTip } from "@svc/shared/wallet/state/ports.ts";
import { cursorOf, type WalletState } from "@svc/shared/wallet/state/walletState.ts";
import type { WalletPolicy } from "@svc/shared/wallet/state/walletPolicy.ts";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";

/** What the status of a wallet follows from. */
export type OpenWalletFacts = {
  readonly state: WalletState;
  /** Scanned for by the lane at the tip. */
  readonly isAtTip: boolean;
  /** The shared tree reaches back to its birthday. */
  readonly hasTree: boolean;
  /** What stands in the way of a payment; null for nothing. */
  readonly fault: SvcError | null;
  readonly incoming: readonly IncomingPayment[];
};

/** The status of an open wallet. */
export type OpenWalletStatus = {
  readonly balances: Balances;
  readonly notes: number;
  /** DAA score of the last scanned block. */
  readonly scanned: DaaScore;
  /** DAA score that the chain has beyond it. */
  readonly behind: bigint;
  /** All of the chain is scanned. */
  readonly synced: boolean;
  /** The chain is scanned, and the tree for its notes still being made. */
  readonly warming: boolean;
  /** A payment may be made now. */
  readonly spendReady: boolean;
  /** The node's history began after the birthday: amounts are at least these. */
  readonly missingHistory: boolean;
};

/** Computes the status. `tip` is what the node last said; null before it has answered. */
export function openWalletStatus(
  { state, isAtTip, hasTree, fault, incoming }: OpenWalletFacts,
  policy: WalletPolicy,
  tip: NodeTip | null,
): OpenWalletStatus {
  const view = spendability(state, policy);
  const cursor = cursorOf(state);
  const behind =
    tip === null || tip.daaScore < cursor.daaScore ? 0n : tip.daaScore - cursor.daaScore;
  const isNear =
    tip !== null && tip.sinkBlueScore - cursor.blueScore <= WALLET_LIMITS.walletSyncedWithin;
  const synced = isAtTip && isNear;
  const isFree = fault === null && state.contradiction === null;
  return {
    balances: balances(state, view, incoming),
    notes: view.notes.length,
    scanned: cursor.daaScore,
    behind,
    synced,
    warming: synced && !hasTree,
    spendReady: synced && hasTree && isFree && view.limit !== null,
    missingHistory: state.account.historyMissing,
  };
}
