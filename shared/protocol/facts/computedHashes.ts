/** Schema of the core's hashes: ids, hashes and masses of a block and its transactions, computed from raw bytes. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const computedHashes = v.object({
  hash: fields.blockHash,
  txids: v.array(fields.txId),
  /** Hashes over the whole transactions, the leaves of the merkle root. */
  txHashes: v.array(fields.hash32),
  /** Grams; 0 for a coinbase. */
  computeMasses: v.array(fields.u64),
});

/** Ids, hashes and masses of a block. */
export type ComputedHashes = v.InferOutput<typeof computedHashes>;

/** Reads the core's answer to `computeHashes`. Throws `codec/bad-json`. */
export const readComputedHashes = factsReader(computedHashes, "computed hashes");
