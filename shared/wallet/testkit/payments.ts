/** Test helpers for payees and for payments at a given stage. */
import {
  asAddressText,
  asAnchor,
  asSompi,
  asTimestampMs,
  type RawAddress,
  type TxId,
} from "../../base/brand.ts";
import { encodeHex } from "../../base/hex.ts";
import { addPayment, reduceOutbox, type PaymentEvent } from "../reduce/outbox.ts";
import { draftPayment, type Payee } from "../state/payment.ts";
import { planPayment } from "../plan/planner.ts";
import type { ProvedPayment } from "../state/ports.ts";
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

/** The bytes before the actions of a bundle, and those of one action. */
const [ACTIONS_AT, ACTION_BYTES] = [113, 884];

/** What a proved payment discloses: one action a payee, whose nullifier and rseed repeat its number. */
export function disclosedTo(
  payees: readonly Payee[],
): Pick<ProvedPayment, "bundle" | "disclosure"> {
  const bundle = new Uint8Array(ACTIONS_AT + payees.length * ACTION_BYTES);
  const entries = payees.map(({ recipient, value }, index) => {
    const start = ACTIONS_AT + index * ACTION_BYTES;
    bundle.fill(index, start, start + 32);
    const outRseed = encodeHex(new Uint8Array(32).fill(index));
    return { outValue: String(value), outRecipient: recipient, outRseed };
  });
  return { bundle, disclosure: JSON.stringify(entries) };
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
