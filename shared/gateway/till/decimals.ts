/** Decimal numbers of any size as whole numbers with a scale: prices and their sums, without a float between. Nothing here throws. */

/** `digits` × 10^-`scale`. */
export type Decimal = { readonly digits: bigint; readonly scale: number };

const FORM = /^(\d{1,30})(?:\.(\d{1,18}))?$/;

/** Reads plain decimal text without sign and exponent; null for any other. */
export function readDecimal(text: string): Decimal | null {
  const [, whole, fraction = ""] = FORM.exec(text) ?? [];
  return whole === undefined ? null : { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Plain decimal text with as many decimals as the scale says. */
export function decimalText({ digits, scale }: Decimal): string {
  const text = String(digits).padStart(scale + 1, "0");
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

/** The same number with at least so many decimals. */
export function withScale(number: Decimal, scale: number): Decimal {
  if (number.scale >= scale) return number;
  return { digits: number.digits * 10n ** BigInt(scale - number.scale), scale };
}

/** The sum, with the decimals of the finer one. */
export function sumOf(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: withScale(a, scale).digits + withScale(b, scale).digits, scale };
}

/** A part of a hundred of a number, rounded to its decimals, the half up. `percent` is a whole number. */
export function percentOf({ digits, scale }: Decimal, percent: number): Decimal {
  return { digits: (digits * BigInt(percent) + 50n) / 100n, scale };
}
