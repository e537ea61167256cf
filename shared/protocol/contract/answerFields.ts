/**
 * Schemas of the fields of answers. What goes in is what a handler writes and what JSON holds; what comes out is what a client
 * works with: a `bigint` for money, a number for counts and scores.
 */
import * as v from "valibot";
import { asSompi, asTxId, U64_MAX } from "../../base/brand.ts";
import { formOf, U64_FORM } from "./fieldForm.ts";
import { NumberText } from "./numberText.ts";

const U64_TEXT = /^(?:0|[1-9]\d{0,19})$/;
const INTEGER_TEXT = /^(?:0|-?[1-9]\d{0,19})$/;

function isU64(value: unknown): value is string | bigint {
  const text = typeof value === "bigint" ? String(value) : value;
  return typeof text === "string" && U64_TEXT.test(text) && BigInt(text) <= U64_MAX;
}

/** An amount as decimal text. A handler gives a `bigint`. `description`: what is counted, for the documents. */
export function sompiOf(description: string) {
  return v.pipe(
    v.custom<string | bigint>(isU64, "decimal text of 64 bits"),
    formOf({ ...U64_FORM, description }),
    v.transform((value) => asSompi(BigInt(value))),
  );
}

/** An amount as decimal text, with nothing said about it. */
export const sompi = sompiOf("Sompi.");

/** Coins as decimal text, for people: with all eight decimals. Fewer are read, too. */
export const coins = v.pipe(
  v.string(),
  formOf({
    type: "string",
    pattern: String.raw`^[0-9]{1,12}\.[0-9]{8}$`,
    description: "Coins as decimal text with eight decimals.",
  }),
  v.regex(/^\d{1,20}(?:\.\d{1,8})?$/),
);

/** A whole number below 2^53: counts, scores, times. `description`: what is counted, for the documents. */
export function integerOf(description?: string) {
  return v.pipe(
    v.custom<number | NumberText>(
      (value) => value instanceof NumberText || typeof value === "number",
      "an integer",
    ),
    formOf({ type: "integer", ...(description === undefined ? {} : { description }) }),
    v.transform((value) => Number(value instanceof NumberText ? value.text : value)),
    v.safeInteger("an integer below 2^53"),
  );
}

/** A whole number below 2^53, with nothing said about it. */
export const integer = integerOf();

/** A whole number that is written digit for digit and may exceed 2^53. */
export const exactInteger = v.pipe(
  v.instance(NumberText, "an integer"),
  formOf({ type: "integer", description: "May exceed 2^53: read its digits." }),
  v.check(({ text }) => INTEGER_TEXT.test(text), "an integer"),
  v.transform(({ text }) => BigInt(text)),
);

/** A share of the whole, 0 to 1. */
export const share = v.pipe(
  v.custom<number | NumberText>(
    (value) => value instanceof NumberText || typeof value === "number",
    "a number",
  ),
  formOf({ type: "number", minimum: 0, maximum: 1 }),
  v.transform((value) => Number(value instanceof NumberText ? value.text : value)),
  v.minValue(0),
  v.maxValue(1),
);

/** Coins as a JSON number, written digit for digit; read the exact twin beside it. */
export const coinNumber = v.pipe(
  v.instance(NumberText, "a number"),
  formOf({
    type: "number",
    description: "Coins, for people: the twin beside it is exact.",
  }),
  v.transform(({ text }) => text),
);

/** True or false. `description`: of what, for the documents. */
export function flagOf(description?: string) {
  const about = description === undefined ? {} : { description };
  return v.pipe(v.boolean(), formOf({ type: "boolean", ...about }));
}

/** True or false, with nothing said about it. */
export const flag = flagOf();

/** A text. `description`: what it says, for the documents. */
export function textOf(description?: string) {
  const about = description === undefined ? {} : { description };
  return v.pipe(v.string(), formOf({ type: "string", ...about }));
}

/** A text, with nothing said about it. */
export const text = textOf();

/** Hexadecimal of a number of bytes, of any even length where it is left out. */
export function hex(bytes?: number) {
  const pattern = bytes === undefined ? "^(?:[0-9a-f]{2})*$" : `^[0-9a-f]{${2 * bytes}}$`;
  return v.pipe(v.string(), formOf({ type: "string", pattern }), v.regex(new RegExp(pattern)));
}

/** The identity of a transaction. */
export const txid = v.pipe(
  v.string(),
  formOf({ type: "string", pattern: "^[0-9a-f]{64}$" }),
  v.regex(/^[0-9a-f]{64}$/),
  v.transform(asTxId),
);

/**
 * One word of a list. A client takes an answer with any other word for no answer of the API. `description`: what the words mean,
 * for the documents.
 */
export function word<const W extends string>(words: readonly [W, ...W[]], description?: string) {
  const about = description === undefined ? {} : { description };
  return v.pipe(v.picklist(words), formOf({ type: "string", enum: words, ...about }));
}
