/**
 * Amounts of money: parsing and formatting of coins, which the chain counts in sompi. Integer arithmetic throughout: no float
 * ever holds money.
 */
import { asSompi, U64_MAX, type Sompi } from "./brand.ts";
import { SvcError } from "./svcError.ts";

/** Decimals of one coin. */
export const COIN_DECIMALS = 8;
/** Sompi of one coin. */
export const SOMPI_PER_COIN = 10n ** BigInt(COIN_DECIMALS);

/** The most that a note or a sum of notes may be worth: 29 thousand million coins (specification consensus 1.3). */
export const MAX_SOMPI = 29_000_000_000n * SOMPI_PER_COIN;

const AMOUNT_FORM = /^(-?)(\d+)(?:\.(\d+))?$/;
/** The longest text that can hold an amount; longer input is not looked at. */
const MAX_TEXT_LENGTH = 40;

/**
 * Reads an amount of coins to pay: digits, optionally a point and at most eight decimals.
 * Throws `amount/malformed`, `amount/negative`, `amount/too-many-decimals`, `amount/zero`,
 * `amount/too-large`.
 */
export function parseCoins(text: string): Sompi {
  const trimmed = text.trim();
  const match = trimmed.length > MAX_TEXT_LENGTH ? null : AMOUNT_FORM.exec(trimmed);
  if (match === null)
    throw new SvcError("amount/malformed", { text: trimmed.slice(0, MAX_TEXT_LENGTH) });
  const [, sign = "", whole = "", fraction = ""] = match;
  if (fraction.length > COIN_DECIMALS) {
    throw new SvcError("amount/too-many-decimals", { text: trimmed, max: COIN_DECIMALS });
  }
  const value = BigInt(whole) * SOMPI_PER_COIN + BigInt(fraction.padEnd(COIN_DECIMALS, "0"));
  if (value === 0n) throw new SvcError("amount/zero", {});
  if (sign === "-") throw new SvcError("amount/negative", { text: trimmed });
  if (value > U64_MAX) throw new SvcError("amount/too-large", { text: trimmed });
  return asSompi(value);
}

/** Coins in plain decimal without superfluous zeros: `12.345`, `0`, `1`. Differences may be negative. */
export function formatCoins(value: bigint): string {
  const magnitude = value < 0n ? -value : value;
  const whole = magnitude / SOMPI_PER_COIN;
  const fraction = (magnitude % SOMPI_PER_COIN)
    .toString()
    .padStart(COIN_DECIMALS, "0")
    .replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}
