/** Routes that change an invoice: its metadata, whether it is watched, what the merchant says of it, its time. */
import * as v from "valibot";
import { requestObject } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { CONFIRMED_INVOICE, INVOICE_ID, NEW_INVOICE } from "../exampleRecords.ts";
import { printableField } from "../gatewayFields.ts";
import { invoice } from "../invoiceRecord.ts";
import { expiresInField, invoiceChange } from "../invoiceTerms.ts";
import { route } from "../route.ts";
import { invoiceParams } from "./invoiceRoutes.ts";

const EXAMPLE_MARK = {
  ...NEW_INVOICE,
  status: "confirmed",
  marked: { as: "settled", reason: "paid in cash", at: NEW_INVOICE.createdAt + 60 },
  version: 2,
  updatedAt: NEW_INVOICE.createdAt + 60,
} as const;

const marked = requestObject({
  as: v.picklist(["settled", "invalid"], "settled or invalid"),
  reason: printableField(MERCHANT_LIMITS.reasonChars, "Kept with the invoice."),
});

const EXTENDED = NEW_INVOICE.expiresAt + 60;

/** The rows. */
export const CHANGE_ROUTES = {
  updateInvoice: route({
    group: "invoices",
    method: "PATCH",
    path: "/api/v1/invoices/{id}",
    credential: "key",
    scope: "invoices:write",
    params: invoiceParams,
    body: invoiceChange,
    answer: invoice,
    refusals: ["gateway/no-invoice"],
    about: "Puts other metadata in the place of all that an invoice has.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}`,
      body: { metadata: { platform: "vendure", table: "12" } },
      answer: {
        ...NEW_INVOICE,
        metadata: { platform: "vendure", table: "12" },
        version: 2,
        updatedAt: NEW_INVOICE.createdAt + 60,
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
  archiveInvoice: route({
    group: "invoices",
    method: "POST",
    path: "/api/v1/invoices/{id}/archive",
    credential: "key",
    scope: "invoices:write",
    params: invoiceParams,
    answer: invoice,
    refusals: ["gateway/no-invoice"],
    about: "Takes an invoice out of the lists. A payment of it puts it back.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/archive`,
      answer: { ...CONFIRMED_INVOICE, archived: true },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
  unarchiveInvoice: route({
    group: "invoices",
    method: "POST",
    path: "/api/v1/invoices/{id}/unarchive",
    credential: "key",
    scope: "invoices:write",
    params: invoiceParams,
    answer: invoice,
    refusals: ["gateway/no-invoice"],
    about: "Puts an invoice back into the lists.",
    example: { path: `/api/v1/invoices/${INVOICE_ID}/unarchive`, answer: CONFIRMED_INVOICE },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
  markInvoice: route({
    group: "invoices",
    method: "POST",
    path: "/api/v1/invoices/{id}/mark",
    credential: "key",
    scope: "invoices:write",
    params: invoiceParams,
    body: marked,
    answer: invoice,
    refusals: ["gateway/no-invoice", "gateway/wrong-state"],
    about:
      "Says by hand that an invoice is settled, which makes it `confirmed` whatever was paid, or invalid, so that no payment of it is in time.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/mark`,
      body: { as: "settled", reason: "paid in cash" },
      answer: EXAMPLE_MARK,
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
  extendInvoice: route({
    group: "invoices",
    method: "POST",
    path: "/api/v1/invoices/{id}/extend",
    credential: "key",
    scope: "invoices:write",
    params: invoiceParams,
    body: v.optional(requestObject({ expiresIn: v.nullish(expiresInField) }), {}),
    answer: invoice,
    refusals: ["gateway/no-invoice", "gateway/wrong-state", "gateway/price-stale"],
    about:
      "Gives an expired invoice that is not paid in full a new time to pay; what is due of a price is quoted anew.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/extend`,
      body: { expiresIn: 900 },
      answer: {
        ...NEW_INVOICE,
        version: 3,
        quote: { ...NEW_INVOICE.quote, time: EXTENDED },
        expiresAt: EXTENDED + 900,
        monitorUntil: EXTENDED + 900 + 86_400,
        updatedAt: EXTENDED,
        serverTime: EXTENDED,
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
    endsWithCaller: false,
  }),
} as const;
