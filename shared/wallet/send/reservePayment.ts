/** Reserves the notes of planned payments: what keeps a wallet from paying, the change that gives payments their notes, and their proofs' input. */
import { asAnchor, type Anchor, type Sompi, type TimestampMs } from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { makeProvePlan, type PlanContext } from "../plan/makeProvePlan.ts";
import type { PlannedPayment } from "../plan/planner.ts";
import { addPayment, reduceOutbox } from "../reduce/outbox.ts";
import type { NoteTree } from "../state/noteTree.ts";
import { draftPayment } from "../state/payment.ts";
import type { NodeTip } from "../state/ports.ts";
import type { ProvePlan } from "../state/provePlan.ts";
import type { WalletHandle } from "../state/walletHandle.ts";
import { cursorOf, type WalletState } from "../state/walletState.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** A planned payment, its id, unique in the wallet, and the root that it is reserved with: `rootOf` its anchor. */
export type NumberedPayment = {
  readonly id: string;
  readonly planned: PlannedPayment;
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

/** What payments are reserved in: a state, the tree under it, and the time. */
export type ReservePlace = {
  readonly state: WalletState;
  readonly tree: NoteTree;
  readonly nowMs: TimestampMs;
};

/** The state with planned payments that hold their notes. `idOf` names them by their place. Throws like `rootOf`. */
export function reserveAll(
  { state, tree, nowMs }: ReservePlace,
  planned: readonly PlannedPayment[],
  idOf: (place: number) => string,
): { readonly state: WalletState; readonly payments: readonly NumberedPayment[] } {
  // All payments of a plan have one anchor.
  const roots = new Map<bigint, Anchor>();
  const payments = planned.map((one, place) => {
    const { leafEnd } = one.anchor;
    const root = roots.get(leafEnd) ?? rootOf(one, tree);
    roots.set(leafEnd, root);
    return { id: idOf(place), planned: one, root };
  });
  const next = payments.reduce((before, one) => reserved(before, { ...one, nowMs }), state);
  return { state: next, payments };
}

/** The keys and wishes that go into the prover's input. */
export type PlanKeys = Pick<PlanContext, "profile" | "fvk" | "recoverable">;

/**
 * The prover's input of a reserved payment when its turn has come: the paths of many would take long at once. Throws as
 * `tipToPayAt` does, and `wallet/tree-mismatch` when blocks below the anchor were undone meanwhile.
 */
export function planAtTurn(
  keys: PlanKeys,
  wallet: Pick<WalletHandle, "tip" | "fault" | "state" | "tree">,
  { planned, root }: Pick<NumberedPayment, "planned" | "root">,
): ProvePlan {
  const { daaScore } = tipToPayAt(wallet);
  const { profile, fvk, recoverable } = keys;
  const plan = makeProvePlan(planned, { profile, fvk, recoverable, daaScore, tree: wallet.tree });
  if (plan.anchor === root) return plan;
  throw new SvcError("wallet/tree-mismatch", { expected: root, found: plan.anchor });
}

/** The state with a planned payment that holds its notes. */
export function reserved(
  state: WalletState,
  { id, nowMs, planned, root }: NumberedPayment & { readonly nowMs: TimestampMs },
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
