/** Schemas of the fields of the public REST interface, with the types that its clients know (specification explorer A2). */
import * as v from "valibot";
import { U64_MAX } from "../../base/brand.ts";
import { formOf, U64_FORM } from "../contract/fieldForm.ts";
import { NumberText } from "../contract/numberText.ts";

/** A 64-bit number as decimal text. `description`: what is counted. */
export function decimalOf(description: string) {
  return v.pipe(
    v.string(),
    formOf({ ...U64_FORM, description }),
    v.regex(/^(?:0|[1-9]\d{0,19})$/),
    v.check((text) => BigInt(text) <= U64_MAX, "decimal text of 64 bits"),
  );
}

/**
 * A number for display, with or without decimals: coins, percents, difficulty. What handlers give as `NumberText` is written
 * digit for digit. `description`: what it says.
 */
export function displayOf(description: string) {
  return v.pipe(
    v.custom<number | NumberText>(
      (value) =>
        value instanceof NumberText || (typeof value === "number" && Number.isFinite(value)),
      "a number",
    ),
    formOf({ type: "number", description }),
    v.transform((value) => Number(value instanceof NumberText ? value.text : value)),
  );
}

/** The hash of a block. */
export const blockHash = v.pipe(
  v.string(),
  formOf({ type: "string", pattern: "^[0-9a-f]{64}$" }),
  v.regex(/^[0-9a-f]{64}$/),
);

/** Hashes of blocks. */
export const blockHashes = v.array(blockHash);
