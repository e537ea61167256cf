/** The amount of an invoice from a price in another currency: exact decimals, rounded up to a whole sompi. */
import { asSompi, U64_MAX, type Sompi } from "../base/brand.ts";
import { COIN_DECIMALS } from "../base/money.ts";
import { SvcError } from "../base/svcError.ts";

const DECIMAL = /^(\d{1,20})(?:\.(\d{1,18}))?$/;

/**
 * Sompi of a price, given the price of one coin in the same currency. Both are decimal text without sign or exponent. Throws
 * `amount/malformed`, `amount/zero` for a price or a rate of nothing, `amount/too-large` beyond 64 bits.
 */
export function priceToSompi(value: string, rate: string): Sompi {
  const price = decimalOf(value);
  const coin = decimalOf(rate);
  if (price.digits === 0n || coin.digits === 0n) throw new SvcError("amount/zero", {});
  const numerator = price.digits * 10n ** BigInt(COIN_DECIMALS + coin.scale);
  const denominator = coin.digits * 10n ** BigInt(price.scale);
  const sompi = (numerator + denominator - 1n) / denominator;
  if (sompi > U64_MAX) throw new SvcError("amount/too-large", { text: value });
  return asSompi(sompi);
}

function decimalOf(text: string): { readonly digits: bigint; readonly scale: number } {
  const [, whole, fraction = ""] = DECIMAL.exec(text) ?? [];
  if (whole === undefined) throw new SvcError("amount/malformed", { text: text.slice(0, 40) });
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}
