/**
 * Schemas of the fields of requests. They take what clients of either habit send: a 64-bit number as JSON integer or as
 * decimal text, null where a field is left out. The message of a schema is what the field must be, as an error says it.
 */
import * as v from "valibot";
import { asDaaScore, asSompi, U64_MAX } from "../../base/brand.ts";
import { formOf, type FieldSchema } from "./fieldForm.ts";
import { NumberText } from "./numberText.ts";

const U64 = "an unsigned 64-bit decimal integer";
/** Digits, with an optional plus: no spaces, no exponent, no hexadecimal. */
const DECIMAL = /^\+?\d{1,64}$/;
const U64_REQUEST: FieldSchema = {
  type: ["integer", "string"],
  minimum: 0,
  pattern: String.raw`^\+?[0-9]+$`,
  description: "An unsigned 64-bit number: a JSON integer or decimal text.",
};

function isNumeric(value: unknown): value is NumberText | string | bigint {
  return value instanceof NumberText || typeof value === "string" || typeof value === "bigint";
}

function u64Of(value: NumberText | string | bigint): bigint | undefined {
  if (typeof value === "bigint") return value >= 0n && value <= U64_MAX ? value : undefined;
  const text = typeof value === "string" ? value : value.text;
  const number = DECIMAL.test(text) ? BigInt(text.replace("+", "")) : undefined;
  return number === undefined || number > U64_MAX ? undefined : number;
}

function u64With(form: FieldSchema) {
  return v.pipe(
    v.custom<NumberText | string | bigint>(isNumeric, U64),
    formOf(form),
    v.rawTransform(({ dataset, addIssue, NEVER }): bigint => {
      const number = u64Of(dataset.value);
      if (number !== undefined) return number;
      addIssue({ message: U64 });
      return NEVER;
    }),
  );
}

/** An unsigned 64-bit number. */
export const u64Field = u64With(U64_REQUEST);

/** An unsigned 32-bit number. */
export const u32Field = v.pipe(
  u64With({ type: ["integer", "string"], minimum: 0, maximum: 0xffff_ffff }),
  v.maxValue(0xffff_ffffn, "an unsigned 32-bit decimal integer"),
  v.transform(Number),
);

/** A number of sompi. */
export const sompiField = v.pipe(
  u64With({ ...U64_REQUEST, description: "Sompi: a JSON integer or decimal text." }),
  v.transform(asSompi),
);

/** A DAA score. */
export const daaField = v.pipe(
  u64With({ ...U64_REQUEST, description: "A DAA score: a JSON integer or decimal text." }),
  v.transform(asDaaScore),
);

/** A text. */
export const textField = v.pipe(v.string("a text"), formOf({ type: "string" }));

/** An address, which the core checks later. */
export const addressField = v.pipe(
  v.string("an address"),
  formOf({ type: "string", description: "A shielded address with its network's prefix." }),
);

/** What an address of a request may be refused for. */
export const ADDRESS_REFUSALS = [
  "address/missing-prefix",
  "address/wrong-network",
  "address/bad-character",
  "address/bad-checksum",
  "address/bad-version",
  "address/bad-length",
  "address/bad-padding",
  "address/bad-key",
] as const;

/** True or false. */
export const flagField = v.pipe(v.boolean("true or false"), formOf({ type: "boolean" }));

/** Hexadecimal of a number of bytes, in lower case once it is read. `must`: what an error says that it must be. */
export function hexField(bytes: number, must = `${2 * bytes} hexadecimal digits`) {
  const digits = 2 * bytes;
  return v.pipe(
    v.string(must),
    formOf({ type: "string", pattern: `^[0-9a-fA-F]{${digits}}$` }),
    v.regex(new RegExp(`^[0-9a-fA-F]{${digits}}$`), must),
    v.toLowerCase(),
  );
}

/** A request body or a part of one. Fields that it does not name are passed over: old clients send some. */
export function requestObject<const E extends v.ObjectEntries>(entries: E) {
  const schema = v.object(entries, "a JSON object");
  const run: (typeof schema)["~run"] = (dataset, config) =>
    schema["~run"](isPlain(dataset.value) ? dataset : { ...dataset, value: null }, config);
  return { ...schema, "~run": run };
}

/** The library takes lists and other objects for one, too. What is absent stays so. */
function isPlain(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "object" && !Array.isArray(value) && !(value instanceof NumberText);
}

const FLAG_WORDS = ["1", "true", "yes"];

/** A switch of the query: on for `1`, `true` and `yes`. */
export const queryFlag = v.optional(
  v.pipe(
    v.string(`one of ${FLAG_WORDS.join(", ")}`),
    formOf({ type: "string", enum: FLAG_WORDS }),
    v.transform((word) => FLAG_WORDS.includes(word.toLowerCase())),
  ),
  "",
);

/** A number of the query, `fallback` where it is left out; one outside the bounds is the nearest inside. */
export function queryCount(fallback: number, least: number, most: number) {
  const description = `${fallback} when left out.`;
  return v.optional(
    v.pipe(
      v.string("a whole number"),
      formOf({ type: "integer", minimum: least, maximum: most, description }),
      v.regex(/^\d{1,15}$/, "a whole number"),
      v.transform((text) => Math.min(most, Math.max(least, Number(text)))),
    ),
    String(fallback),
  );
}
