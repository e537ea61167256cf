/** An amount that is being typed: digits, with one decimal sign at most. No float is between. */
import { readDecimal, withScale, type Decimal } from "@svc/shared/gateway/till/decimals.ts";

/** Digits before the decimal sign that a price may have. */
const WHOLE_DIGITS = 12;

/** The text after a key was pressed: a digit, `.` or `back`. What would be no amount leaves it as it was. */
export function typed(text: string, key: string, decimals: number): string {
  if (key === "back") return text.slice(0, -1);
  if (key === ".") return isAmount(`${text || "0"}.`, decimals) ? `${text || "0"}.` : text;
  const next = text === "0" ? key : text + key;
  return isAmount(next, decimals) ? next : text;
}

/** What is left of a text that was typed or pasted: a comma is a decimal sign, too. Null for one that is no amount. */
export function cleaned(text: string, decimals: number): string | null {
  const plain = text.trim().replace(",", ".");
  return plain === "" || isAmount(plain, decimals) ? plain : null;
}

/** The amount with all its decimals; null for nothing. */
export function amountIn(text: string, decimals: number): Decimal | null {
  const read = readDecimal(text.replace(/\.$/, ""));
  return read === null || read.digits === 0n ? null : withScale(read, decimals);
}

function isAmount(text: string, decimals: number): boolean {
  const [whole = "", fraction, more] = text.split(".");
  const isWhole = /^\d*$/.test(whole) && whole.length <= WHOLE_DIGITS;
  if (fraction === undefined) return isWhole && whole !== "";
  if (more !== undefined || decimals === 0) return false;
  return isWhole && /^\d*$/.test(fraction) && fraction.length <= decimals;
}
