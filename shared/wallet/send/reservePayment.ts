/** Reserves the notes of planned payments: what keeps a wallet from paying, and the change that gives a payment its notes. */
import { asAnchor, type Anchor, type Sompi, type TimestampMs } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import type { PlannedPayment } from "../plan/planner.ts";
import { addPayment, reduceOutbox } from "../reduce/outbox.ts";
import type { NoteTree } from "../state/noteTree.ts";
import { draftPayment } from "../state/payment.ts";
import type { NodeTip } from "../state/ports.ts";
import type { WalletHandle } from "../state/walletHandle.ts";
import { cursorOf, type WalletState } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** A payment that gets its notes. */
export type PaymentToReserve = {
  /** Unique in the wallet. */
  readonly id: string;
  readonly nowMs: TimestampMs;
  readonly planned: PlannedPayment;
  /** `rootOf` its anchor. */
  readonly root: Anchor;
};

/** The root that a planned payment proves against, in the tree of the state. Throws `shielded/bad-position` when it does not reach that far. */
export function rootOf({ anchor }: Pick<PlannedPayment, "anchor">, tree: NoteTree): Anchor {
  return asAnchor(encodeHex(tree.root(anchor.leafEnd)));
}

/**
 * The node's tip, when a wallet may pay now. Throws its fault, `wallet/not-synced`, and `wallet/false-record`: of records that
 * contradict themselves nobody knows which is false, and the notes may be, too (decision 23).
 */
export function tipToPayAt(wallet: Pick<WalletHandle, "tip" | "fault" | "state">): NodeTip {
  const { tip, fault } = wallet;
  if (fault !== null) throw fault;
  if (tip === null) throw new SvcError("wallet/not-synced", { behind: "some" });
  const { state } = wallet;
  const behind = tip.sinkBlueScore - cursorOf(state).blueScore;
  if (behind > WALLET_LIMITS.walletSyncedWithin)
    throw new SvcError("wallet/not-synced", { behind });
  const { contradiction } = state;
  if (contradiction === null) return tip;
  const { chainIndex, reason } = contradiction;
  throw new SvcError("wallet/false-record", { index: chainIndex, reason });
}

/** Checks a fee against the most that its owner allows; null allows any. Throws `wallet/fee-too-high`. */
export function checkFee(fee: Sompi, max: Sompi | null): void {
  if (max === null || fee <= max) return;
  throw new SvcError("wallet/fee-too-high", { fee: formatCoins(fee), max: formatCoins(max) });
}

/** The state with a planned payment that holds its notes. */
export function reserved(
  state: WalletState,
  { id, nowMs, planned, root }: PaymentToReserve,
): WalletState {
  const { payees, fee, change, anchor, notes } = planned;
  const { hash, blueScore } = anchor;
  const plan = {
    fee,
    change,
    anchor: { hash, blueScore, root },
    reserved: notes.map(({ position, nullifier, value }) => ({ position, nullifier, value })),
  };
  const draft = draftPayment(id, nowMs, payees);
  return reduceOutbox(addPayment(state, draft), id, { type: "plan", plan });
}
