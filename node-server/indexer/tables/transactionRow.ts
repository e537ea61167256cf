/** Row of a transaction that merged blocks carry: what its bytes say, and what the chain did with it. */
import {
  asDaaScore,
  asTimestampMs,
  type BlockHash,
  type DaaScore,
  type TimestampMs,
  type TxId,
} from "@svc/shared/base/brand.ts";
import type { ByteReader, ByteWriter } from "@svc/shared/base/bytes.ts";
import type { RowCodec } from "../../storage/rows/rowTable.ts";
import {
  bytesCodec,
  HASH_BYTES,
  readBlockHash,
  readList,
  readText,
  wordOf,
  writeHash,
  writeList,
  writeText,
} from "./rowBytes.ts";

const KINDS = ["coinbase", "payment"] as const;
const EFFECTS = ["applied", "dropped"] as const;

/** What the bytes of a transaction say. */
export type TransactionContent = {
  readonly txid: TxId;
  readonly kind: (typeof KINDS)[number];
  readonly actions: number;
  /** Sompi; null for a coinbase, and for a payment that cannot be read. */
  readonly fee: bigint | null;
  /** Bytes, as fees are counted. */
  readonly size: number;
};

/** A block that carries the transaction, and the judgement of the chain block that merged it. */
export type TransactionPlace = {
  readonly block: BlockHash;
  readonly blockTime: TimestampMs;
  readonly blockDaaScore: DaaScore;
  /** The chain block that judged it. */
  readonly by: BlockHash;
  readonly effect: (typeof EFFECTS)[number];
  /** Code of the registry; empty for what was applied. */
  readonly reason: string;
};

/** A transaction, and what was judged of it. */
export type TransactionRow = TransactionContent & {
  /** The places that were judged first, in their order; at least one, and at most `indexPlaces`. */
  readonly places: readonly TransactionPlace[];
  /** Number of all its places. Those behind the first ones have rows of their own. */
  readonly placeCount: number;
  /** Which place is the first that was applied; null for none. */
  readonly appliedAt: number | null;
};

const PLACE_BYTES = 2 * HASH_BYTES + 8 + 8 + 1 + 4;

/** The stored form; the id is the key. */
export function transactionCodec(txid: TxId): RowCodec<TransactionRow> {
  return bytesCodec<TransactionRow>(
    (writer, row) => {
      writer.u8(KINDS.indexOf(row.kind)).u32(row.actions).u32(row.size);
      writer.u8(row.fee === null ? 0 : 1).u64(row.fee ?? 0n);
      writer.u32(row.placeCount);
      writer.u8(row.appliedAt === null ? 0 : 1).u32(row.appliedAt ?? 0);
      writeList(writer, row.places, (place) => writePlace(writer, place));
    },
    (reader) => {
      const kind = wordOf(KINDS, reader.u8());
      const [actions, size] = [reader.u32(), reader.u32()];
      const [hasFee, fee] = [reader.u8() === 1, reader.u64()];
      const placeCount = reader.u32();
      const [isApplied, appliedAt] = [reader.u8() === 1, reader.u32()];
      const places = readList(reader, PLACE_BYTES, () => readPlace(reader));
      return {
        ...{ txid, kind, actions, size, fee: hasFee ? fee : null },
        ...{ places, placeCount, appliedAt: isApplied ? appliedAt : null },
      };
    },
  );
}

/** The stored form of a place that has a row of its own. */
export const PLACE_CODEC = bytesCodec<TransactionPlace>(writePlace, readPlace);

function writePlace(writer: ByteWriter, place: TransactionPlace): void {
  writeHash(writer, place.block);
  writeHash(writer, place.by);
  writer.u64(place.blockTime).u64(place.blockDaaScore).u8(EFFECTS.indexOf(place.effect));
  writeText(writer, place.reason);
}

function readPlace(reader: ByteReader): TransactionPlace {
  return {
    block: readBlockHash(reader),
    by: readBlockHash(reader),
    blockTime: asTimestampMs(reader.u64()),
    blockDaaScore: asDaaScore(reader.u64()),
    effect: wordOf(EFFECTS, reader.u8()),
    reason: readText(reader),
  };
}
