/** Routes of refunds: a merchant offers one, the payer claims it, the merchant approves, a wallet pays. */
import * as v from "valibot";
import { addressField, requestObject } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { EXAMPLE_ADDRESS, INVOICE_ID, NEW_INVOICE } from "../exampleRecords.ts";
import { amountField, idField, printableField, queryWords } from "../gatewayFields.ts";
import { isRefundState, refund, REFUND_AMOUNTS, REFUND_STATES } from "../refundRecord.ts";
import { route } from "../route.ts";
import { invoiceParams, listQuery, nextCursor } from "./invoiceRoutes.ts";

const refundParams = v.object({ id: idField("a refund") });
const REFUND_ID = `ref_${"4b".repeat(16)}`;

const asked = requestObject({
  amount: v.picklist(REFUND_AMOUNTS, "overpaid, all or custom"),
  amountSompi: v.nullish(amountField(1n, "How much, where `amount` is `custom`.")),
  reason: v.nullish(printableField(MERCHANT_LIMITS.reasonChars, "Kept with the refund.")),
});

type Asked = v.InferOutput<typeof asked>;

/** The body of a refund: an amount of its own is there exactly where it is a custom one. */
const refundTerms = v.pipe(
  asked,
  v.forward(
    v.check(
      ({ amount, amountSompi }: Asked) =>
        (amount === "custom") === (typeof amountSompi === "bigint"),
      "given where amount is custom, and left out elsewhere",
    ),
    ["amountSompi"],
  ),
);

const EXAMPLE_REFUND = {
  id: REFUND_ID,
  invoiceId: INVOICE_ID,
  orderId: "4711",
  amount: "overpaid",
  amountSompi: "50000000",
  state: "requested",
  claimUrl: `https://pay.example.com/claim/clm_${"3d".repeat(16)}`,
  address: null,
  reason: "paid twice",
  txid: null,
  error: null,
  expiresAt: NEW_INVOICE.createdAt + 2_592_000,
  createdAt: NEW_INVOICE.createdAt + 3_600,
  updatedAt: NEW_INVOICE.createdAt + 3_600,
} as const;

const EXAMPLE_CLAIMED = {
  ...EXAMPLE_REFUND,
  state: "claimed",
  address: EXAMPLE_ADDRESS,
  updatedAt: NEW_INVOICE.createdAt + 7_200,
} as const;

/** The rows. */
export const REFUND_ROUTES = {
  createRefund: route({
    group: "refunds",
    method: "POST",
    path: "/api/v1/invoices/{id}/refunds",
    credential: "key",
    scope: "refunds",
    params: invoiceParams,
    body: refundTerms,
    answer: refund,
    refusals: [
      "gateway/no-invoice",
      "gateway/wrong-state",
      "gateway/refund-too-large",
      "gateway/too-many-refunds",
    ],
    about:
      "Offers money of an invoice back: what was overpaid, all that was paid, or an amount of its own. The answer has the link for the payer.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/refunds`,
      body: { amount: "overpaid", reason: "paid twice" },
      answer: EXAMPLE_REFUND,
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    status: 201,
    takesKey: true,
    endsWithCaller: false,
  }),
  refunds: route({
    group: "refunds",
    method: "GET",
    path: "/api/v1/refunds",
    credential: "key",
    scope: "refunds",
    query: v.object({
      state: queryWords(isRefundState, `states: ${REFUND_STATES.join(", ")}`, {
        type: "string",
        enum: REFUND_STATES,
      }),
      ...listQuery,
    }),
    answer: v.object({ refunds: v.array(refund), next: nextCursor }),
    about: "Lists refunds, the newest first; `state` may be repeated.",
    example: {
      path: "/api/v1/refunds?state=claimed",
      answer: { refunds: [EXAMPLE_CLAIMED], next: null },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  refund: route({
    group: "refunds",
    method: "GET",
    path: "/api/v1/refunds/{id}",
    credential: "key",
    scope: "refunds",
    params: refundParams,
    answer: refund,
    refusals: ["gateway/no-refund"],
    about: "Gives a refund.",
    example: { path: `/api/v1/refunds/${REFUND_ID}`, answer: EXAMPLE_CLAIMED },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  approveRefund: route({
    group: "refunds",
    method: "POST",
    path: "/api/v1/refunds/{id}/approve",
    credential: "key",
    scope: "refunds",
    params: refundParams,
    body: requestObject({ address: addressField }),
    answer: refund,
    refusals: [
      "gateway/no-refund",
      "gateway/refund-state",
      "gateway/refund-address",
      "gateway/refund-too-large",
    ],
    about:
      "Lets a claimed refund be paid to the address that the merchant has seen; it is refused where the payer has given another one since.",
    example: {
      path: `/api/v1/refunds/${REFUND_ID}/approve`,
      body: { address: EXAMPLE_ADDRESS },
      answer: { ...EXAMPLE_CLAIMED, state: "approved" },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    takesKey: true,
    endsWithCaller: false,
  }),
  cancelRefund: route({
    group: "refunds",
    method: "POST",
    path: "/api/v1/refunds/{id}/cancel",
    credential: "key",
    scope: "refunds",
    params: refundParams,
    answer: refund,
    refusals: ["gateway/no-refund", "gateway/refund-state"],
    about: "Takes back a refund that no wallet has begun to pay.",
    example: {
      path: `/api/v1/refunds/${REFUND_ID}/cancel`,
      answer: { ...EXAMPLE_REFUND, state: "cancelled" },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
} as const;
