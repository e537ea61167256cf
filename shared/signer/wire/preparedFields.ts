/** Schemas of the fields that prepared payments consist of, as daemons write them. */
import * as v from "valibot";
import { asSompi } from "../../base/brand.ts";
import { fields } from "../../base/fields.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";
import { SIGNER_LIMITS } from "../signerLimits.ts";
import { maxActionsPerTx } from "../paymentSize.ts";

const hex32 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const whole = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.transform((value: number) => asSompi(BigInt(value))),
);

/** The schemas, by the type they give. */
export const preparedFields = {
  hex32,
  /** Hex of 24 bytes. */
  session: v.pipe(v.string(), v.regex(/^[0-9a-f]{48}$/)),
  /** Sompi as a number or, exactly, as text. */
  amount: v.union([whole, fields.sompi]),
  bundle: v.pipe(
    fields.hex,
    v.maxLength(2 * SIGNER_LIMITS.preparedBundleBytes),
    v.transform((text) => decodeHex(text)),
  ),
} as const;

/** The schema of a list with an entry for each action, or for some of them. */
export function listForActions<S extends v.GenericSchema>(
  entry: S,
): v.GenericSchema<v.InferInput<S>[], v.InferOutput<S>[]> {
  return v.pipe(v.array(entry), v.maxLength(maxActionsPerTx()));
}

/** Reads a value by its schema. Throws `signer/bad-prepared` with the place of what is wrong. */
export function readPrepared<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): v.InferOutput<S> {
  const read = v.safeParse(schema, value, { abortEarly: true });
  if (read.success) return read.output;
  const [issue] = read.issues;
  throw new SvcError("signer/bad-prepared", { reason: v.getDotPath(issue) ?? "its form" });
}
