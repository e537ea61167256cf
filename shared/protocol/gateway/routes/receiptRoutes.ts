/** Routes of the receipts of an invoice's payments (docs/light-client.md): for its merchant, and for the payer, who knows its id. */
import * as v from "valibot";
import { hex, sompi, text, textOf } from "../../contract/answerFields.ts";
import { queryCount } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { EXAMPLE_PAYMENT, EXAMPLE_RECEIPT_URL, INVOICE_ID } from "../exampleRecords.ts";
import { patternField, queryCursor } from "../gatewayFields.ts";
import { route } from "../route.ts";
import { invoiceParams, nextCursor } from "./invoiceRoutes.ts";

const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

/** The receipt of a settled payment, where there is one. */
const receiptRow = v.object({
  /** Commitment of the note that pays, as in the list of payments. */
  cmx: hex(32),
  amountSompi: sompi,
  /** The accepting block. */
  blockHash: maybe(hex(32)),
  receipt: maybe(
    textOf(
      "The receipt as a line of text, `ur:svc-receipt/…`. Null where none was made: the gateway believes its node, or found the payment before it made any, or makes it anew.",
    ),
  ),
  receiptUrl: maybe(textOf("Where the receipt is as a file. Null where there is none.")),
});

const answer = v.object({ receipts: v.array(receiptRow), next: nextCursor });
const query = v.object({
  cursor: queryCursor,
  limit: queryCount(MERCHANT_LIMITS.receiptRows, 1, MERCHANT_LIMITS.receiptRows),
});
const fileParams = v.object({
  ...invoiceParams.entries,
  cmx: patternField(/^[0-9a-f]{64}$/, "64 hexadecimal digits", "Commitment of the note that pays."),
});

const { cmx, amountSompi, blockHash } = EXAMPLE_PAYMENT;
const EXAMPLE_ROW = { cmx, amountSompi, blockHash, receipt: "ur:svc-receipt/onaeadadad" } as const;
const CHECKOUT_URL = EXAMPLE_RECEIPT_URL.replace("/invoices/", "/checkout/");
const REFUSALS = ["gateway/no-invoice", "gateway/no-receipt"] as const;

/** The rows. */
export const RECEIPT_ROUTES = {
  invoiceReceipts: route({
    group: "invoices",
    method: "GET",
    path: "/api/v1/invoices/{id}/receipts",
    credential: "key",
    scope: "invoices:read",
    params: invoiceParams,
    query,
    answer,
    refusals: ["gateway/no-invoice"],
    about:
      "Lists the settled payments of an invoice, the newest first, each with its receipt, which shows anybody who was paid how much by which block.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/receipts`,
      answer: { receipts: [{ ...EXAMPLE_ROW, receiptUrl: EXAMPLE_RECEIPT_URL }], next: null },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  invoiceReceipt: route({
    group: "invoices",
    method: "GET",
    path: "/api/v1/invoices/{id}/receipts/{cmx}",
    credential: "key",
    scope: "invoices:read",
    params: fileParams,
    answer: text,
    refusals: REFUSALS,
    about: "Gives the receipt of a settled payment as a file, `application/cbor`.",
    example: { path: `/api/v1/invoices/${INVOICE_ID}/receipts/${cmx}`, answer: "" },
    timeoutMs: MERCHANT_LIMITS.callMs,
    fileType: "application/cbor",
  }),
  checkoutReceipts: route({
    group: "checkout",
    method: "GET",
    path: "/api/v1/checkout/{id}/receipts",
    credential: "none",
    scope: "any",
    params: invoiceParams,
    query,
    answer,
    refusals: ["gateway/no-invoice"],
    about:
      "Lists the settled payments of an invoice, the newest first, each with its receipt, for the payer: it shows that it was paid, and not by whom.",
    example: {
      path: `/api/v1/checkout/${INVOICE_ID}/receipts`,
      answer: { receipts: [{ ...EXAMPLE_ROW, receiptUrl: CHECKOUT_URL }], next: null },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  checkoutReceipt: route({
    group: "checkout",
    method: "GET",
    path: "/api/v1/checkout/{id}/receipts/{cmx}",
    credential: "none",
    scope: "any",
    params: fileParams,
    answer: text,
    refusals: REFUSALS,
    about: "Gives the payer the receipt of a settled payment as a file, `application/cbor`.",
    example: { path: `/api/v1/checkout/${INVOICE_ID}/receipts/${cmx}`, answer: "" },
    timeoutMs: MERCHANT_LIMITS.callMs,
    fileType: "application/cbor",
  }),
} as const;
