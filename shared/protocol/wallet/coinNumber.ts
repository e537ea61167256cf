/** Amounts of coins that are written as JSON numbers, `amount_fc`: read from their digits, never through a float. */
import { COIN_DECIMALS } from "../../base/money.ts";

const NUMBER_FORM = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
/** The longest text of a number that is looked at; a double has 25 characters at most. */
const TEXT_LENGTH = 64;
/** Powers of ten beyond which a number of this length is above every amount, or below every part of one. */
const SHIFT = 2 * TEXT_LENGTH;

/**
 * Sompi of a JSON number of coins, rounded half away from zero where it has more than eight decimals; 0 for one below zero.
 * Undefined for what is no number, or too long to be one of money. The result may exceed 64 bits.
 */
export function sompiOfCoins(text: string): bigint | undefined {
  const match = text.length > TEXT_LENGTH ? null : NUMBER_FORM.exec(text);
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + COIN_DECIMALS;
  if (sign === "-" || digits === 0n) return 0n;
  if (shift > SHIFT) return undefined;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  if (shift < -SHIFT) return 0n;
  const unit = 10n ** BigInt(-shift);
  return (digits + unit / 2n) / unit;
}
