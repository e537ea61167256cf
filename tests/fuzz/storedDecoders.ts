/** Fuzz targets: decoders of a node's own store, since a damaged disk or a stranger's store is foreign bytes. */
import { keyText, recordTexts } from "@svc/node-server/engine/check/recordText.ts";
import {
  PHASE_DONE,
  readCounters,
  readPlan,
  readPruning,
  readStatus,
  type PruningRecord,
  type StatusRecord,
} from "@svc/node-server/engine/check/storedRecords.ts";
import { PoolStore, type StoredTransaction } from "@svc/node-server/mempool/poolStore.ts";
import { HOST_TABLE, NEXT_SEGMENT_KEY, segmentKey } from "@svc/node-server/storage/hostTable.ts";
import { consensusTable, META_TABLES } from "@svc/node-server/storage/layout.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import {
  nextSegmentRow,
  SegmentRefCounts,
  segmentRow,
} from "@svc/node-server/storage/segmentRefCounts.ts";
import { inlineRow, locatedRow, readRow } from "@svc/node-server/storage/segmentLocator.ts";
import { asDaaScore, asTxId } from "@svc/shared/base/brand.ts";
import { ByteReader, ByteWriter, equalBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { strict } from "./strict.ts";
import type { Decoder } from "./fuzzDecoder.ts";

const HASH = "3c".repeat(32);
const HASH_BYTES = 32;
/** The file of the ledger under test, and one that appends to it. */
const SEGMENT = 3;
const TABLE = 7;
const FILE_BYTES = 1 << 20;
/** Characters of a side of a difference: more than a list of hashes, and than the part of a record. */
const SHOWN_CHARS = 1_024;

/** What reads a store answers `store/corrupt` and nothing else. */
function corruptOnly(run: (bytes: Uint8Array) => void): (bytes: Uint8Array) => void {
  return (bytes) => {
    try {
      run(bytes);
    } catch (error) {
      if (error instanceof SvcError && error.code !== "store/corrupt") {
        throw new Error(`a damaged store is refused as ${error.code}`, { cause: error });
      }
      throw error;
    }
  };
}

function locator(bytes: Uint8Array): Uint8Array {
  const row = readRow(bytes);
  return "value" in row ? inlineRow(row.value) : locatedRow(row.locator);
}

/** A store whose ledger has one row of its own choice, and is written on. */
function ledgerWith(
  rows: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[],
): SegmentRefCounts {
  const store = new MemoryKv();
  store.commit(rows.map((row) => ({ table: HOST_TABLE, ...row })));
  const ledger = new SegmentRefCounts(store);
  const draft = ledger.draft(FILE_BYTES);
  draft.place(TABLE, 10);
  draft.place(TABLE, FILE_BYTES);
  store.commit(draft.changes());
  requireSound(store);
  return ledger;
}

function requireSound(store: MemoryKv): SegmentRefCounts {
  try {
    return new SegmentRefCounts(store);
  } catch (error) {
    throw new Error("what was taken cannot be written on", { cause: error });
  }
}

const valueOf = ({ value }: { readonly value: Uint8Array | null }): Uint8Array =>
  value ?? new Uint8Array();
const next = (number: number): Uint8Array => valueOf(nextSegmentRow(number));
const segments = [
  { table: TABLE, length: 0, references: 0 },
  { table: 0, length: 0xffff_ffff, references: 3 },
  { table: TABLE, length: FILE_BYTES, references: 0xffff_ffff },
].map((segment) => valueOf(segmentRow(SEGMENT, segment)));

function segment(bytes: Uint8Array): Uint8Array {
  const ledger = ledgerWith([
    { key: NEXT_SEGMENT_KEY, value: next(SEGMENT + 1) },
    { key: segmentKey(SEGMENT), value: bytes },
  ]);
  const found = ledger.segments().get(SEGMENT);
  return found === undefined ? new Uint8Array() : valueOf(segmentRow(SEGMENT, found));
}

function nextSegment(bytes: Uint8Array): Uint8Array {
  return next(ledgerWith([{ key: NEXT_SEGMENT_KEY, value: bytes }]).nextNumber());
}

const pooled: StoredTransaction = {
  txid: asTxId(HASH),
  format: 1,
  addedAtDaa: asDaaScore(9n),
  raw: Uint8Array.of(1, 2, 3),
};

/** The row of a pool: key, value. */
function poolRow(transaction: StoredTransaction): Uint8Array {
  const store = new MemoryKv();
  const pool = new PoolStore(store, () => {});
  void pool.put(transaction);
  pool.flush();
  const all = {
    table: META_TABLES.pool,
    from: new Uint8Array(),
    to: new Uint8Array(40).fill(0xff),
  };
  const [row] = store.range({ ...all, limit: 1 });
  return row === undefined ? new Uint8Array() : framed(row);
}

const framed = ({
  key,
  value,
}: {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}): Uint8Array => new ByteWriter().u8(key.length).raw(key).raw(value).toBytes();

function unframed(bytes: Uint8Array): { readonly key: Uint8Array; readonly value: Uint8Array } {
  const reader = new ByteReader(bytes);
  const key = reader.take(Math.min(reader.u8(), 40, reader.remaining));
  return { key, value: reader.take(reader.remaining) };
}

function pool(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new SvcError("store/corrupt", { table: "pool", reason: "test" });
  const row = unframed(bytes);
  const store = new MemoryKv();
  store.commit([{ table: META_TABLES.pool, ...row }]);
  const [first] = new PoolStore(store, () => {}).page(new Uint8Array(), 1).rows;
  if (first === undefined) return;
  if (first instanceof SvcError) throw first;
  if (!equalBytes(poolRow(first), framed(row))) throw new Error("another encoding was taken");
}

function writeStatus({ stage, verdicts, reason }: StatusRecord): Uint8Array {
  const text = new TextEncoder().encode(reason);
  return new ByteWriter().u8(1).u8(stage).block(verdicts).u16(text.length).raw(text).toBytes();
}

const statuses = [
  { stage: 4, verdicts: Uint8Array.of(1, 0, 2), reason: "" },
  { stage: 1, verdicts: new Uint8Array(), reason: "header/wrong-bits" },
].map(writeStatus);

const counters = new ByteWriter().u64(7n).u64(5n).toBytes();
const pruning = new ByteWriter()
  .raw(decodeHex(HASH))
  .u64(2n)
  .raw(decodeHex(HASH))
  .raw(decodeHex(HASH))
  .u8(0)
  .toBytes();

function writePruning(read: PruningRecord): Uint8Array {
  const writer = new ByteWriter().raw(decodeHex(read.point)).u64(read.index);
  writer.raw(decodeHex(read.swept)).raw(decodeHex(read.historyBase));
  return writer.u8(read.isStateMissing ? 1 : 0).toBytes();
}

const plans = [1, 4, PHASE_DONE].map((phase) =>
  new ByteWriter()
    .u8(1)
    .raw(decodeHex(HASH))
    .u64(2n)
    .u8(phase)
    .raw(decodeHex(HASH))
    .u64(9n)
    .raw(Uint8Array.of(1, 2, 3))
    .toBytes(),
);

/** A plan is read up to its phase: so far there is one encoding of what was read. */
function plan(bytes: Uint8Array): void {
  const { point, index, phase } = readPlan(bytes);
  const again = new ByteWriter().u8(1).raw(decodeHex(point)).u64(index).u8(phase).toBytes();
  if (!equalBytes(again, bytes.subarray(0, again.length))) {
    throw new Error("another encoding was taken");
  }
}

/** A table, a key, and a record of it: whatever they are, a person is told in one line of bounded length. */
function texts(bytes: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const table = reader.u8();
  const key = reader.take(reader.u8());
  const record = reader.take(reader.remaining);
  const other = record.subarray(0, HASH_BYTES);
  const shown = recordTexts({ table, key }, record, other);
  for (const text of [keyText(table, key), shown.stored, shown.computed]) {
    if (text.length > SHOWN_CHARS) throw new Error(`${text.length} characters`);
    if (!/^[\x20-\x7e]*$/.test(text)) throw new Error("characters that no terminal should get");
  }
}

const record = (table: number, key: Uint8Array, value: Uint8Array): Uint8Array =>
  new ByteWriter().u8(table).raw(framed({ key, value })).toBytes();

const name = (text: string): Uint8Array => new TextEncoder().encode(text);
const shownRecords = [
  record(consensusTable("meta"), name("counters"), counters),
  record(consensusTable("meta"), name("pruning"), pruning),
  record(consensusTable("meta"), name("tips"), new Uint8Array(3 * HASH_BYTES)),
  ...statuses.map((status) => record(consensusTable("status"), decodeHex(HASH), status)),
  record(consensusTable("chain_by_index"), new Uint8Array(8), decodeHex(HASH)),
  record(consensusTable("chain_by_hash"), decodeHex(HASH), new Uint8Array(8)),
  record(consensusTable("children"), decodeHex(HASH), new Uint8Array(2 * HASH_BYTES)),
  record(consensusTable("chain_state"), decodeHex(HASH), new Uint8Array(500)),
];

/** All decoders of stored bytes. */
export const STORED_DECODERS: readonly Decoder[] = [
  {
    name: "stored: row of a large table",
    seeds: [inlineRow(Uint8Array.of(1, 2)), locatedRow({ segment: 1, offset: 8, length: 3 })],
    run: corruptOnly(strict(locator, (again) => again)),
  },
  {
    name: "stored: segment row",
    seeds: segments,
    run: corruptOnly(strict(segment, (again) => again)),
  },
  {
    name: "stored: next segment",
    seeds: [1, 2, 0x1234_5678].map(next),
    run: corruptOnly(strict(nextSegment, (again) => again)),
  },
  { name: "stored: pool row", seeds: [poolRow(pooled)], run: corruptOnly(pool) },
  { name: "stored: status", seeds: statuses, run: strict(readStatus, writeStatus) },
  {
    name: "stored: counters",
    seeds: [counters],
    run: strict(readCounters, ({ headers, bodies }) =>
      new ByteWriter().u64(headers).u64(bodies).toBytes(),
    ),
  },
  { name: "stored: pruning record", seeds: [pruning], run: strict(readPruning, writePruning) },
  { name: "stored: pruning plan", seeds: plans, run: plan },
  { name: "stored: records as text", seeds: shownRecords, run: texts },
];
