/** Codec of RawBlock: a header and its transactions, in form 0x02 with a merge-mining witness (docs/formats.md 1). */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Block } from "../../chain/block.ts";
import { FORM_BOUNDS } from "./formBounds.ts";
import { readHeader, writeHeader } from "./rawHeader.ts";
import { decodeRawTransaction, encodeRawTransaction } from "./rawTransaction.ts";

/** Number of the form without a merge-mining witness. */
export const FORM = 0x01;
/** Number of the form with one. */
export const FORM_WITH_WITNESS = 0x02;
/** Length and the smallest transaction. */
export const MIN_TRANSACTION_LENGTH = 4 + 2 + 4 + 4 + 8 + 20 + 8 + 4 + 8;

/** Encodes a block, in the form that fits. Throws `codec/…`, `header/bad-parents`, `header/blue-work-too-large`. */
export function encodeRawBlock(block: Block): Uint8Array<ArrayBuffer> {
  const { header, transactions, witness } = block;
  if (transactions.length > FORM_BOUNDS.blockTransactions) {
    const max = FORM_BOUNDS.blockTransactions;
    throw new SvcError("codec/count-too-large", { count: transactions.length, max });
  }
  const writer = new ByteWriter(1_024).u8(witness === undefined ? FORM : FORM_WITH_WITNESS);
  writeHeader(writer, header);
  if (witness !== undefined) writer.block(checkWitness(witness));
  writer.u32(transactions.length);
  for (const transaction of transactions) writer.block(encodeRawTransaction(transaction));
  return writer.toBytes();
}

/** Whether a RawBlock says that it carries a merge-mining witness. Nothing else is looked at. */
export function hasWitness(bytes: Uint8Array): boolean {
  return bytes[0] === FORM_WITH_WITNESS;
}

/** Decodes a block; reads the bytes to their last one. Throws `codec/…`, `header/bad-parents`. */
export function decodeRawBlock(bytes: Uint8Array): Block {
  const reader = new ByteReader(bytes);
  const isWitnessed = readForm(reader);
  const header = readHeader(reader);
  const witness = isWitnessed ? { witness: readWitness(reader) } : {};
  const count = reader.checkCount(
    reader.u32(),
    FORM_BOUNDS.blockTransactions,
    MIN_TRANSACTION_LENGTH,
  );
  const transactions = Array.from({ length: count }, () => {
    const length = reader.checkCount(reader.u32(), FORM_BOUNDS.blockBytes, 1);
    return decodeRawTransaction(reader.take(length));
  });
  reader.finish();
  return { header, transactions, ...witness };
}

/** Reads the number of the form: whether a witness follows the header. Throws `codec/version`. */
export function readForm(reader: ByteReader): boolean {
  const form = reader.u8();
  if (form !== FORM && form !== FORM_WITH_WITNESS) {
    throw new SvcError("codec/version", { expected: FORM_WITH_WITNESS, found: form });
  }
  return form === FORM_WITH_WITNESS;
}

/** Reads a witness, as a view of the input. Throws `codec/…`. */
export function readWitness(reader: ByteReader): Uint8Array {
  const length = reader.checkCount(reader.u32(), FORM_BOUNDS.blockBytes, 1);
  return checkWitness(reader.take(length));
}

/**
 * Checks a witness. Throws `codec/not-canonical` for an empty one. Longer ones than consensus takes pass: the engine forgets
 * them, and the block may not need them.
 */
export function checkWitness(witness: Uint8Array): Uint8Array {
  if (witness.length === 0) throw new SvcError("codec/not-canonical", { what: "empty witness" });
  return witness;
}
