/**
 * What a scanner tells a gateway on another machine: numbered batches of facts, as JSON. 64-bit numbers are decimal text, hashes are
 * hex. A batch that was applied changes nothing when it comes again, and none is left out.
 */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { stableJson } from "../base/stableJson.ts";
import { SvcError } from "../base/svcError.ts";
import { nodeFault } from "../light/nodeFault.ts";
import type { ChainDepth, WorkLadder } from "../light/workLadder.ts";
import { wireFault } from "../protocol/contract/wireFault.ts";
import { acceptingBlock, paymentOutput } from "./invoiceCodec.ts";
import { INVOICE_LIMITS } from "./invoiceLimits.ts";

/** Indices of a viewing key. */
const INDICES = 2 ** 32;
const ADDRESS = /^[a-z0-9:]{1,128}$/;
const SCANNER = /^[a-z0-9-]{1,64}$/;

const place = { key: fields.viewingKeyId, index: fields.u32 };
const about = { ...place, output: paymentOutput };

const address = v.object({
  raw: fields.rawAddress,
  text: v.pipe(v.string(), v.regex(ADDRESS), fields.addressText),
});

const fact = v.variant("kind", [
  v.object({ kind: v.literal("mined"), ...about, block: acceptingBlock }),
  v.object({ kind: v.literal("orphaned"), ...about, block: fields.blockHash }),
  v.object({ kind: v.literal("waiting"), ...about }),
  v.object({ kind: v.literal("gone"), ...about }),
  v.object({
    kind: v.literal("addresses"),
    key: fields.viewingKeyId,
    /** Index of the first; the others follow it. */
    from: fields.u32,
    addresses: v.pipe(
      v.array(address),
      v.minLength(1),
      v.maxLength(INVOICE_LIMITS.factBatchAddresses),
    ),
  }),
]);

const receiptOf = v.object({
  ...place,
  cmx: fields.noteCommitment,
  /** The chain block that accepts the payment. */
  block: fields.blockHash,
  receipt: v.nullable(
    v.pipe(fields.hex, v.minLength(2), v.maxLength(2 * INVOICE_LIMITS.receiptBytes)),
  ),
});

/** Schema of what was proved of a chain. */
export const workLadder: v.GenericSchema<unknown, WorkLadder> = v.object({
  believedTo: v.nullable(fields.blueScore),
  steps: v.pipe(
    v.array(v.object({ blueScore: fields.blueScore, above: fields.u64 })),
    v.maxLength(INVOICE_LIMITS.factBatchSteps),
  ),
});

const batch = v.object({
  scanner: v.pipe(v.string(), v.regex(SCANNER)),
  sequence: v.pipe(fields.u64, v.minValue(1n)),
  tip: acceptingBlock,
  seenAtMs: fields.timestampMs,
  facts: v.pipe(v.array(fact), v.maxLength(INVOICE_LIMITS.factBatchFacts)),
  /** What the scanner proved of its node's chain; left out by one that believes its node. */
  proved: v.exactOptional(v.object({ tip: v.nullable(fields.blueScore), ladder: workLadder })),
  /** What keeps it from believing that node; left out for nothing, and by older scanners. */
  fault: v.exactOptional(nodeFault),
  /** Receipts of payments that are on the chain once the facts are applied. Left out for none, and by a scanner that makes none. */
  receipts: v.exactOptional(
    v.pipe(v.array(receiptOf), v.maxLength(INVOICE_LIMITS.factBatchReceipts)),
  ),
});

/** A batch: who tells it, its number from 1 on, the sink, when it was seen, and the facts in the order of the chain. */
export type FactBatch = v.InferOutput<typeof batch>;
/** A fact: about a payment of an address, or addresses that the desk may give out. */
export type BatchFact = v.InferOutput<typeof fact>;
/**
 * What becomes of the receipt of a payment (docs/light-client.md): `receipt` is its file as hex, and takes the place of one that was told
 * before; null where the header that it stood on has left the chain, and nothing stands in its place yet.
 *
 * It belongs to the payment of the address that has this commitment, while this block accepts it. One of a payment that is not there, or
 * in another block, is passed over; and a payment that loses its block loses its receipt with it, which is not told. It goes to nobody
 * before the payment is settled.
 *
 * A gateway that knows no receipts passes over them; one that does keeps none for batches that it had before.
 */
export type BatchReceipt = v.InferOutput<typeof receiptOf>;

/** A run of addresses with consecutive indices. */
export type AddressesFact = Extract<BatchFact, { readonly kind: "addresses" }>;
/** A fact about a payment. */
export type BatchPayment = Exclude<BatchFact, AddressesFact>;

/** Where the chain stands by a batch: by what was proved of it, or by its tip where its scanner believes its node. */
export function depthIn({ tip, proved }: FactBatch): ChainDepth {
  return proved ?? { tip: tip.blueScore, ladder: null };
}

/** Writes a batch. */
export function encodeFactBatch(value: FactBatch): string {
  return stableJson(value);
}

/**
 * Reads a batch. Throws `codec/count-too-large` for more bytes than a batch may have, `codec/bad-json`, and the error that names the
 * field at fault.
 */
export function decodeFactBatch(json: string): FactBatch {
  const max = INVOICE_LIMITS.factBatchBytes;
  if (json.length > max) throw new SvcError("codec/count-too-large", { count: json.length, max });
  const read = v.safeParse(batch, parsed(json));
  if (!read.success) throw wireFault(read.issues, "batch");
  for (const [place, one] of read.output.facts.entries()) {
    if (one.kind !== "addresses" || one.from + one.addresses.length <= INDICES) continue;
    const expected = "addresses whose indices have 32 bits";
    throw new SvcError("api/bad-field", { field: `facts[${place}].addresses`, expected });
  }
  return read.output;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new SvcError("codec/bad-json", { reason: "batch" }, error);
  }
}
