/**
 * Spend outcomes: how a call that spends ended, as its payments say, and the form in which it is kept and answered.
 *
 * Amounts are decimal text; the fields that end in `_exact` hold the same value.
 */
import * as v from "valibot";
import { publicSentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { isOut, paymentAmount, type Payment } from "@svc/shared/wallet/state/payment.ts";
import { errorSchema } from "@svc/shared/wallet/state/paymentSchema.ts";
import type { SpendKind } from "./spendOrder.ts";

/** The answer to a payment. */
export type SendResult = {
  /** The first transaction. */
  readonly txid: string;
  readonly txids: readonly string[];
  readonly tx_count: number;
  readonly amount_sompi: string;
  readonly fee_sompi: string;
  readonly amount_sompi_exact: string;
  readonly fee_sompi_exact: string;
};

/** The answer to a payment to many, and to a batch of payouts. */
export type SendManyResult = {
  readonly txids: readonly string[];
  readonly tx_count: number;
  readonly payees: number;
  readonly paid_sompi: string;
  readonly fee_sompi: string;
  readonly paid_sompi_exact: string;
  readonly fee_sompi_exact: string;
};

/** The answer to a merge. */
export type ConsolidateResult = {
  readonly txid: string;
  /** Notes that were merged. */
  readonly consolidated: number;
  /** What they come to, less the fee. */
  readonly value_sompi: string;
  readonly value_sompi_exact: string;
  /** Notes that are left beside them. */
  readonly notes_remaining: number;
};

/** How a call ended. `body`: the JSON of its answer, to be sent as it is. */
export type SpendOutcome =
  | { readonly kind: "done"; readonly body: string }
  | { readonly kind: "failed"; readonly error: ErrorJson };

/** What an answer is made of. */
export type SpendFacts = {
  readonly kind: SpendKind;
  /** The payments of the call that were signed, in order. */
  readonly payments: readonly Payment[];
  /** Payees that were named: one who is paid in parts counts once. */
  readonly payees: number;
  /** Notes of the wallet that nothing has spent and no payment holds. */
  readonly notesFree: number;
};

/** The JSON of the answer to a call that was paid in full. */
export function answerTo({ kind, payments, payees, notesFree }: SpendFacts): string {
  const txids = payments.map(({ txid }) => txid ?? "");
  const amount = String(amountOf(payments));
  const fee = String(payments.reduce((sum, payment) => sum + payment.fee, 0n));
  switch (kind) {
    case "send": {
      const answer: SendResult = {
        txid: txids[0] ?? "",
        txids,
        tx_count: txids.length,
        amount_sompi: amount,
        fee_sompi: fee,
        amount_sompi_exact: amount,
        fee_sompi_exact: fee,
      };
      return JSON.stringify(answer);
    }
    case "payout":
    case "sendMany": {
      const answer: SendManyResult = {
        txids,
        tx_count: txids.length,
        payees,
        paid_sompi: amount,
        fee_sompi: fee,
        paid_sompi_exact: amount,
        fee_sompi_exact: fee,
      };
      return JSON.stringify(answer);
    }
    case "consolidate": {
      const answer: ConsolidateResult = {
        txid: txids[0] ?? "",
        consolidated: payments.reduce((sum, { reserved }) => sum + reserved.length, 0),
        value_sompi: amount,
        value_sompi_exact: amount,
        notes_remaining: notesFree,
      };
      return JSON.stringify(answer);
    }
  }
}

/**
 * The error of a call that was not paid in full: `wallet/partly-sent` where some of its transactions are out, else `reason`.
 * `total` counts all of its transactions.
 */
export function shortfall(payments: readonly Payment[], total: number, reason: SvcError): SvcError {
  const out = payments.filter((payment) => isOut(payment));
  if (out.length === 0) return reason;
  return new SvcError(
    "wallet/partly-sent",
    {
      sent: out.length,
      total: Math.max(total, payments.length),
      sompi: amountOf(out),
      txids: out.map(({ txid }) => txid ?? "").join(","),
      reason: whyNotAll(reason),
    },
    reason,
  );
}

/** The end of the sentence: with the node's own words where a node refused the next transaction. */
function whyNotAll(reason: SvcError): string {
  if (reason.code === "wallet/cancelled") return "it was cancelled: the others were not sent.";
  const { reason: words } = reason.data;
  const isRefused = reason.code === "wallet/payment-rejected" && words !== undefined;
  return isRefused ? `the node rejected: ${words}` : `it failed: ${publicSentenceOf(reason)}`;
}

/** What the error of a partly sent call carries: the transactions, and what they pay, in sompi. Null for another error. */
export function partlySent(error: ErrorJson): { txids: readonly string[]; sompi: string } | null {
  if (error.code !== "wallet/partly-sent") return null;
  const { txids = "", sompi = "0" } = error.data;
  return { txids: txids.split(","), sompi };
}

const outcomeSchema: v.GenericSchema<unknown, SpendOutcome> = v.variant("kind", [
  v.object({ kind: v.literal("done"), body: v.string() }),
  v.object({ kind: v.literal("failed"), error: errorSchema }),
]);

/** Encodes an outcome as it is kept beside an idempotency key. */
export function encodeOutcome(outcome: SpendOutcome): string {
  return JSON.stringify(outcome);
}

/** Decodes a kept outcome. Throws `store/corrupt`. */
export function decodeOutcome(text: string): SpendOutcome {
  try {
    return v.parse(outcomeSchema, JSON.parse(text));
  } catch (cause) {
    throw new SvcError("store/corrupt", { table: "idempotency", reason: "an answer" }, cause);
  }
}

function amountOf(payments: readonly Payment[]): bigint {
  return payments.reduce((sum, payment) => sum + paymentAmount(payment), 0n);
}
