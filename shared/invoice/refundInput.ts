/** What happens to a refund: what payer and merchant do, what a wallet is asked, and what it answers. */
import type { AddressText, Sompi, TimestampMs, TxId } from "../base/brand.ts";
import type { ErrorJson } from "../base/svcError.ts";

/** One of these. `dueMs`: when a wallet is asked next. */
export type RefundInput =
  /** The payer gives an address, or another one. */
  | { readonly kind: "claim"; readonly address: AddressText }
  /** The merchant lets it be paid to the address that he has seen. */
  | { readonly kind: "approve"; readonly address: AddressText }
  | { readonly kind: "cancel" }
  /** A wallet is about to be asked: this is written down before. */
  | { readonly kind: "ask"; readonly wallet: string; readonly maxFee: Sompi }
  /** The wallet says that it has paid. */
  | { readonly kind: "paid"; readonly txids: readonly TxId[]; readonly dueMs: TimestampMs }
  /** The wallet says no: nothing was paid, and nothing will be for that question. */
  | { readonly kind: "refused"; readonly error: ErrorJson; readonly dueMs: TimestampMs }
  /** It may have paid, or may pay yet. `job`: what waits for the wallet's owner. */
  | {
      readonly kind: "unanswered";
      readonly error: ErrorJson;
      readonly dueMs: TimestampMs;
      readonly job: string | null;
    }
  /** The wallet says that it will never pay it in full; so much was paid. */
  | {
      readonly kind: "failed";
      readonly error: ErrorJson;
      readonly moved: Sompi;
      readonly txids: readonly TxId[];
    }
  /** Nothing was asked for, or nothing is known yet. */
  | { readonly kind: "later"; readonly error: ErrorJson | null; readonly dueMs: TimestampMs }
  /** What was sent is deep enough in the chain. */
  | { readonly kind: "confirmed" }
  /** Nothing but time. */
  | { readonly kind: "look" };

/** When it happens, and what there is to pay it with. */
export type RefundMoment = {
  readonly nowMs: TimestampMs;
  /** What the invoice's settled payments leave beside its other refunds that were approved (`refundRoom`). */
  readonly room: Sompi;
};
