/**
 * A refund as plain data: money of an invoice that goes back to its payer (gateway sheet 10). A payment shows nobody who paid, so the
 * payer gives an address by a claim; the merchant approves it, and a wallet of the merchant pays.
 */
import {
  asSompi,
  type AddressText,
  type BlueScore,
  type ClaimId,
  type InvoiceId,
  type MerchantId,
  type RefundId,
  type Sompi,
  type TimestampMs,
  type TxId,
} from "../base/brand.ts";
import type { ErrorJson } from "../base/svcError.ts";
import type { RefundAmount, RefundState } from "../protocol/gateway/refundRecord.ts";

/** What the merchant offered. */
export type RefundTerms = {
  readonly id: RefundId;
  /** Whoever knows it may say where the money goes. */
  readonly claim: ClaimId;
  readonly invoice: InvoiceId;
  readonly merchant: MerchantId;
  readonly orderId: string;
  readonly kind: RefundAmount;
  /** At least 1 sompi. The merchant bears the fee beside it. */
  readonly amount: Sompi;
  readonly reason: string | null;
  /** Blue score between the accepting chain block and the sink from which on its payment is confirmed. */
  readonly requiredBlueScore: BlueScore;
  readonly createdMs: TimestampMs;
  /** Until then the payer may give an address. */
  readonly expiresMs: TimestampMs;
};

/** What a wallet was asked for and has not said no to: it may have paid. */
export type RefundAttempt = {
  /** The wallet's own first address, which tells it from others. */
  readonly wallet: string;
  /** It was asked before, and no answer came. A refusal of a later question says nothing about that one. */
  readonly isOpen: boolean;
  /** The wallet's job that waits for its owner; null for none. */
  readonly job: string | null;
};

/** A refund. */
export type Refund = {
  readonly terms: RefundTerms;
  readonly state: RefundState;
  /** Null until the payer has given one. It does not change once the refund is approved. */
  readonly address: AddressText | null;
  /** Most that all fees may be, sompi: the same in each question to a wallet, as its idempotency key stands for one call. Null before the first. */
  readonly maxFee: Sompi | null;
  /** Null where no wallet can have paid. */
  readonly attempt: RefundAttempt | null;
  /** The transactions that pay it. */
  readonly txids: readonly TxId[];
  /** What has left the wallet: the amount, or a part of it where the payment failed midway. */
  readonly moved: Sompi;
  /** Why it failed, or was not paid yet. */
  readonly error: ErrorJson | null;
  /** Tries since it was approved, or sent. */
  readonly tries: number;
  /** When a wallet is asked next, to pay it or whether it is confirmed; null for never. */
  readonly dueMs: TimestampMs | null;
  readonly updatedMs: TimestampMs;
};

/** A refund that nobody has claimed. */
export function newRefund(terms: RefundTerms): Refund {
  return {
    terms,
    state: "requested",
    address: null,
    maxFee: null,
    attempt: null,
    txids: [],
    moved: asSompi(0n),
    error: null,
    tries: 0,
    dueMs: null,
    updatedMs: terms.createdMs,
  };
}
