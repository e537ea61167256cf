/**
 * Read model of the wallet's status, by one pure function (specification wallet 15).
 *
 * A number found half-way through a scan is never shown as the balance: `final` says when the scan has reached the end of the
 * chain as the node tells it. That is one node's word; nothing here says that it is true.
 */
import type { ChainIndex, DaaScore } from "../../base/brand.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { ErrorJson } from "../../base/svcError.ts";

/** What the wallet is doing. */
export type WalletPhase =
  | "locked"
  | "opening"
  | "offline"
  | "scanning"
  | "catching-up"
  | "ready"
  | "degraded";

/** Input of the status. */
export type StatusFacts = {
  readonly unlocked: boolean;
  /** The stored state has been read. */
  readonly opened: boolean;
  /** Requests to the node that failed one after another. */
  readonly failures: number;
  /** A fault that another try does not mend: a wrong network, a node that contradicts itself. */
  readonly problem: ErrorJson | null;
  /** The chain block the wallet was made at. */
  readonly birthdayIndex: ChainIndex;
  readonly cursorIndex: ChainIndex;
  /** The node's last chain block; null before it has answered. */
  readonly tipIndex: ChainIndex | null;
  /** The wallet has been at the tip before. */
  readonly everSynced: boolean;
  /** The scan began after the wallet's birthday, because the node's history did. */
  readonly historyMissing: boolean;
  /** What the node last said of its history, and the birthday beside it; null before it has answered. */
  readonly history: NodeHistory | null;
};

/** The start of a node's records, and the wallet's birthday: DAA scores. */
export type NodeHistory = {
  readonly complete: boolean;
  readonly from: DaaScore;
  readonly birthday: DaaScore;
};

/** The phase, and what may be concluded from it. */
export type WalletStatus = {
  readonly phase: WalletPhase;
  /** The scan has reached the end of the chain that the node tells of: the sum is no running count. */
  readonly final: boolean;
  /** Notes may be missing, since the node's history begins after the birthday: say "at least" (specification wallet 6.6). */
  readonly atLeast: boolean;
  /** A payment may be planned now. */
  readonly canSpend: boolean;
  /** Chain blocks to scan. */
  readonly behind: bigint;
  /** Tenths of a percent, floored, at most 999 while work remains; 1000 when done. */
  readonly permille: number;
};

/** Computes the status. The first rule that fits decides. */
export function walletStatus(facts: StatusFacts): WalletStatus {
  const { cursorIndex, tipIndex } = facts;
  const behind = tipIndex === null || tipIndex < cursorIndex ? 0n : tipIndex - cursorIndex;
  const synced = tipIndex !== null && behind <= WALLET_LIMITS.walletSyncedWithin;
  const phase = phaseOf(facts, synced);
  return {
    phase,
    final: phase === "ready" || (facts.everSynced && phase !== "opening" && phase !== "locked"),
    atLeast: facts.historyMissing || (!facts.everSynced && beginsLate(facts.history)),
    canSpend: phase === "ready",
    behind,
    permille: permilleOf(facts, behind),
  };
}

/** A scan from this birthday cannot be whole with this node. */
function beginsLate(history: NodeHistory | null): boolean {
  return history !== null && !history.complete && history.from > history.birthday;
}

function phaseOf(facts: StatusFacts, synced: boolean): WalletPhase {
  if (!facts.unlocked) return "locked";
  if (!facts.opened) return "opening";
  if (facts.problem !== null) return "degraded";
  if (facts.failures >= WALLET_LIMITS.walletOfflineAfter) return "offline";
  if (facts.tipIndex === null) return "opening";
  if (synced) return "ready";
  return facts.everSynced ? "catching-up" : "scanning";
}

function permilleOf(facts: StatusFacts, behind: bigint): number {
  if (facts.tipIndex === null) return 0;
  if (behind === 0n) return 1_000;
  const whole = facts.tipIndex - facts.birthdayIndex;
  if (whole <= 0n) return 0;
  const done = ((whole - behind) * 1_000n) / whole;
  return Math.max(0, Math.min(999, Number(done)));
}
