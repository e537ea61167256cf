/** A new refund of an invoice beside those that there are: one rule for every host. */
import { asTimestampMs, type ClaimId, type RefundId, type TimestampMs } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import type { Invoice } from "./invoice.ts";
import { INVOICE_LIMITS } from "./invoiceLimits.ts";
import { newRefund, type Refund } from "./refund.ts";
import { refundAmount, type RefundWish } from "./refundRoom.ts";

/** What is offered, and under which names. */
export type NewRefund = RefundWish & {
  readonly id: RefundId;
  readonly claim: ClaimId;
  readonly reason: string | null;
};

const CLAIM_MS = BigInt(MERCHANT_LIMITS.claimSeconds) * 1_000n;

/**
 * Offers money of an invoice back. `others`: its refunds that are not cancelled. Throws `gateway/too-many-refunds`,
 * `gateway/wrong-state`, `gateway/refund-too-large`.
 */
export function offerRefund(
  invoice: Invoice,
  others: readonly Refund[],
  { id, claim, reason, ...wish }: NewRefund,
  nowMs: TimestampMs,
): Refund {
  const { id: of, merchant, orderId, policy } = invoice.terms;
  const max = INVOICE_LIMITS.invoiceRefunds;
  if (others.length >= max) throw new SvcError("gateway/too-many-refunds", { max });
  return newRefund({
    ...{ id, claim, invoice: of, merchant, orderId, reason },
    kind: wish.kind,
    amount: refundAmount(invoice, others, wish, nowMs),
    requiredBlueScore: policy.requiredBlueScore,
    createdMs: nowMs,
    expiresMs: asTimestampMs(nowMs + CLAIM_MS),
  });
}
