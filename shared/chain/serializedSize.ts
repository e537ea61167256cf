/** Size of a transaction as fees are counted (specification consensus 9.6, shielded 13.1). It is not the length of its raw form. */
import type { Transaction } from "./transaction.ts";

/** Version, counts of inputs and outputs, lock time, subnetwork, gas, hash and length of the payload. */
const FIXED_BYTES = 2 + 8 + 8 + 8 + 20 + 8 + 32 + 8;
/** Id and place of the spent output, length of the script, sequence. */
const INPUT_BYTES = 32 + 4 + 8 + 8;
/** Compute budget of an input, from version 1 on. */
const BUDGET_BYTES = 2;
/** Value, version and length of the script. */
const OUTPUT_BYTES = 8 + 2 + 8;
const COVENANT_BYTES = 34;

/** The size in bytes: of a payment 94 and its payload. */
export function serializedSize({ version, inputs, outputs, payload }: Transaction): number {
  const perInput = INPUT_BYTES + (version > 0 ? BUDGET_BYTES : 0);
  const spent = inputs.reduce((sum, { script }) => sum + perInput + script.length, 0);
  const made = outputs.reduce(
    (sum, { script, covenant }) =>
      sum + OUTPUT_BYTES + script.length + (covenant === null ? 0 : COVENANT_BYTES),
    0,
  );
  return FIXED_BYTES + spent + made + payload.length;
}
