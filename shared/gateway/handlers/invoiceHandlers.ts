/** Handlers of a merchant's invoices. An invoice of another merchant is answered as one that does not exist. */
import { asTimestampMs } from "../../base/brand.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import type { InvoiceInput } from "../../invoice/invoiceInput.ts";
import { keyedInvoice } from "../findCheckout.ts";
import { ReplayedAnswer, type GatewayHandlers, type KeyedCall } from "../gatewayHandlers.ts";
import type { InvoicePort } from "../gatewayPorts.ts";
import { invoiceRecordOf, paymentsOf, seconds, type RecordPlace } from "../invoiceRecordOf.ts";
import type { PricePort } from "../pricePort.ts";
import { extensionOf } from "./extensionOf.ts";
import { orderOf } from "./orderOf.ts";

/** Dependencies. */
export type InvoiceHandlerParts = {
  readonly invoices: InvoicePort;
  readonly prices: PricePort;
  /** What records say besides their invoice, now. */
  readonly place: () => RecordPlace;
};

type ReadRows = "createInvoice" | "invoices" | "invoice" | "invoicePayments" | "invoiceEvents";
type ChangeRows =
  | "updateInvoice"
  | "archiveInvoice"
  | "unarchiveInvoice"
  | "markInvoice"
  | "extendInvoice";

const MS = 1_000n;

/** Makes the handlers. */
export function invoiceHandlers(
  parts: InvoiceHandlerParts,
): Pick<GatewayHandlers, ReadRows | ChangeRows> {
  return { ...readHandlers(parts), ...changeHandlers(parts) };
}

function readHandlers(parts: InvoiceHandlerParts): Pick<GatewayHandlers, ReadRows> {
  const { invoices, place } = parts;
  const record = (invoice: Invoice) => invoiceRecordOf(invoice, place());
  return {
    createInvoice: async ({ key, body, request }) => {
      const order = await orderOf(body, key.merchant, parts.prices);
      const made = await invoices.create(key.merchant.id, order, request);
      const answer = record(made.invoice);
      return made.isReplay ? new ReplayedAnswer(answer) : answer;
    },
    invoices: async ({ key, query }) => {
      const { cursor, limit, orderId, status, text, from, to, archived } = query;
      const filter = {
        orderIds: orderId,
        statuses: status,
        text: text ?? null,
        fromMs: from === undefined ? null : BigInt(from) * MS,
        toMs: to === undefined ? null : BigInt(to) * MS,
        withArchived: archived,
      };
      const page = await invoices.list(key.merchant.id, filter, cursor ?? null, limit);
      return { invoices: page.rows.map(record), next: page.next };
    },
    invoice: async ({ key, params }) => record(await keyedInvoice(params.id, key, parts)),
    invoicePayments: async ({ key, params, query }) => {
      const all = paymentsOf(await keyedInvoice(params.id, key, parts), place()).toReversed();
      const from = Number(query.cursor ?? 0);
      const next = from + query.limit;
      return {
        payments: all.slice(from, next),
        next: next < all.length ? String(next) : null,
      };
    },
    invoiceEvents: async ({ key, params, query }) => {
      const { terms } = await keyedInvoice(params.id, key, parts);
      const page = await invoices.events(terms.id, query.cursor ?? null, query.limit);
      const events = page.rows.map(({ id, type, version, createdMs, status, previousStatus }) => {
        return { id, type, createdAt: seconds(createdMs), version, status, previousStatus };
      });
      return { events, next: page.next };
    },
  };
}

function changeHandlers(parts: InvoiceHandlerParts): Pick<GatewayHandlers, ChangeRows> {
  const { invoices, place } = parts;
  const changed = async (
    { key, params }: Pick<KeyedCall<"invoice">, "key" | "params">,
    input: InvoiceInput,
    allow: (invoice: Invoice) => void = () => undefined,
  ) => {
    const { terms } = await keyedInvoice(params.id, key, parts);
    return invoiceRecordOf(await invoices.change(terms.id, input, allow), place());
  };
  return {
    updateInvoice: ({ body, ...call }) =>
      changed(call, { kind: "metadata", metadata: body.metadata }),
    archiveInvoice: (call) => changed(call, { kind: "archive", archived: true }),
    unarchiveInvoice: (call) => changed(call, { kind: "archive", archived: false }),
    markInvoice: ({ body, ...call }) => {
      const { nowMs } = place();
      const mark = { as: body.as, reason: body.reason, atMs: nowMs };
      return changed(call, { kind: "mark", mark });
    },
    extendInvoice: async ({ body, ...call }) => {
      const invoice = await keyedInvoice(call.params.id, call.key, parts);
      const { nowMs } = place();
      const expiresInS = body.expiresIn ?? call.key.merchant.expiresInS;
      const extension = await extensionOf(invoice, parts.prices, {
        nowMs,
        expiresMs: asTimestampMs(nowMs + BigInt(expiresInS) * MS),
      });
      return changed(call, extension.input, extension.allow);
    },
  };
}
