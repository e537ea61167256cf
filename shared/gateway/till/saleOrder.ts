/** The order of a sale: what a till asks an invoice for. Its order number is the till and its day, by which the till's own sales are found. */
import type * as v from "valibot";
import { asSompi, type Sompi, type TimestampMs } from "../../base/brand.ts";
import { decimalText, readDecimal, sumOf } from "./decimals.ts";
import { SvcError } from "../../base/svcError.ts";
import { priceToSompi } from "../../invoice/priceToSompi.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import type { TILL_ROUTES } from "../../protocol/gateway/routes/tillRoutes.ts";
import type { InvoiceOrder, RequestKey } from "../gatewayPorts.ts";
import { orderOf } from "../handlers/orderOf.ts";
import { seconds } from "../invoiceRecordOf.ts";
import type { PricePort } from "../pricePort.ts";
import { dayOf } from "./tillDay.ts";
import type { Till } from "./tillPort.ts";

/** What a till rings up. */
export type SaleTerms = v.InferOutput<(typeof TILL_ROUTES)["createSale"]["body"]>;

/** The order number of a till's sales of a day. No other till has it, since names have no slash. */
export function dayOrder(till: string, day: string): string {
  return `pos/${till}/${day}`;
}

/** A till's idempotency key has a blank, which no key of the API has: a till meets no key of its merchant or of another till. */
export function tillRequest(till: string, request: RequestKey | null): RequestKey | null {
  return request === null ? null : { ...request, key: `pos ${till} ${request.key}` };
}

/**
 * Makes the order. Rejects with `gateway/price-stale`, `amount/too-large`, and with `api/bad-field` for a currency that is not the till's.
 */
export async function saleOrder(
  terms: SaleTerms,
  till: Till,
  { prices, nowMs }: { readonly prices: PricePort; readonly nowMs: TimestampMs },
): Promise<InvoiceOrder> {
  const orderId = dayOrder(till.name, dayOf(seconds(nowMs), till.timeZone));
  const { price } = terms;
  if (price === null || price === undefined) {
    const tip = terms.tipSompi ?? asSompi(0n);
    const amountSompi = sumWithin(terms.amountSompi ?? asSompi(0n), tip);
    const order = await orderOf({ orderId, amountSompi }, till.merchant, prices);
    return withTip(order, till, { tipSompi: tip, tip: null });
  }
  if (price.currency !== till.currency) {
    const expected = `the currency of the till, ${till.currency ?? "which has none"}`;
    throw new SvcError("api/bad-field", { field: "price.currency", expected });
  }
  const tip = price.tip ?? null;
  const value = tip === null ? price.value : sumText(price.value, tip);
  const whole = { currency: price.currency, value };
  const order = await orderOf({ orderId, price: whole }, till.merchant, prices);
  // Rounding goes to the goods: the tip is never more than what was said.
  const goods = order.quote === null ? 0n : priceToSompi(price.value, order.quote.rate);
  const tipSompi = asSompi(tip === null ? 0n : order.amountSompi - goods);
  return withTip(order, till, { tipSompi, tip });
}

function sumWithin(amount: Sompi, tip: Sompi): Sompi {
  const sum = amount + tip;
  if (sum <= MERCHANT_LIMITS.amountSompiMax) return asSompi(sum);
  throw new SvcError("amount/too-large", { text: String(sum) });
}

function sumText(value: string, tip: string): string {
  const [a, b] = [readDecimal(value), readDecimal(tip)];
  if (a === null || b === null) throw new SvcError("amount/malformed", { text: value });
  return decimalText(sumOf(a, b));
}

function withTip(
  order: InvoiceOrder,
  { name }: Till,
  { tipSompi, tip }: { readonly tipSompi: Sompi; readonly tip: string | null },
): InvoiceOrder {
  const metadata = { till: name, tipSompi: String(tipSompi), ...(tip === null ? {} : { tip }) };
  return { ...order, metadata };
}
