/**
 * Names that an owner gives to own addresses, and their stored form: JSON with a version. They are a record of their own, which no scan
 * touches.
 */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { stableJson } from "../../base/stableJson.ts";
import { SvcError } from "../../base/svcError.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";

/** Name by address index; an address without one is not in it. */
export type AddressLabels = ReadonlyMap<number, string>;

const VERSION = 1;

const label = v.pipe(
  v.string(),
  v.nonEmpty(),
  v.check((text) => [...text].length <= WALLET_LIMITS.addressLabelChars),
);
const stored = v.strictObject({
  version: v.literal(VERSION),
  labels: v.array(v.strictTuple([fields.u32, label])),
});

/** The labels with another one for an address: without blanks around it, cut to its limit; an empty one takes the label away. */
export function withLabel(labels: AddressLabels, index: number, text: string): AddressLabels {
  const changed = new Map(labels);
  const cut = [...text.trim()].slice(0, WALLET_LIMITS.addressLabelChars).join("").trim();
  if (cut === "") changed.delete(index);
  else changed.set(index, cut);
  return changed;
}

/** The stored form, the same for the same labels. */
export function encodeAddressLabels(labels: AddressLabels): string {
  const rows = [...labels].toSorted(([a], [b]) => a - b);
  return stableJson({ version: VERSION, labels: rows });
}

/** Reads the stored form. Throws `store/version` and `store/corrupt`. */
export function decodeAddressLabels(text: string): AddressLabels {
  const json = parsed(text);
  const version = v.safeParse(v.object({ version: v.number() }), json);
  if (version.success && version.output.version !== VERSION) {
    const data = { expected: VERSION, found: String(version.output.version) };
    throw new SvcError("store/version", data);
  }
  const read = v.safeParse(stored, json);
  if (!read.success) throw corrupt("the labels have another form");
  const labels = new Map(read.output.labels);
  if (encodeAddressLabels(labels) !== text) throw corrupt("the labels are written in another way");
  return labels;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw corrupt("the labels are no JSON");
  }
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "wallet", reason });
}
