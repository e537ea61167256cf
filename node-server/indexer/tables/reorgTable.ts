/**
 * The observed table of reorganisations, and the tip up to which they were heard of. It cannot be made anew, so a damaged row is left
 * out and the others are kept.
 */
import {
  asBlockHash,
  asTimestampMs,
  type BlockHash,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { KEYS_END, type KvPair } from "../../storage/kv.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { getRow, openPair, putRow, unlessDamaged } from "./checkedRows.ts";
import { OBSERVED_TABLES as TABLES } from "./indexLayout.ts";
import { bytesCodec, readBlockHash, writeHash } from "./rowBytes.ts";

/** A reorganisation of the selected chain that this node saw. */
export type ReorgRow = {
  readonly t: TimestampMs;
  readonly oldTip: BlockHash;
  readonly newTip: BlockHash;
  /** Null where the engine could not tell it any more. */
  readonly forkPoint: BlockHash | null;
  /** Chain blocks that were left: the depth. */
  readonly removed: number;
  /** Chain blocks that took their place; at least so many where the fork point is not known. */
  readonly added: number;
};

/** Stands where no block is known: no block has this hash. */
const NO_BLOCK = asBlockHash("00".repeat(32));

function blockUnlessNone(hash: BlockHash): BlockHash | null {
  return hash === NO_BLOCK ? null : hash;
}

const REORG = bytesCodec<ReorgRow>(
  (writer, row) => {
    writer.u64(row.t);
    for (const hash of [row.oldTip, row.newTip, row.forkPoint ?? NO_BLOCK]) writeHash(writer, hash);
    writer.u32(row.removed).u32(row.added);
  },
  (reader) => ({
    t: asTimestampMs(reader.u64()),
    oldTip: readBlockHash(reader),
    newTip: readBlockHash(reader),
    forkPoint: blockUnlessNone(readBlockHash(reader)),
    removed: reader.u32(),
    added: reader.u32(),
  }),
);

/** A reorganisation that was heard of, before the engine was asked what it left. */
export type HeardReorg = Omit<ReorgRow, "forkPoint" | "added"> & {
  /** The lowest chain block that was left. */
  readonly lowest: BlockHash;
  /** Null where nobody told. */
  readonly added: number | null;
};

const HEARD = bytesCodec<HeardReorg>(
  (writer, row) => {
    writer.u64(row.t);
    for (const hash of [row.oldTip, row.newTip, row.lowest]) writeHash(writer, hash);
    writer
      .u32(row.removed)
      .u8(row.added === null ? 0 : 1)
      .u32(row.added ?? 0);
  },
  (reader) => {
    const t = asTimestampMs(reader.u64());
    const [oldTip, newTip] = [readBlockHash(reader), readBlockHash(reader)];
    const [lowest, removed] = [readBlockHash(reader), reader.u32()];
    const [hasAdded, added] = [reader.u8() === 1, reader.u32()];
    return { t, oldTip, newTip, lowest, removed, added: hasAdded ? added : null };
  },
);

const TIP = bytesCodec<BlockHash>(
  (writer, hash) => writeHash(writer, hash),
  (reader) => readBlockHash(reader),
);
const TIP_KEY = new TextEncoder().encode("tip");
const TIME_KEYS = Uint8Array.of(0);
const DEPTH_KEYS = Uint8Array.of(1);
const HEARD_KEYS = Uint8Array.of(2);

/** The sink up to which every reorganisation was heard of; undefined before the first. */
export function heardTip(reader: StoreReader): BlockHash | undefined {
  return unlessDamaged(() => getRow(reader, TABLES.state, TIP_KEY, TIP));
}

/** Notes the sink up to which every reorganisation was heard of. */
export function putHeardTip(batch: StoreBatch, tip: BlockHash): void {
  putRow(batch, { table: TABLES.state, key: TIP_KEY, codec: TIP }, tip);
}

/** Reorganisations, the newest or the deepest first. */
export function reorgs(
  reader: StoreReader,
  { order, limit }: { readonly order: "time" | "depth"; readonly limit: number },
): ReorgRow[] {
  const prefix = order === "time" ? TIME_KEYS : DEPTH_KEYS;
  const range = { from: prefix, to: concatBytes(prefix, KEYS_END.subarray(1)), limit };
  const pairs = reader.range({ ...range, table: TABLES.reorgs, reverse: true });
  return pairs.flatMap((pair) => reorgOf(pair) ?? []);
}

/** A page of the reorganisations by time, ascending, after a key. */
export function reorgsAfter(reader: StoreReader, after: Uint8Array, limit: number): KvPair[] {
  const from = concatBytes(after.length === 0 ? TIME_KEYS : after, Uint8Array.of(0));
  const range = { from, to: concatBytes(TIME_KEYS, KEYS_END.subarray(1)), limit };
  return reader.range({ ...range, table: TABLES.reorgs });
}

/** The reorganisation of a pair of `reorgsAfter`; undefined for a damaged one. */
export function reorgOf(pair: KvPair): ReorgRow | undefined {
  return unlessDamaged(() => openPair(TABLES.reorgs, pair, REORG));
}

/** Writes a reorganisation, in its places by time and by depth. */
export function putReorg(batch: StoreBatch, row: ReorgRow): void {
  const end = concatBytes(numberKey(row.t), decodeHex(row.oldTip));
  const byDepth = concatBytes(DEPTH_KEYS, numberKey(BigInt(row.removed)), end);
  for (const key of [concatBytes(TIME_KEYS, end), byDepth]) {
    putRow(batch, { table: TABLES.reorgs, key, codec: REORG }, row);
  }
}

/** A page of the reorganisations that were only heard of, the oldest first, after a key. */
export function heardReorgsAfter(reader: StoreReader, after: Uint8Array, limit: number): KvPair[] {
  const from = concatBytes(after.length === 0 ? HEARD_KEYS : after, Uint8Array.of(0));
  const range = { from, to: concatBytes(HEARD_KEYS, KEYS_END.subarray(1)), limit };
  return reader.range({ ...range, table: TABLES.reorgs });
}

/** What was heard, of a pair of `heardReorgsAfter`; undefined for a damaged row. */
export function heardReorgOf(pair: KvPair): HeardReorg | undefined {
  return unlessDamaged(() => openPair(TABLES.reorgs, pair, HEARD));
}

/**
 * Whether the reorganisation that left this tip is among the newest ones. The chain never comes back to a tip that it has left: a
 * better one is above it.
 */
export function isNotedReorg(reader: StoreReader, oldTip: BlockHash): boolean {
  const limit = INDEXER_LIMITS.indexNotedReorgs;
  const to = concatBytes(HEARD_KEYS, KEYS_END.subarray(1));
  const heard = reader
    .range({ table: TABLES.reorgs, from: HEARD_KEYS, to, limit, reverse: true })
    .flatMap((pair) => heardReorgOf(pair) ?? []);
  const rows = [...heard, ...reorgs(reader, { order: "time", limit })];
  return rows.some((row) => row.oldTip === oldTip);
}

function heardKey({ t, oldTip }: HeardReorg): Uint8Array {
  return concatBytes(HEARD_KEYS, numberKey(t), decodeHex(oldTip));
}

/** Writes a reorganisation that was heard of. */
export function putHeardReorg(batch: StoreBatch, row: HeardReorg): void {
  putRow(batch, { table: TABLES.reorgs, key: heardKey(row), codec: HEARD }, row);
}

/** Puts the whole row in the place of one that was heard of. */
export function completeReorg(batch: StoreBatch, heard: HeardReorg, row: ReorgRow): void {
  batch.put(TABLES.reorgs, heardKey(heard), null);
  putReorg(batch, row);
}
