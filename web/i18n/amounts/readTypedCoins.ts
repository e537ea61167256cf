/** Amounts of coins as people type them in their language. What is not exactly one amount is refused, never guessed. */
import { COIN_DECIMALS, parseCoins } from "@svc/shared/base/money.ts";
import type { Sompi } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { numberSigns } from "./numberSigns.ts";

/** The longest text that is looked at: 20 digits of coins in groups, 8 decimals, and spaces around. */
const MAX_TYPED_CHARS = 60;
/** Characters of a refused text that its error repeats. */
const TOLD_CHARS = 40;
/** Spaces (of numbers, too) and apostrophes: thousands are set apart by them in any language. */
const ANY_GROUP = String.raw`[ \u00A0\u2009\u202F'’]`;

/**
 * Reads an amount of coins to pay: digits, in groups of three or not, and at most eight decimals. Groups are set apart by the
 * sign of the language, by spaces or by apostrophes, by one of them throughout; decimals begin with the sign of the language.
 * Either side of that sign may be empty, not both. “1.234” is a thousand and more in German, and little more than one in English.
 * What is no number in the language is read with its two signs exchanged, where that can mean one thing only: “1,5” is one and a half in
 * English, too. “1234,567” could be thousands, and is refused there.
 * Throws `amount/malformed`, `amount/negative`, `amount/too-many-decimals`, `amount/zero`, `amount/too-large`.
 */
export function readTypedCoins(text: string, locale: string): Sompi {
  const trimmed = text.length > MAX_TYPED_CHARS ? "" : text.trim();
  const { group, decimal } = numberSigns(locale);
  const match = typedForm(group, decimal).exec(trimmed) ?? exchanged(trimmed, decimal);
  const { sign = "", whole = "", fraction = "" } = match?.groups ?? {};
  if (match === null || whole + fraction === "") {
    throw new SvcError("amount/malformed", { text: text.trim().slice(0, TOLD_CHARS) });
  }
  if (fraction.length > COIN_DECIMALS) {
    throw new SvcError("amount/too-many-decimals", { text: trimmed, max: COIN_DECIMALS });
  }
  const digits = whole.replaceAll(/\D/g, "");
  return parseCoins(`${sign === "" ? "" : "-"}${digits || "0"}.${fraction || "0"}`);
}

/** A text with the signs of other languages; null, too, where three digits behind one sign might be thousands. */
function exchanged(text: string, decimal: string): RegExpExecArray | null {
  const match = typedForm(decimal, decimal === "," ? "." : ",").exec(text);
  const { apart, fraction = "" } = match?.groups ?? {};
  return apart === undefined && fraction.length === 3 ? null : match;
}

function typedForm(group: string, decimal: string): RegExp {
  const groups = String.raw`\d{1,3}(?<apart>${ANY_GROUP}|${escaped(group)})\d{3}(?:\k<apart>\d{3})*`;
  return new RegExp(
    String.raw`^(?<sign>[-−]?)(?<whole>${groups}|\d*)(?:${escaped(decimal)}(?<fraction>\d*))?$`,
  );
}

function escaped(sign: string): string {
  return sign.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
