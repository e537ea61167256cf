/** Row of a block that a chain block has merged, itself among them. */
import {
  asBlueScore,
  asDaaScore,
  asTimestampMs,
  type BlockHash,
  type BlueScore,
  type DaaScore,
  type TimestampMs,
  type TxId,
} from "@svc/shared/base/brand.ts";
import type { RowCodec } from "../../storage/rows/rowTable.ts";
import {
  bytesCodec,
  HASH_BYTES,
  readBlockHash,
  readF64,
  readList,
  readTxId,
  wordOf,
  writeF64,
  writeHash,
  writeList,
} from "./rowBytes.ts";

/** What the merging chain block says of a block; the chain block itself is `chain`. */
export const COLORS = ["chain", "blue", "red"] as const;
/** What work a block was found by. */
export const WORKS = ["native", "merge-mined", "skipped"] as const;

/** The colour of a merged block. */
export type MergedColor = (typeof COLORS)[number];
/** The kind of work of a block. */
export type WorkKind = (typeof WORKS)[number];

/** A transaction of a block, as lists show it. */
export type CarriedTransaction = {
  readonly txid: TxId;
  /** 0 for a coinbase. */
  readonly actions: number;
};

/** What the block itself says, whoever merges it. */
export type BlockContent = {
  readonly hash: BlockHash;
  readonly parents: readonly BlockHash[];
  readonly selectedParent: BlockHash;
  readonly daaScore: DaaScore;
  readonly blueScore: BlueScore;
  readonly timestamp: TimestampMs;
  /** For display only. */
  readonly difficulty: number;
  readonly work: WorkKind;
  /** The script that its coinbase payload asks to be paid at; empty where it has none. */
  readonly minerScript: Uint8Array;
  /** What its miner wrote behind the script, cut. */
  readonly extraData: Uint8Array;
  /** Sompi of the notes of its coinbase. They are minted only if it is a chain block. */
  readonly coinbase: readonly bigint[];
  /** The coinbase first. */
  readonly transactions: readonly CarriedTransaction[];
};

/** A block and its place. */
export type BlockRow = BlockContent & {
  readonly color: MergedColor;
  /** The chain block that merged it, itself for a chain block. */
  readonly mergedBy: BlockHash;
};

/** The stored form; the hash is the key. */
export function blockCodec(hash: BlockHash): RowCodec<BlockRow> {
  return bytesCodec<BlockRow>(
    (writer, row) => {
      writer.u8(COLORS.indexOf(row.color)).u8(WORKS.indexOf(row.work));
      writeHash(writer, row.mergedBy);
      writeHash(writer, row.selectedParent);
      writer.u64(row.daaScore).u64(row.blueScore).u64(row.timestamp);
      writeF64(writer, row.difficulty);
      writer.block(row.minerScript).block(row.extraData);
      writeList(writer, row.parents, (parent) => writeHash(writer, parent));
      writeList(writer, row.coinbase, (value) => writer.u64(value));
      writeList(writer, row.transactions, ({ txid, actions }) => {
        writeHash(writer, txid);
        writer.u32(actions);
      });
    },
    (reader) => ({
      hash,
      color: wordOf(COLORS, reader.u8()),
      work: wordOf(WORKS, reader.u8()),
      mergedBy: readBlockHash(reader),
      selectedParent: readBlockHash(reader),
      daaScore: asDaaScore(reader.u64()),
      blueScore: asBlueScore(reader.u64()),
      timestamp: asTimestampMs(reader.u64()),
      difficulty: readF64(reader),
      minerScript: new Uint8Array(reader.block()),
      extraData: new Uint8Array(reader.block()),
      parents: readList(reader, HASH_BYTES, () => readBlockHash(reader)),
      coinbase: readList(reader, 8, () => reader.u64()),
      transactions: readList(reader, HASH_BYTES + 4, () => ({
        txid: readTxId(reader),
        actions: reader.u32(),
      })),
    }),
  );
}
