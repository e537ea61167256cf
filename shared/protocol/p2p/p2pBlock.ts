/**
 * Codec of blocks and pages of headers between peers' messages and the raw forms (specification network 1.1; docs/formats.md
 * 1).
 */
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { FORM_BOUNDS } from "../raw/formBounds.ts";
import {
  FORM,
  FORM_WITH_WITNESS,
  MIN_TRANSACTION_LENGTH,
  readForm,
  readWitness,
} from "../raw/rawBlock.ts";
import type { P2pBlock, P2pBlockHeader, P2pTransaction } from "./generated/p2pValues.ts";
import { badField, requiredField } from "./p2pFields.ts";
import { readRawHeader, skipRawHeader, witnessOf, writeRawHeader } from "./p2pHeader.ts";
import { rawTransactionOf, transactionMessage } from "./p2pTransaction.ts";

/** Converts a message to a RawBlock, in the form that fits its witness. Throws `p2p/bad-message`. */
export function rawBlockOf(message: P2pBlock): Uint8Array<ArrayBuffer> {
  const header = requiredField("header", message.header);
  return rawBlockFrom(header, message.transactions);
}

/** Makes a RawBlock of a header and a body that came apart. Throws `p2p/bad-message`. */
export function rawBlockFrom(
  header: P2pBlockHeader,
  transactions: readonly P2pTransaction[],
): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(1_024);
  writeFormedHeader(writer, header);
  return withBody(writer, transactions);
}

/** Makes a RawBlock of a header as `headerForms` gives it, and a body. Throws `p2p/bad-message`. */
export function rawBlockWith(
  headerForm: Uint8Array,
  transactions: readonly P2pTransaction[],
): Uint8Array<ArrayBuffer> {
  return withBody(new ByteWriter(1_024).raw(headerForm), transactions);
}

function withBody(
  writer: ByteWriter,
  transactions: readonly P2pTransaction[],
): Uint8Array<ArrayBuffer> {
  const [found, max] = [transactions.length, FORM_BOUNDS.blockTransactions];
  if (found > max) throw badField("transactions", `${found} of at most ${max}`);
  writer.u32(found);
  for (const transaction of transactions) writer.block(rawTransactionOf(transaction));
  return writer.toBytes();
}

/** Converts messages to RawHeaders. Throws `p2p/bad-message`, also for more than `FORM_BOUNDS.headers`. */
export function rawHeadersOf(headers: readonly P2pBlockHeader[]): Uint8Array<ArrayBuffer> {
  const [found, max] = [headers.length, FORM_BOUNDS.headers];
  if (found > max) throw badField("blockHeaders", `${found} of at most ${max}`);
  const writer = new ByteWriter(1_024).u32(found);
  for (const header of headers) writeFormedHeader(writer, header);
  return writer.toBytes();
}

/** Converts a RawBlock to its message; its byte strings are views of the input. Throws `codec/…`. */
export function blockMessage(raw: Uint8Array): P2pBlock {
  const reader = new ByteReader(raw);
  const header = readFormedHeader(reader);
  const { blockTransactions, blockBytes } = FORM_BOUNDS;
  const count = reader.checkCount(reader.u32(), blockTransactions, MIN_TRANSACTION_LENGTH);
  const transactions = Array.from({ length: count }, () => {
    const length = reader.checkCount(reader.u32(), blockBytes, 1);
    return transactionMessage(reader.take(length));
  });
  reader.finish();
  return { header, transactions };
}

/** Splits RawHeaders into headers, each with its form and witness as a RawBlock begins: views of the input. Throws `codec/…`. */
export function headerForms(raw: Uint8Array): Uint8Array[] {
  const reader = new ByteReader(raw);
  const count = reader.checkCount(reader.u32(), FORM_BOUNDS.headersServed, 1);
  const forms = Array.from({ length: count }, () => {
    const from = raw.length - reader.remaining;
    const isWitnessed = readForm(reader);
    skipRawHeader(reader);
    if (isWitnessed) readWitness(reader);
    return raw.subarray(from, raw.length - reader.remaining);
  });
  reader.finish();
  return forms;
}

/** Converts RawHeaders to messages, at most as many as the core hands out; views of the input. Throws `codec/…`. */
export function headerMessages(raw: Uint8Array): P2pBlockHeader[] {
  const reader = new ByteReader(raw);
  const count = reader.checkCount(reader.u32(), FORM_BOUNDS.headersServed, 1);
  const headers = Array.from({ length: count }, () => readFormedHeader(reader));
  reader.finish();
  return headers;
}

function writeFormedHeader(writer: ByteWriter, header: P2pBlockHeader): void {
  const witness = witnessOf(header);
  writer.u8(witness === undefined ? FORM : FORM_WITH_WITNESS);
  writeRawHeader(writer, header);
  if (witness !== undefined) writer.block(witness);
}

function readFormedHeader(reader: ByteReader): P2pBlockHeader {
  const isWitnessed = readForm(reader);
  const header = readRawHeader(reader);
  return isWitnessed ? { ...header, auxPow: readWitness(reader) } : header;
}
