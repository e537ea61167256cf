/**
 * Reducers of the derived tables: what a chain block adds to them, and how it is taken away again. The tables are a function of
 * the selected chain alone: whatever way the chain came about, they have the same bytes.
 *
 * A chain block writes itself and the blocks that it merges. It judges the payments that these and its parent carry. What is not
 * merged yet is in no table.
 */
import { asChainIndex, type BlockHash, type TxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { EMPTY_BIN } from "../tables/binRow.ts";
import type { BlockRow, MergedColor } from "../tables/blockRow.ts";
import {
  addPlace,
  appliedPlace,
  blockRowOf,
  chainEnd,
  deleteBlock,
  deleteTransaction,
  dropPlace,
  isTrimmedAway,
  lastPlace,
  putBlock,
  putChainRow,
  transactionRowOf,
  type IndexedChainRow,
} from "../tables/derivedTables.ts";
import type { TransactionPlace } from "../tables/transactionRow.ts";
import { BinChanges, binOfBlock } from "./binChanges.ts";
import type { ChainContent, FirstContent, WholeBlock } from "./chainContent.ts";

/** Reason of a coinbase that mints nothing, since its block is not on the selected chain. */
export const OFF_CHAIN = "chain/not-on-chain";

/** Reason of a carried payment of which the chain block says nothing. No chain block does that. */
const UNJUDGED = "";

/** Writes the first chain block of an empty index, without anything that it merged. */
export function addFirst(batch: StoreBatch, { index, block, totals }: FirstContent): void {
  const bins = new BinChanges(1);
  const judge = judgeOf([], []);
  writeBlock(batch, { block, color: "chain", by: block.hash }, bins);
  const added = placeCoinbase(batch, block, { block, by: block.hash, judge });
  bins.write(batch);
  putChainRow(batch, index, {
    ...placeOf(block),
    parent: null,
    merged: [],
    totals: {
      ...totals,
      applied: 0n,
      dropped: 0n,
      chainBlocks: 1n,
      blocks: 1n,
      transactions: BigInt(added),
      payments: 0n,
    },
  });
}

/** Writes the chain block that follows the last one. Throws `chain/not-on-chain` when it does not. */
export function addChainBlock(batch: StoreBatch, content: ChainContent): void {
  const { block, parent, merged, minted, applied, dropped } = content;
  const last = chainEnd(batch, "last");
  if (last?.hash !== parent.hash) throw notNext(parent.hash);
  const bins = new BinChanges(1);
  const by = block.hash;
  const judge = judgeOf(applied, dropped);
  for (const { block: one, color } of merged) writeBlock(batch, { block: one, color, by }, bins);
  writeBlock(batch, { block, color: "chain", by }, bins);
  let added = 0;
  let payments = 0;
  for (const one of [parent, ...merged.map((each) => each.block)]) {
    if (one !== parent) added += placeCoinbase(batch, one, { block, by, judge });
    payments += placePayments(batch, one, { block, by, judge });
  }
  added += placeCoinbase(batch, block, { block, by, judge });
  const effect = effectOf(
    batch,
    by,
    applied.map(({ txid }) => txid),
  );
  bins.count(block.timestamp, { ...EMPTY_BIN, ...effect });
  bins.write(batch);
  const { totals } = last;
  putChainRow(batch, asChainIndex(last.index + 1n), {
    ...placeOf(block),
    parent: parent.hash,
    merged: merged.map((one) => one.block.hash),
    totals: {
      coinbase: totals.coinbase + minted.reduce((sum, value) => sum + value, 0n),
      fees: totals.fees + effect.fees,
      notes: totals.notes + BigInt(minted.length + effect.actions),
      nullifiers: totals.nullifiers + BigInt(effect.actions),
      applied: totals.applied + BigInt(effect.applied),
      dropped: totals.dropped + BigInt(dropped.length),
      chainBlocks: totals.chainBlocks + 1n,
      blocks: totals.blocks + BigInt(merged.length + 1),
      transactions: totals.transactions + BigInt(added + payments),
      payments: totals.payments + BigInt(payments),
    },
  });
}

/** Takes the last chain block away: the tables are as before it came. Throws `store/corrupt` where rows are missing. */
export function removeChainBlock(batch: StoreBatch, last: IndexedChainRow): void {
  const bins = new BinChanges(-1);
  const { hash, merged, parent } = last;
  const own = rowOf(batch, hash);
  const others = merged.map((one) => rowOf(batch, one));
  const judged = parent === null ? others : [rowOf(batch, parent), ...others];
  const txids = new Set(
    judged.flatMap(({ transactions }) => transactions.slice(1).map(({ txid }) => txid)),
  );
  bins.count(own.timestamp, { ...EMPTY_BIN, ...effectOf(batch, hash, [...txids]) });
  // Two blocks of one miner may have the same coinbase.
  for (const { transactions } of [own, ...others]) {
    for (const { txid } of transactions.slice(0, 1)) txids.add(txid);
  }
  // The first row of an index has a parent when the rows of that one were taken away.
  const isTrimmed = chainEnd(batch, "first")?.parent !== null;
  for (const txid of txids) unplace(batch, txid, { by: hash, isTrimmed });
  for (const row of [own, ...others]) {
    bins.count(row.timestamp, binOfBlock(row));
    deleteBlock(batch, row);
  }
  bins.write(batch);
  putChainRow(batch, last.index, null);
}

type Writing = {
  readonly block: WholeBlock;
  readonly color: MergedColor;
  readonly by: BlockHash;
};

function writeBlock(batch: StoreBatch, { block, color, by }: Writing, bins: BinChanges): void {
  const { contents: _, ...content } = block;
  const row: BlockRow = { ...content, color, mergedBy: by };
  putBlock(batch, row);
  bins.count(row.timestamp, binOfBlock(row));
}

/** What became of a payment of a block; undefined for an applied one, else the code of the reason. */
type Judge = (txid: TxId, block: BlockHash) => string | undefined;

function judgeOf(applied: ChainContent["applied"], dropped: ChainContent["dropped"]): Judge {
  const name = (txid: TxId, block: BlockHash): string => `${txid}${block}`;
  const effects = new Set(applied.map(({ txid, block }) => name(txid, block)));
  const reasons = new Map(dropped.map(({ txid, block, reason }) => [name(txid, block), reason]));
  return (txid, block) => {
    const key = name(txid, block);
    return effects.has(key) ? undefined : (reasons.get(key) ?? UNJUDGED);
  };
}

type Judged = {
  /** The chain block that judges. */
  readonly block: WholeBlock;
  readonly by: BlockHash;
  readonly judge: Judge;
};

/** Returns the number of rows that are new. */
function placeCoinbase(batch: StoreBatch, carrier: WholeBlock, { by }: Judged): number {
  const [coinbase] = carrier.contents;
  if (coinbase === undefined) return 0;
  const reason = carrier.hash === by ? undefined : OFF_CHAIN;
  return addPlace(batch, coinbase, placeIn(carrier, by, reason)) ? 1 : 0;
}

function placePayments(batch: StoreBatch, carrier: WholeBlock, { by, judge }: Judged): number {
  let added = 0;
  for (const payment of carrier.contents.slice(1)) {
    const place = placeIn(carrier, by, judge(payment.txid, carrier.hash));
    if (addPlace(batch, payment, place)) added += 1;
  }
  return added;
}

function placeIn(
  { hash, timestamp, daaScore }: WholeBlock,
  by: BlockHash,
  reason: string | undefined,
): TransactionPlace {
  return {
    block: hash,
    blockTime: timestamp,
    blockDaaScore: daaScore,
    by,
    effect: reason === undefined ? "applied" : "dropped",
    reason: reason ?? "",
  };
}

/** The places of the last chain block are the last ones of each transaction. Without them nothing may be left of it in the index. */
function unplace(
  batch: StoreBatch,
  txid: TxId,
  { by, isTrimmed }: { readonly by: BlockHash; readonly isTrimmed: boolean },
): void {
  let row = transactionRowOf(batch, txid);
  if (row === undefined) throw corrupt(`no transaction ${txid}`);
  while (row !== undefined) {
    if (isTrimmed && isTrimmedAway(batch, row)) return deleteTransaction(batch, txid);
    if (lastPlace(batch, row)?.by !== by) return;
    dropPlace(batch, row);
    row = transactionRowOf(batch, txid);
  }
}

/** What the applied ones among these payments do, by their rows. */
function effectOf(
  batch: StoreBatch,
  by: BlockHash,
  txids: readonly TxId[],
): { applied: number; actions: number; fees: bigint } {
  const effect = { applied: 0, actions: 0, fees: 0n };
  for (const txid of txids) {
    const row = transactionRowOf(batch, txid);
    if (row === undefined) throw corrupt(`no transaction ${txid}`);
    if (appliedPlace(batch, row)?.by !== by) continue;
    effect.applied += 1;
    effect.actions += row.actions;
    effect.fees += row.fee ?? 0n;
  }
  return effect;
}

function placeOf({
  hash,
  daaScore,
  blueScore,
  timestamp,
}: WholeBlock): Pick<IndexedChainRow, "hash" | "daaScore" | "blueScore" | "timestamp"> {
  return { hash, daaScore, blueScore, timestamp };
}

function rowOf(batch: StoreBatch, hash: BlockHash): BlockRow {
  const row = blockRowOf(batch, hash);
  if (row === undefined) throw corrupt(`no block ${hash}`);
  return row;
}

function corrupt(reason: string): SvcError {
  return new SvcError("store/corrupt", { table: "index", reason });
}

function notNext(hash: BlockHash): SvcError {
  return new SvcError("store/corrupt", { table: "index", reason: `the chain lacks ${hash}` });
}
