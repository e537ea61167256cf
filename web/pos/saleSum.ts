/** What a sale comes to: its amount, its tip, and about how many coins that is. */
import { percentOf, type Decimal } from "@svc/shared/gateway/till/decimals.ts";

/** Decimals of coins. */
export const COIN_DECIMALS = 8;

/** A tip as it was chosen: percent of the amount, or an amount of its own. */
export type TipChoice =
  | { readonly kind: "percent"; readonly percent: number }
  | { readonly kind: "own"; readonly tip: Decimal | null };

/** The tip; null for one that was to be typed and was not. */
export function tipOf(amount: Decimal, choice: TipChoice): Decimal | null {
  return choice.kind === "own" ? choice.tip : percentOf(amount, choice.percent);
}

/** Sompi that a price comes to at a rate, rounded up as the gateway rounds. Null for a rate of nothing. The gateway has the last word. */
export function sompiAbout(price: Decimal, rate: Decimal): bigint | null {
  if (rate.digits === 0n) return null;
  const numerator = price.digits * 10n ** BigInt(COIN_DECIMALS + rate.scale);
  const denominator = rate.digits * 10n ** BigInt(price.scale);
  return (numerator + denominator - 1n) / denominator;
}
