/**
 * Rows of the BTCPay interface about refunds. Theirs is a pull payment: a link by which a payer takes money. Here it is a claim on the
 * payments of an invoice, which its merchant approves.
 *
 * A shop's plugin names no invoice with a pull payment; the order number stands in its name. So the words of the name before its
 * first semicolon are looked for among the merchant's orders, and exactly one invoice must be found.
 */
import * as v from "valibot";
import { asSompi, type InvoiceId, type Sompi } from "../../base/brand.ts";
import { formatCoins, parseCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Invoice } from "../../invoice/invoice.ts";
import { priceToSompi } from "../../invoice/priceToSompi.ts";
import type { Refund } from "../../invoice/refund.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { readPart } from "../../protocol/contract/requestParts.ts";
import type { InvoicePort, MerchantKey } from "../gatewayPorts.ts";
import { seconds, type RecordPlace } from "../invoiceRecordOf.ts";
import type { RefundOffer, RefundPort } from "../refundPort.ts";
import { refundRecordOf } from "../refundRecordOf.ts";
import type { GreenfieldRow } from "./greenfieldCall.ts";
import { ownInvoice } from "./greenfieldInvoices.ts";
import { GREENFIELD_LIMITS } from "./greenfieldLimits.ts";
import type { JsonObject } from "./greenfieldMetadata.ts";
import { decimalText } from "./greenfieldOrder.ts";

/** Dependencies. */
export type GreenfieldRefundParts = {
  readonly invoices: InvoicePort;
  readonly refunds: RefundPort;
  readonly place: () => RecordPlace;
  readonly coin: string;
};

const name = v.pipe(v.string(), v.maxLength(GREENFIELD_LIMITS.greenfieldNameChars));
const pullForm = v.looseObject({
  name: v.nullish(name),
  description: v.nullish(name),
  amount: decimalText,
  currency: v.string(),
});
const refundForm = v.looseObject({
  name: v.nullish(name),
  description: v.nullish(name),
  refundVariant: v.picklist(
    ["RateThen", "OverpaidAmount", "Custom"],
    "RateThen, OverpaidAmount or Custom: a refund is of coins that were paid",
  ),
  subtractPercentage: v.nullish(decimalText),
  customAmount: v.nullish(decimalText),
  customCurrency: v.nullish(v.string()),
});

/** States of invoices that have something to pay back. */
const PAID = ["confirmed", "overpaid", "paidLate"] as const;
const NOTHING = /^0+(?:\.0+)?$/;

/** Makes them. */
export function greenfieldRefunds(parts: GreenfieldRefundParts): readonly GreenfieldRow[] {
  const { refunds, place, coin } = parts;
  const made = async (key: MerchantKey, invoice: InvoiceId, offer: RefundOffer, label: string) => {
    const { refund } = await refunds.create(key.merchant.id, invoice, offer, null);
    return pullPayment(refund, place(), { label, coin });
  };
  return [
    {
      ...{ method: "POST", path: "/stores/:storeId/pull-payments", scope: "refunds" },
      rate: "createRefund",
      answer: async ({ key, body }) => {
        const wish = readPart(pullForm, body, "body");
        const label = wish.name ?? "";
        const invoice = await namedInvoice(parts, key, label);
        const amount = coinsOf(invoice, wish.amount, wish.currency, coin);
        const offer = {
          kind: "custom",
          amount,
          reason: reasonOf(label, wish.description),
        } as const;
        return made(key, invoice.terms.id, offer, label);
      },
    },
    {
      ...{ method: "POST", path: "/stores/:storeId/invoices/:id/refund", scope: "refunds" },
      rate: "createRefund",
      answer: async ({ key, param, body }) => {
        const invoice = await ownInvoice(parts, key, param("id"));
        const wish = readPart(refundForm, body, "body");
        const label = wish.name ?? `Refund ${invoice.terms.id}`;
        const offer = offerOf(invoice, wish, coin);
        return made(key, invoice.terms.id, offer, label);
      },
    },
  ];
}

function offerOf(
  invoice: Invoice,
  wish: v.InferOutput<typeof refundForm>,
  coin: string,
): RefundOffer {
  const { refundVariant, subtractPercentage } = wish;
  const reason = reasonOf(wish.name ?? "", wish.description);
  if (!NOTHING.test(subtractPercentage ?? "0")) {
    throw new SvcError("api/bad-field", { field: "subtractPercentage", expected: "0" });
  }
  if (refundVariant === "RateThen") return { kind: "all", amount: null, reason };
  if (refundVariant === "OverpaidAmount") return { kind: "overpaid", amount: null, reason };
  const text = wish.customAmount ?? null;
  if (text === null) throw new SvcError("api/missing-field", { field: "customAmount" });
  return {
    kind: "custom",
    amount: coinsOf(invoice, text, wish.customCurrency ?? coin, coin),
    reason,
  };
}

/** Coins of an amount: at the rate that the invoice was made with, where it is in its currency. Throws `amount/…`, `api/bad-field`. */
function coinsOf({ terms }: Invoice, amount: string, currency: string, coin: string): Sompi {
  const code = currency.toUpperCase();
  if (code === coin) return parseCoins(amount);
  if (terms.quote?.currency === code) return asSompi(priceToSompi(amount, terms.quote.rate));
  const expected = terms.quote === null ? coin : `${terms.quote.currency} or ${coin}`;
  throw new SvcError("api/bad-field", { field: "currency", expected });
}

function reasonOf(label: string, description: string | null | undefined): string | null {
  const text = description ?? label;
  return text === "" ? null : text.slice(0, MERCHANT_LIMITS.reasonChars);
}

/** The one invoice whose order the name has. Rejects with `api/bad-field`. */
async function namedInvoice(
  { invoices }: GreenfieldRefundParts,
  key: MerchantKey,
  label: string,
): Promise<Invoice> {
  const [head = ""] = label.split(";");
  const words = [...new Set(head.split(/[\s#:.,]+/))].filter((word) => word !== "");
  const found: Invoice[] = [];
  // Each word by itself: then the list is looked up by the order, however long it is.
  for (const word of words.slice(0, MERCHANT_LIMITS.filterWords)) {
    const filter = {
      ...{ orderIds: [word], statuses: PAID },
      ...{ text: null, fromMs: null, toMs: null, withArchived: true },
    };
    found.push(...(await invoices.list(key.merchant.id, filter, null, 2)).rows);
  }
  const [first, another] = found;
  if (first !== undefined && another === undefined) return first;
  const expected = "a text with the number of one order that was paid";
  throw new SvcError("api/bad-field", { field: "name", expected });
}

/** A refund as a pull payment. Its amount is in coins, whatever currency was asked in. */
function pullPayment(
  refund: Refund,
  place: RecordPlace,
  { label, coin }: { readonly label: string; readonly coin: string },
): JsonObject {
  const { terms } = refund;
  return {
    id: terms.id,
    name: label,
    description: terms.reason ?? "",
    currency: coin,
    amount: formatCoins(terms.amount),
    period: null,
    BOLT11Expiration: 0,
    autoApproveClaims: false,
    startsAt: seconds(terms.createdMs),
    expiresAt: seconds(terms.expiresMs),
    archived: false,
    viewLink: refundRecordOf(refund, place).claimUrl,
  };
}
