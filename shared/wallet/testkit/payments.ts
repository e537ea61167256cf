/** Test helpers for payees and for payments at a given stage. */
import {
  asAddressText,
  asAnchor,
  asSompi,
  asTimestampMs,
  type RawAddress,
  type TxId,
} from "../../base/brand.ts";
import { addPayment, reduceOutbox, type PaymentEvent } from "../reduce/outbox.ts";
import { draftPayment, type Payee } from "../state/payment.ts";
import { planPayment } from "../plan/planner.ts";
import type { WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";
import { FOREIGN_ADDRESS } from "./chainModel.ts";

/** A payee. */
export function payeeOf(
  value: bigint,
  options: { readonly memo?: string; readonly recipient?: RawAddress } = {},
): Payee {
  const recipient = options.recipient ?? FOREIGN_ADDRESS;
  return {
    address: asAddressText("test:payee"),
    recipient,
    value: asSompi(value),
    memo: options.memo ?? "",
    own: recipient !== FOREIGN_ADDRESS,
  };
}

/** The events from a plan to the node's pool. */
export function eventsToMempool(txid: TxId): readonly PaymentEvent[] {
  return [
    { type: "prove" },
    { type: "sign" },
    { type: "signed", txid, raw: "00" },
    { type: "attempt", nowMs: asTimestampMs(1n) },
    { type: "taken" },
  ];
}

/** The state with a planned payment. Throws as the planner does. */
export function withPlanned(
  state: WalletState,
  policy: WalletPolicy,
  payment: { readonly id: string; readonly payees: readonly Payee[] },
): WalletState {
  const { id, payees } = payment;
  const { notes, anchor, fee, change } = planPayment(state, policy, payees);
  const { hash, blueScore } = anchor;
  const plan = {
    fee,
    change,
    anchor: { hash, blueScore, root: asAnchor("ee".repeat(32)) },
    reserved: notes.map(({ position, nullifier, value }) => ({ position, nullifier, value })),
  };
  const draft = draftPayment(id, asTimestampMs(0n), payees);
  return reduceOutbox(addPayment(state, draft), id, { type: "plan", plan });
}

/** The state after events of one payment. */
export function advance(
  state: WalletState,
  id: string,
  events: readonly PaymentEvent[],
): WalletState {
  return events.reduce((next, event) => reduceOutbox(next, id, event), state);
}
