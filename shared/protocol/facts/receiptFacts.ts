/** Schema of the facts of a checked receipt, as the core gives them (docs/light-client.md). */
import * as v from "valibot";
import { fields } from "../../base/fields.ts";
import { factsReader } from "./readFacts.ts";

const challengeFacts = v.object({
  text: v.string(),
  /** The payee signed the text; else whoever held the receipt may have written it. */
  isAnswered: v.boolean(),
});

const disclosureFacts = v.object({
  /** By the payer's word: the tree holds the note, not the payment. */
  txid: fields.txId,
  index: fields.u32,
  /** Hex without padding. */
  memo: fields.hex,
  /** Sompi of the note that the action spent; null where the payer kept it to himself. */
  spent: v.nullable(fields.sompi),
});

const receiptFacts = v.object({
  /** `work`: it stands on the work of its own header. `chain`: that header is on the chain of a tip that the checker proved. */
  grade: v.picklist(["work", "chain"]),
  recipient: fields.rawAddress,
  value: fields.sompi,
  position: fields.u32,
  /** The note stands in the tree after this block: it was paid there or before. */
  block: fields.blockHash,
  /** Null for a block from before the security fork. */
  blueScore: v.nullable(fields.blueScore),
  /** Time in the header of that block; null where the receipt lacks it. */
  time: v.nullable(fields.timestampMs),
  /** Chain blocks from that block up to the header. A near header may be of a branch that the chain left. */
  depth: fields.u64,
  /** The header that the receipt stands on. */
  header: fields.blockHash,
  bits: fields.u32,
  headerTime: fields.timestampMs,
  /** Hashes that a forger needs on average, hexadecimal; of grade `chain` those above the tip. */
  work: v.pipe(v.string(), v.regex(/^(?:0|[1-9a-f][0-9a-f]{0,63})$/)),
  /** The same in blocks of the difficulty that was named; null where none was, since a header may claim any. */
  blocks: v.nullable(fields.u64),
  challenge: v.nullable(challengeFacts),
  disclosure: v.nullable(disclosureFacts),
});

const hardestHeader = v.nullable(
  v.object({
    header: fields.blockHash,
    /** Its selected parent, whose state it commits to. */
    below: fields.blockHash,
  }),
);

/** What a receipt shows. */
export type ReceiptFacts = v.InferOutput<typeof receiptFacts>;
/** The header of a run that a receipt stands on best; null where the run has none. */
export type HardestHeader = v.InferOutput<typeof hardestHeader>;

/** Reads ReceiptFacts. Throws `codec/bad-json`. */
export const readReceiptFacts = factsReader(receiptFacts, "ReceiptFacts");
/** Reads HardestHeader. Throws `codec/bad-json`. */
export const readHardestHeader = factsReader(hardestHeader, "HardestHeader");
