/**
 * Codec of scan records and of the container in which pages of them travel, kind P (docs/formats.md 2).
 *
 * The core writes both; here they are read for servers and pages, and written for tests and tools.
 */
import {
  asBlockHash,
  asBlueScore,
  asChainIndex,
  asDaaScore,
  asLeafPosition,
  asNoteCommitment,
  asNullifier,
  asRawAddress,
  asSompi,
  asTimestampMs,
  asTxId,
  type BlockHash,
  type BlueScore,
  type ChainIndex,
  type DaaScore,
  type LeafPosition,
  type NoteCommitment,
  type Nullifier,
  type RawAddress,
  type Sompi,
  type TimestampMs,
  type TxId,
} from "../../base/brand.ts";
import { ByteReader, ByteWriter } from "../../base/bytes.ts";
import { crc32c } from "../../base/crc32c.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";

/** A note minted by a coinbase. */
export type RecordOutput = {
  readonly recipient: RawAddress;
  readonly value: Sompi;
  readonly cmx: NoteCommitment;
};

/** A shielded action of a record, as far as a wallet needs it; `bytes` are all 788 of them. */
export type RecordAction = {
  readonly nullifier: Nullifier;
  readonly cmx: NoteCommitment;
  readonly bytes: Uint8Array;
};

/** An applied transaction. */
export type RecordTransaction = { readonly txid: TxId; readonly actions: readonly RecordAction[] };

/** A scan record: one block of the selected chain as a wallet sees it. */
export type ScanRecord = {
  readonly hash: BlockHash;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  readonly timestamp: TimestampMs;
  /** Size of the note tree before the block; coinbase outputs come first, then actions. */
  readonly firstLeaf: LeafPosition;
  readonly coinbaseTxid: TxId;
  readonly outputs: readonly RecordOutput[];
  readonly transactions: readonly RecordTransaction[];
};

/** A container whose records are not decoded yet. */
export type RecordContainer = {
  /** Chain index of the first record. */
  readonly firstIndex: ChainIndex;
  readonly count: number;
  readonly body: Uint8Array;
};

/** Bytes of an action: nullifier 32, cmx 32, epk 32, enc 580, out 80, cv_net 32. */
export const ACTION_LENGTH = 788;
/** Bytes of a compact action, the start of an action: nullifier, cmx, epk, 52 of enc (specification shielded 16). */
export const COMPACT_ACTION_LENGTH = 148;

const MAGIC = Uint8Array.of(0x53, 0x56, 0x43, 0x42);
const VERSION = 1;
const KIND = 0x50;
const MIN_OUTPUT_LENGTH = 43 + 8 + 32;
const MIN_TRANSACTION_LENGTH = 32 + 2;
const MIN_RECORD_LENGTH = 32 + 8 * 4 + 32 + 2 + 2;
const MAX_U16 = 0xffff;

/** Checks a container and its checksum. Throws `codec/bad-magic`, `codec/version`, `codec/bad-checksum`, `codec/…`. */
export function readContainer(bytes: Uint8Array, maxRecords: number): RecordContainer {
  const reader = new ByteReader(bytes);
  const magic = encodeHex(reader.take(MAGIC.length));
  if (magic !== encodeHex(MAGIC)) throw new SvcError("codec/bad-magic", { found: magic });
  const version = reader.u8();
  if (version !== VERSION) {
    throw new SvcError("codec/version", { expected: VERSION, found: version });
  }
  const kind = reader.u8();
  if (kind !== KIND) throw new SvcError("codec/bad-magic", { found: kind.toString(16) });
  if (reader.u16() !== 0) throw new SvcError("codec/not-canonical", { what: "flags" });
  const firstIndex = asChainIndex(reader.u64());
  const count = reader.u32();
  const body = reader.block();
  const covered = bytes.subarray(0, reader.offset);
  const checksum = reader.u32();
  reader.finish();
  if (crc32c(covered) !== checksum) throw new SvcError("codec/bad-checksum", {});
  new ByteReader(body).checkCount(count, maxRecords, MIN_RECORD_LENGTH);
  return { firstIndex, count, body };
}

/** Reads all records of a container. Throws `codec/…`. */
export function readRecords({ body, count }: RecordContainer): ScanRecord[] {
  const reader = new ByteReader(body);
  reader.checkCount(count, Number.MAX_SAFE_INTEGER, MIN_RECORD_LENGTH);
  const records = Array.from({ length: count }, () => readRecord(reader));
  reader.finish();
  return records;
}

/** Writes a container around records. */
export function encodeContainer(
  firstIndex: ChainIndex,
  records: readonly ScanRecord[],
): Uint8Array<ArrayBuffer> {
  const body = encodeRecords(records);
  const writer = new ByteWriter(body.length + 64).raw(MAGIC).u8(VERSION).u8(KIND).u16(0);
  writer.u64(firstIndex).u32(records.length).block(body);
  return writer.u32(crc32c(writer.toBytes())).toBytes();
}

/** Writes the body of a container: records, one behind the other. Throws `codec/…` for a field of another form. */
export function encodeRecords(records: readonly ScanRecord[]): Uint8Array<ArrayBuffer> {
  const body = new ByteWriter(1_024);
  for (const record of records) writeRecord(body, record);
  return body.toBytes();
}

function readRecord(reader: ByteReader): ScanRecord {
  return {
    hash: asBlockHash(encodeHex(reader.take(32))),
    blueScore: asBlueScore(reader.u64()),
    daaScore: asDaaScore(reader.u64()),
    timestamp: asTimestampMs(reader.u64()),
    firstLeaf: asLeafPosition(reader.u64()),
    coinbaseTxid: asTxId(encodeHex(reader.take(32))),
    outputs: list(reader, MIN_OUTPUT_LENGTH, readOutput),
    transactions: list(reader, MIN_TRANSACTION_LENGTH, readTransaction),
  };
}

function readOutput(reader: ByteReader): RecordOutput {
  return {
    recipient: asRawAddress(encodeHex(reader.take(43))),
    value: asSompi(reader.u64()),
    cmx: asNoteCommitment(encodeHex(reader.take(32))),
  };
}

function readTransaction(reader: ByteReader): RecordTransaction {
  const txid = asTxId(encodeHex(reader.take(32)));
  return { txid, actions: list(reader, ACTION_LENGTH, readAction) };
}

function readAction(reader: ByteReader): RecordAction {
  const bytes = reader.take(ACTION_LENGTH);
  return {
    nullifier: asNullifier(encodeHex(bytes.subarray(0, 32))),
    cmx: asNoteCommitment(encodeHex(bytes.subarray(32, 64))),
    bytes,
  };
}

/** A u16 count and that many items. */
function list<T>(reader: ByteReader, minLength: number, read: (reader: ByteReader) => T): T[] {
  const count = reader.checkCount(reader.u16(), MAX_U16, minLength);
  return Array.from({ length: count }, () => read(reader));
}

function writeRecord(writer: ByteWriter, record: ScanRecord): void {
  writer.raw(decodeHex(record.hash, 32)).u64(record.blueScore).u64(record.daaScore);
  writer.u64(record.timestamp).u64(record.firstLeaf).raw(decodeHex(record.coinbaseTxid, 32));
  writer.u16(record.outputs.length);
  for (const { recipient, value, cmx } of record.outputs) {
    writer.raw(decodeHex(recipient, 43)).u64(value).raw(decodeHex(cmx, 32));
  }
  writer.u16(record.transactions.length);
  for (const { txid, actions } of record.transactions) {
    writer.raw(decodeHex(txid, 32)).u16(actions.length);
    for (const { bytes } of actions) writer.raw(bytes);
  }
}
