/**
 * Schemas of the fields of requests. They take what clients of either habit send: a 64-bit number as JSON integer or as
 * decimal text, null where a field is left out. The message of a schema is what the field must be, as an error says it.
 */
import * as v from "valibot";
import { asDaaScore, asSompi, U64_MAX, type Sompi } from "../../base/brand.ts";
import { sompiOfCoins } from "./coinNumber.ts";
import { FIELD_FORMS, formOf, type FieldSchema } from "./fieldForm.ts";
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

const COINS = "a number of coins";

/** A number of coins that a JSON number writes. */
const coinsField = v.pipe(
  v.instance(NumberText, COINS),
  formOf({
    type: "number",
    description: "Coins. It is read from its digits and rounded at the eighth decimal.",
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }): Sompi => {
    const sompi = sompiOfCoins(dataset.value.text);
    if (sompi !== undefined && sompi <= U64_MAX) return asSompi(sompi);
    addIssue({ message: COINS });
    return NEVER;
  }),
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

/** The two ways to say an amount. The exact one wins. */
export const amountFields = {
  amount_sompi: v.nullish(sompiField),
  amount_fc: v.nullish(coinsField),
};

type TwoAmounts = {
  readonly amount_sompi?: Sompi | null | undefined;
  readonly amount_fc?: Sompi | null | undefined;
  readonly fee?: Sompi | null | undefined;
};

/** Puts one positive `amount` in the place of the two ways to say it. With the least fee, where one is named, it fits 64 bits. */
export function oneAmount<T extends TwoAmounts>() {
  return v.rawTransform<T, Omit<T, keyof typeof amountFields> & { readonly amount: Sompi }>(
    ({ dataset, addIssue, NEVER }) => {
      const { amount_sompi: exact, amount_fc: coins, ...others } = dataset.value;
      const amount = exact ?? coins ?? undefined;
      const fits = amount === undefined || amount + (dataset.value.fee ?? 0n) <= U64_MAX;
      if (amount !== undefined && amount > 0n && fits) return { ...others, amount };
      const { anAmount, withFee } = FIELD_FORMS;
      const message = amount === undefined ? anAmount : fits ? "positive" : withFee;
      const input = dataset.value;
      addIssue({
        message,
        path: [
          { type: "object", origin: "value", input: { ...input }, key: "amount", value: amount },
        ],
      });
      return NEVER;
    },
  );
}

const FLAG_WORDS = ["1", "true", "yes"];

/** A switch of the query: on for `1`, `true` and `yes`. */
export const queryFlag = v.optional(
  v.pipe(
    v.string(),
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
      v.string(),
      formOf({ type: "integer", minimum: least, maximum: most, description }),
      v.regex(/^\d{1,15}$/, "a whole number"),
      v.transform((text) => Math.min(most, Math.max(least, Number(text)))),
    ),
    String(fallback),
  );
}
