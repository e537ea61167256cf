/** RawBlock form 0x01: a header and its transactions, without a merge-mining witness (docs/interfaces.md 1). */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import type { Block } from "../../chain/block.ts";
import { FORM_BOUNDS } from "./formBounds.ts";
import { readHeader, writeHeader } from "./rawHeader.ts";
import { decodeRawTransaction, encodeRawTransaction } from "./rawTransaction.ts";

const FORM = 0x01;
/** Length and the smallest transaction. */
const MIN_TRANSACTION_LENGTH = 4 + 2 + 4 + 4 + 8 + 20 + 8 + 4 + 8;

/** The bytes. Throws `codec/…`, `header/bad-parents`, `header/blue-work-too-large`. */
export function encodeRawBlock({ header, transactions }: Block): Uint8Array<ArrayBuffer> {
  if (transactions.length > FORM_BOUNDS.blockTransactions) {
    const max = FORM_BOUNDS.blockTransactions;
    throw new SvcError("codec/count-too-large", { count: transactions.length, max });
  }
  const writer = new ByteWriter(1_024).u8(FORM);
  writeHeader(writer, header);
  writer.u32(transactions.length);
  for (const transaction of transactions) writer.block(encodeRawTransaction(transaction));
  return writer.toBytes();
}

/** Reads bytes to their last one. Throws `codec/…`, `header/bad-parents`. */
export function decodeRawBlock(bytes: Uint8Array): Block {
  const reader = new ByteReader(bytes);
  const form = reader.u8();
  if (form !== FORM) throw new SvcError("codec/version", { expected: FORM, found: form });
  const header = readHeader(reader);
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
  return { header, transactions };
}
