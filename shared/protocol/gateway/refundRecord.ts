/**
 * Records of a refund. A payment shows nobody who paid, so the payer gives an address by a link (the claim); the merchant approves
 * it, and a wallet of the merchant pays.
 */
import * as v from "valibot";
import { integer, integerOf, sompiOf, text, textOf, word } from "../contract/answerFields.ts";

/** The states of a refund. */
export const REFUND_STATES = [
  "requested",
  "claimed",
  "approved",
  "sent",
  "confirmed",
  "cancelled",
  "failed",
] as const;

/** A state of a refund. */
export type RefundState = (typeof REFUND_STATES)[number];

/** Whether a word is a state of a refund. */
export function isRefundState(text: string): text is RefundState {
  return REFUND_STATES.some((state) => state === text);
}

/** How much of an invoice is paid back. */
export const REFUND_AMOUNTS = ["overpaid", "all", "custom"] as const;

/** One of these words. */
export type RefundAmount = (typeof REFUND_AMOUNTS)[number];

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

/** The record as merchants read it. */
export const refund = v.object({
  id: text,
  invoiceId: text,
  orderId: text,
  amount: word(REFUND_AMOUNTS),
  amountSompi: sompiOf("What is paid back. The merchant bears the network's fee."),
  state: word(REFUND_STATES),
  claimUrl: textOf("The page where the payer gives an address. Who has it can claim the refund."),
  address: maybe(textOf("What the payer gave.")),
  reason: maybe(text),
  txid: maybe(text),
  /** Why it failed, or why it could not be paid yet. */
  error: maybe(v.object({ error: text, code: text })),
  expiresAt: maybe(integerOf("Until then the payer may give an address.")),
  createdAt: integer,
  updatedAt: integer,
});

/** What the payer is shown of it. */
export const claim = v.object({
  state: word(REFUND_STATES),
  amountSompi: sompiOf("What is paid back."),
  address: maybe(textOf("What was given. It can be changed until the refund is approved.")),
  storeName: v.optional(text, ""),
  network: v.optional(text, ""),
  expiresAt: maybe(integerOf("Until then an address may be given.")),
  serverTime: integer,
});
