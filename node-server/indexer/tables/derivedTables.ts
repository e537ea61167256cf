/** The derived tables by what their rows are: keys, reads and writes. Whoever changes several of them keeps them in step. */
import {
  asBlockHash,
  asChainIndex,
  type BlockHash,
  type ChainIndex,
  type TxId,
} from "@svc/shared/base/brand.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { KEYS_END, type KvPair, type KvRange } from "../../storage/kv.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { numberKey, readNumberKey, type StoreReader } from "../../storage/rows/storeKeys.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { BIN_CODEC, EMPTY_BIN, isEmptyBin, type BinRow, type BinSeconds } from "./binRow.ts";
import { blockCodec, type BlockRow } from "./blockRow.ts";
import { CHAIN_CODEC, type ChainRow } from "./chainRow.ts";
import { getRow, openPair, putRow } from "./checkedRows.ts";
import { DERIVED_TABLES as TABLES } from "./indexLayout.ts";
import {
  PLACE_CODEC,
  transactionCodec,
  type TransactionContent,
  type TransactionPlace,
  type TransactionRow,
} from "./transactionRow.ts";

/** A chain row and its index. */
export type IndexedChainRow = ChainRow & { readonly index: ChainIndex };

/** A row without content: its key says all. */
const PRESENT = Uint8Array.of(1);
const NUMBER_BYTES = 8;
const HASH_BYTES = 32;
const ALL = { from: new Uint8Array(), to: KEYS_END } as const;

/** The newest or oldest chain row; undefined in an empty index. */
export function chainEnd(reader: StoreReader, end: "first" | "last"): IndexedChainRow | undefined {
  const range = { table: TABLES.chain, ...ALL, limit: 1, reverse: end === "last" };
  const [pair] = reader.range(range);
  return pair && chainRowOf(pair);
}

/** The chain row of an index. */
export function chainRowAt(reader: StoreReader, index: ChainIndex): IndexedChainRow | undefined {
  const row = getRow(reader, TABLES.chain, numberKey(index), CHAIN_CODEC);
  return row && { ...row, index };
}

/** Writes the chain row of an index; null deletes it. */
export function putChainRow(batch: StoreBatch, index: ChainIndex, row: ChainRow | null): void {
  const key = numberKey(index);
  if (row === null) batch.put(TABLES.chain, key, null);
  else putRow(batch, { table: TABLES.chain, key, codec: CHAIN_CODEC }, row);
}

function chainRowOf(pair: KvPair): IndexedChainRow {
  const index = asChainIndex(readNumberKey(pair.key) ?? 0n);
  return { ...openPair(TABLES.chain, pair, CHAIN_CODEC), index };
}

/** The row of a block. */
export function blockRowOf(reader: StoreReader, hash: BlockHash): BlockRow | undefined {
  return getRow(reader, TABLES.blocks, decodeHex(hash), blockCodec(hash));
}

/** Writes a block and its places in the orders by DAA score and by time. */
export function putBlock(batch: StoreBatch, row: BlockRow): void {
  const key = decodeHex(row.hash);
  putRow(batch, { table: TABLES.blocks, key, codec: blockCodec(row.hash) }, row);
  batch.put(TABLES.byDaa, orderKey(row.daaScore, key), PRESENT);
  batch.put(TABLES.byTime, orderKey(row.timestamp, key), PRESENT);
}

/** Deletes a block and its places. */
export function deleteBlock(batch: StoreBatch, row: BlockRow): void {
  const key = decodeHex(row.hash);
  batch.put(TABLES.blocks, key, null);
  batch.put(TABLES.byDaa, orderKey(row.daaScore, key), null);
  batch.put(TABLES.byTime, orderKey(row.timestamp, key), null);
}

/** Key of a block in an order: the number big endian, then the hash. */
export function orderKey(number: bigint, hash: Uint8Array): Uint8Array {
  return concatBytes(numberKey(number), hash);
}

/** A range of an order: from one number to below another. */
export type OrderRange = {
  readonly order: "byDaa" | "byTime";
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly limit: number;
  readonly reverse?: boolean;
};

/** Hashes of the blocks in a range of an order, each with its number. */
export function orderedBlocks(
  reader: StoreReader,
  { order, ...range }: OrderRange,
): { readonly number: bigint; readonly hash: BlockHash }[] {
  return reader.range({ ...range, table: TABLES[order] }).map(({ key }) => ({
    number: readNumberKey(key) ?? 0n,
    hash: asBlockHash(encodeHex(key.subarray(NUMBER_BYTES))),
  }));
}

/** The row of a transaction. */
export function transactionRowOf(reader: StoreReader, txid: TxId): TransactionRow | undefined {
  return getRow(reader, TABLES.transactions, decodeHex(txid), transactionCodec(txid));
}

/**
 * Adds the place that was judged last to a transaction. `content`: what its bytes say; they are the same bytes as before. True
 * for the first place.
 */
export function addPlace(
  batch: StoreBatch,
  content: TransactionContent,
  place: TransactionPlace,
): boolean {
  const known = transactionRowOf(batch, content.txid);
  const { txid, kind, actions, fee, size } = known ?? content;
  const at = known?.placeCount ?? 0;
  const places = known?.places ?? [];
  const isFirst = at < INDEXER_LIMITS.indexPlaces;
  if (!isFirst) {
    const key = placeKey(txid, at);
    putRow(batch, { table: TABLES.places, key, codec: PLACE_CODEC }, place);
  }
  const appliedAt = known?.appliedAt ?? (place.effect === "applied" ? at : null);
  putTransaction(batch, {
    ...{ txid, kind, actions, fee, size, appliedAt },
    places: isFirst ? [...places, place] : places,
    placeCount: at + 1,
  });
  return known === undefined;
}

/** Takes the last place of a transaction away; without any it is deleted. */
export function dropPlace(batch: StoreBatch, row: TransactionRow): void {
  const at = row.placeCount - 1;
  if (at >= INDEXER_LIMITS.indexPlaces) {
    batch.put(TABLES.places, placeKey(row.txid, at), null);
  }
  putTransaction(batch, {
    ...row,
    places: row.places.slice(0, at),
    placeCount: at,
    appliedAt: row.appliedAt === at ? null : row.appliedAt,
  });
}

/**
 * Deletes the rows of a transaction's places, the first ones in front, up to one that is not gone. Places are in the order of their
 * blocks. `keptAt`: the number of one that stays all the same.
 */
export function dropFirstPlaces(
  batch: StoreBatch,
  txid: TxId,
  {
    keptAt,
    isGone,
  }: { readonly keptAt: number | null; readonly isGone: (place: TransactionPlace) => boolean },
): void {
  const limit = INDEXER_LIMITS.indexTurnRows;
  const to = placeKey(txid, Number.MAX_SAFE_INTEGER);
  let from = placeKey(txid, 0);
  for (;;) {
    const page = batch.range({ table: TABLES.places, from, to, limit });
    for (const pair of page) {
      if (!isGone(openPair(TABLES.places, pair, PLACE_CODEC))) return;
      const at = Number(readNumberKey(pair.key.subarray(HASH_BYTES)) ?? 0n);
      if (at !== keptAt) batch.put(TABLES.places, pair.key, null);
    }
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    from = concatBytes(last.key, Uint8Array.of(0));
  }
}

/** Deletes a transaction, and those places of it that have rows. */
export function deleteTransaction(batch: StoreBatch, txid: TxId): void {
  dropFirstPlaces(batch, txid, { keptAt: null, isGone: () => true });
  batch.put(TABLES.transactions, decodeHex(txid), null);
}

/** A place of a transaction by its number; undefined for none. Throws `store/corrupt` where its row is missing. */
export function placeAt(
  reader: StoreReader,
  row: TransactionRow,
  at: number,
): TransactionPlace | undefined {
  if (at < 0 || at >= row.placeCount) return undefined;
  const place = placeIfThere(reader, row, at);
  if (place !== undefined) return place;
  const reason = `no place ${at} of ${row.txid}`;
  throw new SvcError("store/corrupt", { table: "index", reason });
}

function placeIfThere(
  reader: StoreReader,
  { txid, places }: TransactionRow,
  at: number,
): TransactionPlace | undefined {
  return places[at] ?? getRow(reader, TABLES.places, placeKey(txid, at), PLACE_CODEC);
}

/** Whether the block of a transaction's last place was taken away with the beginning of the index, or the place itself. */
export function isTrimmedAway(reader: StoreReader, row: TransactionRow): boolean {
  const last = placeIfThere(reader, row, row.placeCount - 1);
  return last === undefined || blockRowOf(reader, last.block) === undefined;
}

/** Where a transaction was applied; undefined for one that was not. */
export function appliedPlace(
  reader: StoreReader,
  row: TransactionRow,
): TransactionPlace | undefined {
  return row.appliedAt === null ? undefined : placeAt(reader, row, row.appliedAt);
}

/** Where a transaction was judged last. */
export function lastPlace(reader: StoreReader, row: TransactionRow): TransactionPlace | undefined {
  return placeAt(reader, row, row.placeCount - 1);
}

/** Key of a place: the id, then the number of the place u64, big endian. */
function placeKey(txid: TxId, at: number): Uint8Array {
  return concatBytes(decodeHex(txid), numberKey(BigInt(at)));
}

function putTransaction(batch: StoreBatch, row: TransactionRow): void {
  const key = decodeHex(row.txid);
  if (row.placeCount === 0) batch.put(TABLES.transactions, key, null);
  else {
    const codec = transactionCodec(row.txid);
    putRow(batch, { table: TABLES.transactions, key, codec }, row);
  }
}

/** The hashes of blocks, or the ids of transactions, in a range, ascending. */
export function hashesBetween(
  reader: StoreReader,
  table: "blocks" | "transactions",
  range: Pick<KvRange, "from" | "to" | "limit">,
): string[] {
  return reader.range({ ...range, table: TABLES[table] }).map(({ key }) => encodeHex(key));
}

/** Key of a bin: its size in seconds u16, its number since 1970 u64, big endian. */
function binKey(seconds: BinSeconds, number: bigint): Uint8Array {
  return concatBytes(Uint8Array.of(seconds >> 8, seconds & 0xff), numberKey(number));
}

/** The bin of a size with this number, empty where there is none. */
export function binAt(reader: StoreReader, seconds: BinSeconds, number: bigint): BinRow {
  return getRow(reader, TABLES.bins, binKey(seconds, number), BIN_CODEC) ?? EMPTY_BIN;
}

/** Writes a bin; an empty one is deleted. */
export function putBin(
  batch: StoreBatch,
  seconds: BinSeconds,
  { number, bin }: { readonly number: bigint; readonly bin: BinRow },
): void {
  const key = binKey(seconds, number);
  if (isEmptyBin(bin)) batch.put(TABLES.bins, key, null);
  else putRow(batch, { table: TABLES.bins, key, codec: BIN_CODEC }, bin);
}

/** The bins of a size from one number to below another that have anything, ascending. */
export function binsBetween(
  reader: StoreReader,
  seconds: BinSeconds,
  { from, to, limit }: { readonly from: bigint; readonly to: bigint; readonly limit: number },
): { readonly number: bigint; readonly bin: BinRow }[] {
  const range = { from: binKey(seconds, from), to: binKey(seconds, to), limit };
  return reader.range({ ...range, table: TABLES.bins }).map((pair) => ({
    number: readNumberKey(pair.key.subarray(2)) ?? 0n,
    bin: openPair(TABLES.bins, pair, BIN_CODEC),
  }));
}

/** What minutes are ranked by. */
export const RANKS = ["blocks", "reds"] as const;
/** A ranking of minutes. */
export type Rank = (typeof RANKS)[number];

/** A minute and its count in a ranking. */
export type RankedMinute = { readonly minute: bigint; readonly count: number };

/** Key of a minute in a ranking: which one, its count, and the minute backwards, so that the older of two stands above. */
function rankKey(rank: Rank, { count, minute }: RankedMinute): Uint8Array {
  const ranked = numberKey(BigInt(count));
  return concatBytes(Uint8Array.of(RANKS.indexOf(rank)), ranked, numberKey(LAST - minute));
}

const LAST = 0xffff_ffff_ffff_ffffn;

/** Moves a minute to another count of a ranking. A count of 0 has no place. */
export function moveRank(
  batch: StoreBatch,
  rank: Rank,
  { minute, from, to }: { readonly minute: bigint; readonly from: number; readonly to: number },
): void {
  if (from === to) return;
  if (from > 0) batch.put(TABLES.ranks, rankKey(rank, { count: from, minute }), null);
  if (to > 0) batch.put(TABLES.ranks, rankKey(rank, { count: to, minute }), PRESENT);
}

/** The minutes with the highest counts. */
export function highestRanks(reader: StoreReader, rank: Rank, limit: number): RankedMinute[] {
  const number = RANKS.indexOf(rank);
  const range = { from: Uint8Array.of(number), to: Uint8Array.of(number + 1), limit };
  return reader.range({ ...range, table: TABLES.ranks, reverse: true }).map(({ key }) => ({
    count: Number(readNumberKey(key.subarray(1)) ?? 0n),
    minute: LAST - (readNumberKey(key.subarray(1 + NUMBER_BYTES)) ?? 0n),
  }));
}
