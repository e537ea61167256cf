/**
 * Takes the beginning of the index away, for an index that keeps so many days (`--index-days`). What stays has the bytes that it
 * had. A transaction stays as long as one of the blocks that carry it, the one that was judged last.
 */
import type { TimestampMs, TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { BIN_SECONDS, EMPTY_BIN } from "../tables/binRow.ts";
import {
  binsBetween,
  blockRowOf,
  deleteBlock,
  deleteTransaction,
  dropFirstPlaces,
  isTrimmedAway,
  moveRank,
  putBin,
  putChainRow,
  RANKS,
  transactionRowOf,
  type IndexedChainRow,
} from "../tables/derivedTables.ts";
import type { TransactionPlace } from "../tables/transactionRow.ts";

const MS = 1_000n;
const MINUTE_S = 60;

/** Takes the first chain block away, and what it merged: `next` is the first one then. Throws `store/corrupt` where rows are missing. */
export function trimChainBlock(
  batch: StoreBatch,
  first: IndexedChainRow,
  next: Pick<IndexedChainRow, "timestamp">,
): void {
  const rows = [first.hash, ...first.merged].map((hash) => {
    const row = blockRowOf(batch, hash);
    if (row === undefined) {
      throw new SvcError("store/corrupt", { table: "index", reason: `no block ${hash}` });
    }
    return row;
  });
  for (const row of rows) deleteBlock(batch, row);
  const carried = rows.flatMap(({ transactions }) => transactions.map(({ txid }) => txid));
  for (const txid of new Set(carried)) trimTransaction(batch, txid);
  trimBins(batch, next.timestamp);
  putChainRow(batch, first.index, null);
}

function trimTransaction(batch: StoreBatch, txid: TxId): void {
  const row = transactionRowOf(batch, txid);
  if (row === undefined) return;
  if (isTrimmedAway(batch, row)) return deleteTransaction(batch, txid);
  // The applied place says what became of the transaction, for as long as there is anything of it.
  const isGone = ({ block }: TransactionPlace): boolean => blockRowOf(batch, block) === undefined;
  dropFirstPlaces(batch, txid, { keptAt: row.appliedAt, isGone });
}

/** Bins that end before a time. A few at once: those that are left go with the next chain block. */
function trimBins(batch: StoreBatch, before: TimestampMs): void {
  for (const seconds of BIN_SECONDS) {
    const to = before / (BigInt(seconds) * MS);
    const limit = INDEXER_LIMITS.indexTurnRows;
    for (const { number, bin } of binsBetween(batch, seconds, { from: 0n, to, limit })) {
      putBin(batch, seconds, { number, bin: EMPTY_BIN });
      if (seconds !== MINUTE_S) continue;
      for (const rank of RANKS) moveRank(batch, rank, { minute: number, from: bin[rank], to: 0 });
    }
  }
}
