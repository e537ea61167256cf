/**
 * Row of an indexed chain block, by its index: what it merged, which undoes it, and the totals of the chain up to it. The last
 * row is the cursor of the index, the first one is where its coverage begins.
 */
import {
  asBlueScore,
  asDaaScore,
  asTimestampMs,
  type BlockHash,
  type BlueScore,
  type DaaScore,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import type { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import {
  bytesCodec,
  HASH_BYTES,
  readBlockHash,
  readList,
  readU128,
  writeHash,
  writeList,
  writeU128,
} from "./rowBytes.ts";

/** Sums over the chain from its beginning, of the pool, and over what is indexed, of the rest. */
export type ChainTotals = {
  /** Sompi minted by coinbases. */
  readonly coinbase: bigint;
  /** Sompi of fees of applied payments. */
  readonly fees: bigint;
  readonly notes: bigint;
  readonly nullifiers: bigint;
  /** Payments applied by indexed chain blocks. */
  readonly applied: bigint;
  /** Times that one of them gave a carried payment no effect. */
  readonly dropped: bigint;
  /** Chain blocks that are indexed. */
  readonly chainBlocks: bigint;
  /** Rows of the table of blocks. */
  readonly blocks: bigint;
  /** Rows of the table of transactions. */
  readonly transactions: bigint;
  /** Payments among them. */
  readonly payments: bigint;
};

/** An indexed chain block. */
export type ChainRow = {
  readonly hash: BlockHash;
  readonly daaScore: DaaScore;
  readonly blueScore: BlueScore;
  readonly timestamp: TimestampMs;
  /** The chain block before it whose payments it judged; null in the first row. */
  readonly parent: BlockHash | null;
  /** What else it merged, in the order of the merge. */
  readonly merged: readonly BlockHash[];
  readonly totals: ChainTotals;
};

const COUNTS = [
  "notes",
  "nullifiers",
  "applied",
  "dropped",
  "chainBlocks",
  "blocks",
  "transactions",
  "payments",
] as const;

function writeTotals(writer: ByteWriter, totals: ChainTotals): void {
  writeU128(writer, totals.coinbase);
  writeU128(writer, totals.fees);
  for (const name of COUNTS) writer.u64(totals[name]);
}

function readTotals(reader: ByteReader): ChainTotals {
  return {
    coinbase: readU128(reader),
    fees: readU128(reader),
    notes: reader.u64(),
    nullifiers: reader.u64(),
    applied: reader.u64(),
    dropped: reader.u64(),
    chainBlocks: reader.u64(),
    blocks: reader.u64(),
    transactions: reader.u64(),
    payments: reader.u64(),
  };
}

/** The stored form; the index is the key. */
export const CHAIN_CODEC = bytesCodec<ChainRow>(
  (writer, row) => {
    writeHash(writer, row.hash);
    writer.u64(row.daaScore).u64(row.blueScore).u64(row.timestamp);
    writer.u8(row.parent === null ? 0 : 1);
    if (row.parent !== null) writeHash(writer, row.parent);
    writeList(writer, row.merged, (hash) => writeHash(writer, hash));
    writeTotals(writer, row.totals);
  },
  (reader) => ({
    hash: readBlockHash(reader),
    daaScore: asDaaScore(reader.u64()),
    blueScore: asBlueScore(reader.u64()),
    timestamp: asTimestampMs(reader.u64()),
    parent: reader.u8() === 1 ? readBlockHash(reader) : null,
    merged: readList(reader, HASH_BYTES, () => readBlockHash(reader)),
    totals: readTotals(reader),
  }),
);
