/**
 * What a hosted gateway and the program that pays its refunds say to each other: which refunds are approved or sent and due, and what a
 * wallet was asked and answered. Numbers of 64 bits are decimal text.
 */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { errorSchema } from "../wallet/state/paymentSchema.ts";
import { INVOICE_LIMITS } from "./invoiceLimits.ts";
import { refundSchema } from "./refundCodec.ts";
import type { Refund } from "./refund.ts";
import type { RefundInput } from "./refundInput.ts";

/** What the paths of these calls begin with. */
export const PAYOUT_PATH = "/payouts/v1/";

const text = v.pipe(v.string(), v.maxLength(INVOICE_LIMITS.payoutNameChars));
const txids = v.pipe(v.array(fields.txId), v.maxLength(INVOICE_LIMITS.refundTransactions));
const dueMs = fields.timestampMs;

/** What a wallet was asked and answered: nothing that is the payer's or the merchant's to say. */
const walletInput: v.GenericSchema<unknown, RefundInput> = v.variant("kind", [
  v.object({ kind: v.literal("ask"), wallet: text, maxFee: fields.sompi }),
  v.object({ kind: v.literal("paid"), txids: v.pipe(txids, v.minLength(1)), dueMs }),
  v.object({ kind: v.literal("refused"), error: errorSchema, dueMs }),
  v.object({ kind: v.literal("unanswered"), error: errorSchema, dueMs, job: v.nullable(text) }),
  v.object({ kind: v.literal("failed"), error: errorSchema, moved: fields.sompi, txids }),
  v.object({ kind: v.literal("later"), error: v.nullable(errorSchema), dueMs }),
  v.object({ kind: v.literal("confirmed") }),
]);

/** `due`: a part of the refunds that are due, behind the cursor of an answer before. */
export const payoutQuestion = v.object({ after: v.nullable(text) });

/** A refund that is due, and where its invoice was paid to. */
export const duePayout = v.object({
  refund: v.pipe(refundSchema, v.check(isBounded, "more than a refund has")),
  key: fields.viewingKeyId,
  index: fields.u32,
});

/** The answer to it; `next` is null behind the last part. */
export const payoutAnswer = v.object({
  refunds: v.pipe(v.array(duePayout), v.maxLength(INVOICE_LIMITS.payoutRows)),
  next: v.nullable(text),
});

/** `change`: what happened to a refund, in this order; all of it or nothing is applied. */
export const payoutChange = v.object({
  id: fields.refundId,
  inputs: v.pipe(v.array(walletInput), v.minLength(1), v.maxLength(2)),
});

function isBounded({ txids: paid, attempt }: Refund): boolean {
  const names = [attempt?.wallet ?? "", attempt?.job ?? ""];
  const isShort = names.every(({ length }) => length <= INVOICE_LIMITS.payoutNameChars);
  return isShort && paid.length <= INVOICE_LIMITS.refundTransactions;
}

/** A refund that is due. */
export type DuePayout = v.InferOutput<typeof duePayout>;
