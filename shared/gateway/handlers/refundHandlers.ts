/** Handlers of refunds: those of the merchant, and those of the payer, who knows a claim and has no key. */
import { asAddressText, asInvoiceId, asRefundId } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Refund } from "../../invoice/refund.ts";
import { lowerCaseAddress } from "../../wallet/plan/payee.ts";
import { ReplayedAnswer, type GatewayHandlers } from "../gatewayHandlers.ts";
import { fillClaim, findClaim, type ClaimSource } from "../findClaim.ts";
import type { MadeRefund, RefundPort } from "../refundPort.ts";
import { refundRecordOf } from "../refundRecordOf.ts";

/** Dependencies. */
export type RefundHandlerParts = ClaimSource & { readonly refunds: RefundPort };

type Rows =
  | "createRefund"
  | "refunds"
  | "refund"
  | "approveRefund"
  | "cancelRefund"
  | "claim"
  | "fillClaim";

const INVOICE = /^inv_[0-9a-f]{32}$/;
const REFUND = /^ref_[0-9a-f]{32}$/;

/** Makes the handlers. */
export function refundHandlers(parts: RefundHandlerParts): Pick<GatewayHandlers, Rows> {
  const { refunds, place } = parts;
  const record = (refund: Refund) => refundRecordOf(refund, place());
  const made = ({ refund, isReplay }: MadeRefund) =>
    isReplay ? new ReplayedAnswer(record(refund)) : record(refund);
  return {
    createRefund: async ({ key, params, body, request }) => {
      const { amount: kind, amountSompi, reason } = body;
      const offer = { kind, amount: amountSompi ?? null, reason: reason ?? null };
      return made(await refunds.create(key.merchant.id, invoiceOf(params.id), offer, request));
    },
    refunds: async ({ key, query }) => {
      const { state, cursor, limit } = query;
      const page = await refunds.list(key.merchant.id, state, cursor ?? null, limit);
      return { refunds: page.rows.map(record), next: page.next };
    },
    refund: async ({ key, params }) => record(await refunds.get(key.merchant.id, idOf(params.id))),
    approveRefund: async ({ key, params, body, request }) => {
      // It is compared with the one that was checked when the payer gave it.
      const address = asAddressText(lowerCaseAddress(body.address.trim()));
      return made(await refunds.approve(key.merchant.id, idOf(params.id), address, request));
    },
    cancelRefund: async ({ key, params }) =>
      record(await refunds.cancel(key.merchant.id, idOf(params.id))),
    claim: ({ params }) => findClaim(params.claim, parts),
    fillClaim: ({ params, body }) => fillClaim(params.claim, body.address, parts),
  };
}

function invoiceOf(text: string) {
  if (INVOICE.test(text)) return asInvoiceId(text);
  throw new SvcError("gateway/no-invoice", {});
}

function idOf(text: string) {
  if (REFUND.test(text)) return asRefundId(text);
  throw new SvcError("gateway/no-refund", {});
}
