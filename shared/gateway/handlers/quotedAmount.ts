/** The amount of a price at the newest rate. */
import type { Sompi } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { InvoiceQuote } from "../../invoice/invoice.ts";
import { priceToSompi } from "../../invoice/priceToSompi.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import type { PricePort } from "../pricePort.ts";

/** An amount, and the quote that it was made with. */
export type QuotedAmount = { readonly amount: Sompi; readonly quote: InvoiceQuote };

/** Makes the amount of a price. Rejects with `gateway/price-stale` where no rate is fresh, `amount/too-large`. */
export async function quotedAmount(
  { currency, value }: { readonly currency: string; readonly value: string },
  prices: PricePort,
): Promise<QuotedAmount> {
  const rate = await prices.rate(currency);
  if (rate === null || rate.isStale) throw new SvcError("gateway/price-stale", { currency });
  const amount = priceToSompi(value, rate.rate);
  if (amount > MERCHANT_LIMITS.amountSompiMax) {
    throw new SvcError("amount/too-large", { text: value });
  }
  const { source, toldMs } = rate;
  return { amount, quote: { currency, value, rate: rate.rate, source, quotedMs: toldMs } };
}
