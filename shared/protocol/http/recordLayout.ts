/**
 * Layout of the records in a page's body: where payments lie, and which bytes a state root covers (docs/light-client.md). Nothing here
 * knows a key.
 */
import { ByteReader, concatBytes } from "../../base/bytes.ts";
import { SvcError } from "../../base/svcError.ts";
import { ACTION_LENGTH } from "./recordContainer.ts";

const OUTPUT_LENGTH = 43 + 8 + 32;
/** Block, scores, time, place of the first leaf: what comes before the coinbase's id. */
const PLACE_LENGTH = 32 + 4 * 8;
const TXID_LENGTH = 32;
/** Nullifier and commitment, with which an action begins. */
const COMMITTED_LENGTH = 64;

/** A part of the body, from one byte to before another. */
export type Span = { readonly start: number; readonly end: number };

/** The parts of one record. */
export type RecordLayout = Span & {
  /** Minted notes, with their count. */
  readonly outputs: Span;
  /** Applied payments in their order: id, count of actions, actions. */
  readonly payments: readonly Span[];
};

/** Reads where the `count` records of a body and their parts lie. Throws `wallet/bad-page` unless they fill it exactly. */
export function recordLayouts(body: Uint8Array, count: number): readonly RecordLayout[] {
  const reader = new ByteReader(body);
  const layouts: RecordLayout[] = [];
  try {
    for (let record = 0; record < count; record += 1) layouts.push(readLayout(reader));
    reader.finish();
  } catch (error) {
    throw new SvcError("wallet/bad-page", { reason: "the records do not fill the page" }, error);
  }
  return layouts;
}

/** The bytes of a part. */
export function bytesIn(body: Uint8Array, { start, end }: Span): Uint8Array {
  return body.subarray(start, end);
}

/**
 * What the chain commits to of a record: place, minted notes, nullifiers and commitments. Records that differ in nothing else tell the
 * same chain, with other ciphertexts or ids.
 */
export function committedPart(body: Uint8Array, record: RecordLayout): Uint8Array {
  const place = body.subarray(record.start, record.start + PLACE_LENGTH);
  const parts = [place, bytesIn(body, record.outputs)];
  for (const payment of record.payments) {
    const first = payment.start + TXID_LENGTH;
    parts.push(body.subarray(first, first + 2));
    for (let at = first + 2; at < payment.end; at += ACTION_LENGTH) {
      parts.push(body.subarray(at, at + COMMITTED_LENGTH));
    }
  }
  return concatBytes(...parts);
}

function readLayout(reader: ByteReader): RecordLayout {
  const start = reader.offset;
  reader.take(PLACE_LENGTH + TXID_LENGTH);
  const outputs = spanOf(reader, () => reader.take(OUTPUT_LENGTH * reader.u16()));
  const count = reader.u16();
  const payments: Span[] = [];
  for (let index = 0; index < count; index += 1) {
    payments.push(
      spanOf(reader, () => {
        reader.take(TXID_LENGTH);
        reader.take(ACTION_LENGTH * reader.u16());
      }),
    );
  }
  return { start, end: reader.offset, outputs, payments };
}

function spanOf(reader: ByteReader, read: () => void): Span {
  const start = reader.offset;
  read();
  return { start, end: reader.offset };
}
