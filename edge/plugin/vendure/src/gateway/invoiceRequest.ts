import { createHash } from "node:crypto";
import type { Order, RequestContext } from "@vendure/core";
import { priceInSompi } from "../base/money.ts";
import type { CheckedOptions } from "../base/pluginOptions.ts";

/** Hex digits of the hash that tells this shop from others at the same gateway. */
const SITE_DIGITS = 16;

/**
 * The body that asks for an invoice, as JSON: the same one each time for the same order, price and options. Null where the price is
 * no amount in this currency.
 */
export function invoiceBody(order: Order, value: string, options: CheckedOptions): string | null {
  const { conversion, expiresInS, requiredBlueScore, redirectUrl, language } = options;
  const currency: string = order.currencyCode;
  const rate = conversion === "gateway" ? null : (conversion[currency] ?? "");
  const amount = rate === null ? null : priceInSompi(value, rate);
  if (rate !== null && amount === null) return null;
  return JSON.stringify({
    orderId: order.code,
    ...(amount === null ? { price: { currency, value } } : { amountSompi: String(amount) }),
    expiresIn: expiresInS,
    requiredBlueScore,
    ...(redirectUrl === null ? {} : { redirectUrl }),
    ...(language === null ? {} : { language }),
    metadata: { platform: "vendure", currency, total: value, ...(rate === null ? {} : { rate }) },
  });
}

/** Key of an attempt to pay an order: an attempt that is repeated has the same one. */
export function invoiceKey(ctx: RequestContext, order: Order, attempt: number): string {
  return `vendure-${siteOf(ctx)}-${order.code}-${attempt}`;
}

/** Key of a refund of an order. */
export function refundKey(ctx: RequestContext, order: Order, number: number): string {
  return `vendure-${siteOf(ctx)}-${order.code}-refund-${number}`;
}

/** The token of a channel is drawn by each shop. */
function siteOf(ctx: RequestContext): string {
  return createHash("sha256").update(ctx.channel.token).digest("hex").slice(0, SITE_DIGITS);
}
