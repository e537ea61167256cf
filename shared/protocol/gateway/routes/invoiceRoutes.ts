/** Routes of a merchant's invoices: making, listing and reading them. */
import * as v from "valibot";
import { text } from "../../contract/answerFields.ts";
import { queryCount, queryFlag } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import {
  CONFIRMED_INVOICE,
  EVENT_ID,
  EXAMPLE_PAYMENT,
  INVOICE_ID,
  NEW_INVOICE,
} from "../exampleRecords.ts";
import { idField, patternField, queryCursor, querySeconds, queryWords } from "../gatewayFields.ts";
import {
  INVOICE_STATUSES,
  invoice,
  invoiceEvent,
  isInvoiceStatus,
  payment,
} from "../invoiceRecord.ts";
import { invoiceTerms } from "../invoiceTerms.ts";
import { route } from "../route.ts";

/** The id of an invoice in a path. */
export const invoiceParams = v.object({ id: idField("an invoice") });

/** How much of a list is answered. */
export const listQuery = {
  cursor: queryCursor,
  limit: queryCount(MERCHANT_LIMITS.rowsDefault, 1, MERCHANT_LIMITS.rowsMax),
} as const;

/** What an answer with a part of a list ends with: the cursor of what follows, null at the end. */
export const nextCursor = v.optional(v.nullable(text), null);

/** An order number of a question: any text, since old shops have odd ones. */
const isOrderId = (word: string): word is string => word.length <= 2 * MERCHANT_LIMITS.orderIdChars;

const listed = v.object({
  orderId: queryWords(isOrderId, `at most ${MERCHANT_LIMITS.orderIdChars} characters`, {
    type: "string",
    description: "Invoices of these orders.",
  }),
  status: queryWords(isInvoiceStatus, `states: ${INVOICE_STATUSES.join(", ")}`, {
    type: "string",
    enum: INVOICE_STATUSES,
  }),
  text: v.optional(
    patternField(
      new RegExp(`^.{1,${MERCHANT_LIMITS.searchChars}}$`, "su"),
      `1 to ${MERCHANT_LIMITS.searchChars} characters`,
      "What stands in the id, the order number, the address or the metadata.",
    ),
  ),
  from: querySeconds("Created then or later, in Unix seconds."),
  to: querySeconds("Created before then, in Unix seconds."),
  archived: queryFlag,
  ...listQuery,
});

/** The rows. */
export const INVOICE_ROUTES = {
  createInvoice: route({
    group: "invoices",
    method: "POST",
    path: "/api/v1/invoices",
    credential: "key",
    scope: "invoices:write",
    body: invoiceTerms,
    answer: invoice,
    refusals: ["gateway/no-address", "gateway/price-stale"],
    about:
      "Makes an invoice with an address of its own; it is on disk before it is answered. With the same key the same invoice is answered, as it is now.",
    example: {
      body: {
        orderId: "4711",
        price: { currency: "EUR", value: "20.00" },
        expiresIn: 900,
        requiredBlueScore: 10,
        redirectUrl: "https://shop.example.com/thanks?order={OrderId}",
        metadata: { platform: "vendure" },
      },
      answer: NEW_INVOICE,
    },
    timeoutMs: MERCHANT_LIMITS.createMs,
    status: 201,
    takesKey: true,
    endsWithCaller: false,
  }),
  invoices: route({
    group: "invoices",
    method: "GET",
    path: "/api/v1/invoices",
    credential: "key",
    scope: "invoices:read",
    query: listed,
    answer: v.object({ invoices: v.array(invoice), next: nextCursor }),
    about:
      "Lists invoices, the newest first; `orderId` and `status` may be repeated, and archived ones are among them with `archived=1`.",
    example: {
      path: "/api/v1/invoices?orderId=4711&status=confirmed&status=overpaid&limit=10",
      answer: { invoices: [CONFIRMED_INVOICE], next: null },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  invoice: route({
    group: "invoices",
    method: "GET",
    path: "/api/v1/invoices/{id}",
    credential: "key",
    scope: "invoices:read",
    params: invoiceParams,
    answer: invoice,
    refusals: ["gateway/no-invoice"],
    about: "Gives an invoice.",
    example: { path: `/api/v1/invoices/${INVOICE_ID}`, answer: CONFIRMED_INVOICE },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  invoicePayments: route({
    group: "invoices",
    method: "GET",
    path: "/api/v1/invoices/{id}/payments",
    credential: "key",
    scope: "invoices:read",
    params: invoiceParams,
    query: v.object(listQuery),
    answer: v.object({ payments: v.array(payment), next: nextCursor }),
    refusals: ["gateway/no-invoice"],
    about: "Lists all payments of an invoice, the newest first, with what became of each.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/payments`,
      answer: { payments: [EXAMPLE_PAYMENT], next: null },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
  invoiceEvents: route({
    group: "invoices",
    method: "GET",
    path: "/api/v1/invoices/{id}/events",
    credential: "key",
    scope: "invoices:read",
    params: invoiceParams,
    query: v.object(listQuery),
    answer: v.object({ events: v.array(invoiceEvent), next: nextCursor }),
    refusals: ["gateway/no-invoice"],
    about: "Lists what was told of an invoice, the newest first.",
    example: {
      path: `/api/v1/invoices/${INVOICE_ID}/events`,
      answer: {
        events: [
          {
            id: EVENT_ID,
            type: "invoice.confirmed",
            createdAt: CONFIRMED_INVOICE.updatedAt,
            version: CONFIRMED_INVOICE.version,
            status: "confirmed",
            previousStatus: "paid",
          },
        ],
        next: null,
      },
    },
    timeoutMs: MERCHANT_LIMITS.callMs,
  }),
} as const;
