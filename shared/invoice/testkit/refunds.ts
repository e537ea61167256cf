/** Test helper: refunds and what happens to them with few words. */
import {
  asAddressText,
  asBlueScore,
  asClaimId,
  asInvoiceId,
  asMerchantId,
  asRefundId,
  asSompi,
  asTimestampMs,
} from "../../base/brand.ts";
import { newRefund, type Refund } from "../refund.ts";
import type { RefundMoment } from "../refundInput.ts";

/** Time of the refund's making and of the end of its claim, ms. */
export const OFFERED_MS = asTimestampMs(2_000_000n);
/** 1,000 s later. */
export const CLAIM_ENDS_MS = asTimestampMs(3_000_000n);
/** Where a payer wants the money. */
export const PAYER = asAddressText(`svctest:${"p".repeat(79)}`);

/** A refund of 100 sompi that nobody has claimed. `number` tells refunds apart. */
export function testRefund(amount = 100n, number = 1): Refund {
  const digits = number.toString(16).padStart(32, "0");
  return newRefund({
    id: asRefundId(`ref_${digits}`),
    claim: asClaimId(`clm_${digits}`),
    invoice: asInvoiceId(`inv_${"0".repeat(31)}1`),
    merchant: asMerchantId("shop"),
    orderId: "order 1",
    kind: "custom",
    amount: asSompi(amount),
    reason: null,
    requiredBlueScore: asBlueScore(10n),
    createdMs: OFFERED_MS,
    expiresMs: CLAIM_ENDS_MS,
  });
}

/** A moment: so many ms after the refund was offered, with room for so many sompi. */
export function refundMoment(afterMs = 0n, room = 100n): RefundMoment {
  return { nowMs: asTimestampMs(OFFERED_MS + afterMs), room: asSompi(room) };
}
