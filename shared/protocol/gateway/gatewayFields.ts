/**
 * Schemas of the fields of requests of the gateway API. Money is decimal text, a count is a JSON integer, and null stands for a
 * field that is left out. The message of a schema is what the field must be, as an error says it.
 */
import * as v from "valibot";
import { asSompi, type Sompi } from "../../base/brand.ts";
import { formOf, type FieldSchema } from "../contract/fieldForm.ts";
import { NumberText } from "../contract/numberText.ts";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import { hasAtMostChars } from "./hasAtMostChars.ts";
import { isWebUrl } from "./webUrl.ts";

const COUNT = /^(?:0|[1-9]\d{0,14})$/;
const SOMPI_PATTERN = "^(0|[1-9][0-9]{0,18})$";
const SOMPI = new RegExp(SOMPI_PATTERN);
/** Control characters, invisible ones that reorder text, halves of characters, and breaks of lines. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;

/** A whole number from `least` to `most` as a JSON integer. */
export function wholeField(least: number, most: number, description: string) {
  const must = `a whole number from ${least} to ${most}`;
  return v.pipe(
    v.custom<number | NumberText>(
      (value) => value instanceof NumberText || typeof value === "number",
      must,
    ),
    formOf({ type: "integer", minimum: least, maximum: most, description }),
    v.rawTransform(({ dataset, addIssue, NEVER }): number => {
      const { value } = dataset;
      const text = value instanceof NumberText ? value.text : String(value);
      const number = COUNT.test(text) ? Number(text) : -1;
      if (number >= least && number <= most) return number;
      addIssue({ message: must });
      return NEVER;
    }),
  );
}

/** Sompi from `least` to the largest amount of an invoice, as decimal text without sign and leading zeros. */
export function amountField(least: bigint, description: string) {
  const most = MERCHANT_LIMITS.amountSompiMax;
  const must = `decimal text of sompi from ${least} to ${most}`;
  return v.pipe(
    v.custom<string | bigint>(
      (value) => typeof value === "string" || typeof value === "bigint",
      must,
    ),
    formOf({ type: "string", pattern: SOMPI_PATTERN, description }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Sompi => {
      const text = String(dataset.value);
      const amount = SOMPI.test(text) ? BigInt(text) : -1n;
      if (amount >= least && amount <= most) return asSompi(amount);
      addIssue({ message: must });
      return NEVER;
    }),
  );
}

/** A text of 1 to `most` printable characters. */
export function printableField(most: number, description: string) {
  const must = `1 to ${most} printable characters`;
  return v.pipe(
    v.string(must),
    formOf({ type: "string", minLength: 1, maxLength: most, description }),
    v.check((text) => text !== "" && hasAtMostChars(text, most) && !UNPRINTABLE.test(text), must),
  );
}

/** A text of a form that a pattern gives. `must`: what an error says that it must be. */
export function patternField(pattern: RegExp, must: string, description?: string) {
  const about = description === undefined ? {} : { description };
  return v.pipe(
    v.string(must),
    formOf({ type: "string", pattern: pattern.source, ...about }),
    v.regex(pattern, must),
  );
}

/** The id of something in a path. */
export function idField(of: string) {
  return patternField(/^[A-Za-z0-9_-]{1,64}$/, `the id of ${of}`);
}

/** An address of http or https. */
export function urlField(description: string) {
  const must = `a URL of http or https of at most ${MERCHANT_LIMITS.urlChars} characters`;
  return v.pipe(
    v.string(must),
    formOf({ type: "string", maxLength: MERCHANT_LIMITS.urlChars, description }),
    v.check(isWebUrl, must),
  );
}

/** A currency by its three letters (ISO 4217). */
export const currencyField = patternField(
  /^[A-Z]{3}$/,
  "three capital letters",
  "Three letters of ISO 4217.",
);

const PRICE = new RegExp(
  `^(?:0|[1-9][0-9]{0,${MERCHANT_LIMITS.priceDigits - 1}})(?:\\.[0-9]{1,${MERCHANT_LIMITS.priceDecimals}})?$`,
);
const PRICE_MUST = "a positive number as plain decimal text";

/** A price in a currency as decimal text: no float is ever between. */
export const priceField = v.pipe(
  v.string(PRICE_MUST),
  formOf({
    type: "string",
    pattern: PRICE.source,
    description: "A positive number as decimal text.",
  }),
  v.check((text) => PRICE.test(text) && /[1-9]/.test(text), PRICE_MUST),
);

function isText(value: unknown): value is string {
  return typeof value === "string";
}

/**
 * Words of a query whose name may be repeated, `?status=paid&status=confirmed`; none where it is left out. `is` tells the words
 * that are taken, `must` what an error says that they must be.
 */
export function queryWords<W extends string>(
  is: (word: string) => word is W,
  must: string,
  form: FieldSchema,
) {
  const most = MERCHANT_LIMITS.filterWords;
  return v.optional(
    v.pipe(
      v.custom<string | readonly string[]>(
        (value) => isText(value) || (Array.isArray(value) && value.every(isText)),
        must,
      ),
      formOf({ type: "array", items: form, maxItems: most }),
      v.rawTransform(({ dataset, addIssue, NEVER }): readonly W[] => {
        const words: readonly string[] = isText(dataset.value) ? [dataset.value] : dataset.value;
        const taken = words.filter(is);
        if (taken.length === words.length && words.length <= most) return taken;
        addIssue({ message: words.length > most ? `at most ${most} words` : must });
        return NEVER;
      }),
    ),
    [],
  );
}

/** A time of a query in Unix seconds. */
export function querySeconds(description: string) {
  const must = "a time in Unix seconds";
  return v.optional(
    v.pipe(
      v.string(must),
      formOf({ type: "integer", minimum: 0, description }),
      v.regex(/^\d{1,12}$/, must),
      v.transform(Number),
    ),
  );
}

/** The cursor of a list: what an earlier answer gave as `next`. */
export const queryCursor = v.optional(
  patternField(
    new RegExp(`^[A-Za-z0-9._~-]{1,${MERCHANT_LIMITS.cursorChars}}$`),
    "the cursor of an earlier answer",
    "The `next` of an earlier answer; the list begins anew without it.",
  ),
);
