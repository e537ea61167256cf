/** Schemas of the fields of the public REST interface, with the types that its clients know (specification explorer A2). */
import * as v from "valibot";
import { U64_MAX } from "../../base/brand.ts";
import { flagOf, word } from "../contract/answerFields.ts";
import { formOf, U64_FORM } from "../contract/fieldForm.ts";
import { NumberText } from "../contract/numberText.ts";
import { hexField } from "../contract/requestFields.ts";

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

/** The hash of a block, or the id of a transaction, in a path. */
export const idParams = v.object({ id: hexField(32) });

/** The colour that the selected chain gives a block: `none` while no chain block has merged it. */
export const blockColor = word(
  ["blue", "red", "none"],
  "What the merging chain block says of it; a chain block is blue; `none` before it is merged.",
);

/** What work a block was found by. */
export const workKind = word(
  ["native", "merge-mined", "skipped"],
  "Its own nonce, or a block of the parent network; `skipped` where the network asks for no work.",
);

/** From where on the index knows everything. Null while it holds nothing. */
export const coveredFrom = v.nullable(
  v.object({
    daaScore: decimalOf("DAA score of the first chain block that the index holds."),
    timestamp: decimalOf("Unix milliseconds of that block."),
  }),
);

/** What every document from the index says of its reach. */
export const coverage = {
  coveredFrom,
  isComplete: flagOf("Whether the index has all of what was asked about."),
} as const;
