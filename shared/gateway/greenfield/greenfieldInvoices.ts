/** Rows of the BTCPay interface about invoices. An invoice of another merchant is answered as one that does not exist. */
import * as v from "valibot";
import { SvcError } from "../../base/svcError.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import type { InvoiceStatus } from "../../protocol/gateway/invoiceRecord.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { readPart } from "../../protocol/contract/requestParts.ts";
import { keyedInvoice } from "../findCheckout.ts";
import type { InvoiceFilter, InvoicePort, MerchantKey } from "../gatewayPorts.ts";
import type { RecordPlace } from "../invoiceRecordOf.ts";
import type { PricePort } from "../pricePort.ts";
import type { GreenfieldCall, GreenfieldRow } from "./greenfieldCall.ts";
import {
  GREENFIELD_STATUSES,
  greenfieldInvoice,
  greenfieldMethods,
  greenfieldState,
  type GreenfieldStatus,
} from "./greenfieldInvoice.ts";
import { GREENFIELD_LIMITS } from "./greenfieldLimits.ts";
import { greenfieldOrder } from "./greenfieldOrder.ts";

/** Dependencies. */
export type GreenfieldInvoiceParts = {
  readonly invoices: InvoicePort;
  readonly prices: PricePort;
  readonly place: () => RecordPlace;
  readonly coin: string;
};

const INVOICE = /^inv_[0-9a-f]{32}$/;
const COUNT = /^\d{1,9}$/;
const TIME = /^\d{1,12}$/;
const MARK_REASON = "marked through the BTCPay interface";
const markForm = v.looseObject({
  status: v.picklist(["Settled", "Invalid"], "Settled or Invalid"),
});

/** Makes them. */
export function greenfieldInvoices(parts: GreenfieldInvoiceParts): readonly GreenfieldRow[] {
  const { invoices, place } = parts;
  const shown = (invoice: Invoice) => greenfieldInvoice(invoice, place());
  const one = "/stores/:storeId/invoices/:id";
  return [
    {
      ...{ method: "POST", path: "/stores/:storeId/invoices", scope: "invoices:write" },
      rate: "createInvoice",
      answer: async ({ key, body }) => {
        const order = await greenfieldOrder(body, key.merchant, parts);
        return shown((await invoices.create(key.merchant.id, order, null)).invoice);
      },
    },
    {
      ...{ method: "GET", path: "/stores/:storeId/invoices", scope: "invoices:read" },
      rate: "invoices",
      answer: async (call) => (await listed(parts, call)).map(shown),
    },
    {
      ...{ method: "GET", path: one, scope: "invoices:read", rate: "invoice" },
      answer: async ({ key, param }) => shown(await ownInvoice(parts, key, param("id"))),
    },
    {
      ...{ method: "GET", path: `${one}/payment-methods`, scope: "invoices:read" },
      rate: "invoicePayments",
      answer: async ({ key, param }) =>
        greenfieldMethods(await ownInvoice(parts, key, param("id")), place()),
    },
    {
      ...{ method: "POST", path: `${one}/status`, scope: "invoices:write", rate: "markInvoice" },
      answer: async ({ key, param, body }) => {
        const { terms } = await ownInvoice(parts, key, param("id"));
        const { status } = readPart(markForm, body, "body");
        const as = status === "Settled" ? "settled" : "invalid";
        const mark = { as, reason: MARK_REASON, atMs: place().nowMs } as const;
        return shown(await invoices.change(terms.id, { kind: "mark", mark }, () => undefined));
      },
    },
  ];
}

/** An invoice of the merchant of a key. Rejects with `gateway/no-invoice`. */
export async function ownInvoice(
  parts: Pick<GreenfieldInvoiceParts, "invoices">,
  key: MerchantKey,
  id: string,
): Promise<Invoice> {
  if (!INVOICE.test(id)) throw new SvcError("gateway/no-invoice", {});
  return keyedInvoice(id, key, parts);
}

/** The states of the gateway that a state there may be. */
const STATUSES_OF: Readonly<Record<GreenfieldStatus, readonly InvoiceStatus[]>> = {
  New: ["new", "partial"],
  Processing: ["paid"],
  Expired: ["expired", "partial", "paidLate"],
  Settled: ["confirmed", "overpaid"],
  Invalid: ["expired", "paidLate"],
};

/** A part of the merchant's list, the newest first. Rejects with `api/bad-field`. */
async function listed(
  { invoices, place }: GreenfieldInvoiceParts,
  { key, query }: GreenfieldCall,
): Promise<readonly Invoice[]> {
  const statuses = query("status").map(statusOf);
  const skip = countOf("skip", query("skip"), 0, GREENFIELD_LIMITS.greenfieldSkipMax);
  const take = countOf("take", query("take"), MERCHANT_LIMITS.rowsDefault, MERCHANT_LIMITS.rowsMax);
  const filter: InvoiceFilter = {
    orderIds: wordsOf("orderId", query("orderId")),
    statuses: [...new Set(statuses.flatMap((status) => STATUSES_OF[status]))],
    text: textOf(query("textSearch")),
    fromMs: timeOf("startDate", query("startDate")),
    toMs: timeOf("endDate", query("endDate")),
    withArchived: query("includeArchived")[0] === "true",
  };
  const found: Invoice[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < GREENFIELD_LIMITS.greenfieldListPages; page += 1) {
    const part: Awaited<ReturnType<InvoicePort["list"]>> = await invoices.list(
      ...([key.merchant.id, filter, cursor, MERCHANT_LIMITS.rowsMax] as const),
    );
    const { nowMs } = place();
    found.push(
      ...part.rows.filter(
        (row) => statuses.length === 0 || statuses.includes(greenfieldState(row, nowMs).status),
      ),
    );
    cursor = part.next;
    if (cursor === null || found.length >= skip + take) break;
  }
  return found.slice(skip, skip + take);
}

function statusOf(word: string): GreenfieldStatus {
  const found = GREENFIELD_STATUSES.find((status) => status.toLowerCase() === word.toLowerCase());
  if (found !== undefined) return found;
  const expected = GREENFIELD_STATUSES.join(", ");
  throw new SvcError("api/bad-field", { field: "status", expected: `one of ${expected}` });
}

function wordsOf(field: string, words: readonly string[]): readonly string[] {
  const { filterWords, orderIdChars } = MERCHANT_LIMITS;
  if (words.length <= filterWords && words.every((word) => word.length <= orderIdChars)) {
    return words;
  }
  throw new SvcError("api/bad-field", { field, expected: `at most ${filterWords} order numbers` });
}

function textOf([text]: readonly string[]): string | null {
  if (text === undefined || text === "") return null;
  if (text.length <= MERCHANT_LIMITS.searchChars) return text;
  const expected = `at most ${MERCHANT_LIMITS.searchChars} characters`;
  throw new SvcError("api/bad-field", { field: "textSearch", expected });
}

function countOf(field: string, [text]: readonly string[], usual: number, most: number): number {
  if (text === undefined) return usual;
  const count = COUNT.test(text) ? Number(text) : -1;
  if (count >= 0 && count <= most) return count;
  throw new SvcError("api/bad-field", { field, expected: `a whole number from 0 to ${most}` });
}

function timeOf(field: string, [text]: readonly string[]): bigint | null {
  if (text === undefined) return null;
  if (TIME.test(text)) return BigInt(text) * 1_000n;
  throw new SvcError("api/bad-field", { field, expected: "a time in Unix seconds" });
}
