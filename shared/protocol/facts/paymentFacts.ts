/** Schema of the core's summary of a raw payment. */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const paymentFacts = v.object({
  txid: fields.txId,
  /** Hash over the whole transaction. */
  hash: fields.hash32,
  fee: fields.sompi,
  actions: fields.u32,
  nullifiers: v.array(fields.nullifier),
  anchor: fields.anchor,
  anchorBlock: v.nullable(fields.blockHash),
  /** Grams. */
  computeMass: fields.u64,
  /** Grams. */
  transientMass: fields.u64,
  /** Bytes, as fees are counted. */
  size: fields.u32,
});

/** The summary of a payment. */
export type PaymentFacts = v.InferOutput<typeof paymentFacts>;

/** Reads the core's answer to `transactionSummary`. Throws `codec/bad-json`. */
export const readPaymentFacts = factsReader(paymentFacts, "payment");
