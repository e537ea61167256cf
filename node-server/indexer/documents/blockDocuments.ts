/** The documents of `/blocks/recent`, `/blocks/window` and `/blocks/at`: merged blocks from the tables, the others from memory. */
import type { BlockHash, BlueScore } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import type { BlockContent, BlockRow } from "../tables/blockRow.ts";
import { blockRowOf, orderedBlocks, orderKey, type OrderRange } from "../tables/derivedTables.ts";
import { aTurn, coverageOf, type AnswerView } from "./answerView.ts";

type RecentBlock = RestAnswer<"recentBlocks">[number];
type GraphBlock = RestAnswer<"blockWindow">["blocks"][number];

const MINUTE_MS = 60_000n;
const U64_MAX = (1n << 64n) - 1n;

/** Which blocks are listed: so many, and only those below a place in the order. */
export type RecentWish = { readonly limit: number; readonly before: string | null };

/** A block, and what is known of its merge. */
type ShownBlock = BlockContent & Partial<Pick<BlockRow, "color" | "mergedBy">>;

/** Lists blocks by DAA score and hash, the highest first. */
export function recentDocument(
  { reader, open }: AnswerView,
  { limit, before }: RecentWish,
): RestAnswer<"recentBlocks"> {
  const to = before === null ? KEYS_END : cursorKey(before);
  const range: OrderRange = { order: "byDaa", from: new Uint8Array(), to, limit, reverse: true };
  const merged = orderedBlocks(reader, range).flatMap(({ hash }) => rowOf(reader, hash));
  const others = open
    .all()
    .filter((block) => Buffer.compare(keyOf(block), to) < 0 && !isKnown(reader, block.hash));
  return [...merged, ...others]
    .toSorted((a, b) => Buffer.compare(keyOf(b), keyOf(a)))
    .slice(0, limit)
    .map(recentBlock);
}

/** Blocks with a score. `mergedAt`: the highest blue score of those that merged them; null where one is not merged, and for no block. */
export type ScoredBlocks = {
  readonly blocks: RestAnswer<"blocksAt">;
  readonly mergedAt: BlueScore | null;
};

/** Lists the blocks with a DAA score by hash, however late they were merged, and those that are not merged. */
export function scoreDocument({ reader, open }: AnswerView, daaScore: bigint): ScoredBlocks {
  const none = new Uint8Array();
  const merged = orderedBlocks(reader, {
    order: "byDaa",
    from: orderKey(daaScore, none),
    to: daaScore >= U64_MAX ? KEYS_END : orderKey(daaScore + 1n, none),
    limit: INDEXER_LIMITS.indexScoreBlocks,
  }).flatMap(({ hash }) => rowOf(reader, hash));
  const others = open
    .all()
    .filter((block) => block.daaScore === daaScore && !isKnown(reader, block.hash));
  const blocks = [...merged, ...others].slice(0, INDEXER_LIMITS.indexScoreBlocks);
  const mergedAt = others.length > 0 ? null : highest(merged.map((row) => mergedAtOf(reader, row)));
  return { blocks: blocks.map(graphBlock), mergedAt };
}

function mergedAtOf(reader: AnswerView["reader"], { mergedBy }: BlockRow): BlueScore | null {
  return blockRowOf(reader, mergedBy)?.blueScore ?? null;
}

/** Null where one is null, or there is none. */
function highest(scores: readonly (BlueScore | null)[]): BlueScore | null {
  const [first = null, ...rest] = scores;
  return rest.reduce((most, score) => {
    if (most === null || score === null) return null;
    return score > most ? score : most;
  }, first);
}

/** Lists the blocks whose times lie in a minute, by time and hash. */
export async function windowDocument(
  view: AnswerView,
  minute: bigint,
): Promise<RestAnswer<"blockWindow">> {
  const { reader, open, signal } = view;
  const none = new Uint8Array();
  const [from, to] = [minute * MINUTE_MS, (minute + 1n) * MINUTE_MS];
  const blocks: ShownBlock[] = [];
  const ordered = orderedBlocks(reader, {
    order: "byTime",
    from: orderKey(from, none),
    to: orderKey(to, none),
    limit: INDEXER_LIMITS.indexWindowBlocks,
  });
  for (const { hash } of ordered) {
    blocks.push(...rowOf(reader, hash));
    if (blocks.length % INDEXER_LIMITS.indexTurnRows === 0) await aTurn(signal);
  }
  const inside = (block: ShownBlock): boolean => block.timestamp >= from && block.timestamp < to;
  const known = new Set(blocks.map(({ hash }) => hash));
  blocks.push(...open.all().filter((block) => inside(block) && !known.has(block.hash)));
  return {
    minute: Number(minute),
    ...coverageOf(view, { sinceMs: from, untilMs: to + MINUTE_MS }),
    blocks: blocks.toSorted(byTime).map(graphBlock),
  };
}

function rowOf(reader: AnswerView["reader"], hash: BlockHash): BlockRow[] {
  const row = blockRowOf(reader, hash);
  return row === undefined ? [] : [row];
}

function isKnown(reader: AnswerView["reader"], hash: BlockHash): boolean {
  return blockRowOf(reader, hash) !== undefined;
}

function keyOf({ daaScore, hash }: BlockContent): Uint8Array {
  return orderKey(daaScore, decodeHex(hash));
}

/** The cursor has the form of its row in the table. */
function cursorKey(cursor: string): Uint8Array {
  const [score = "0", hash = ""] = cursor.split("-");
  return orderKey(BigInt.asUintN(64, BigInt(score)), decodeHex(hash));
}

function byTime(a: ShownBlock, b: ShownBlock): number {
  if (a.timestamp !== b.timestamp) return a.timestamp < b.timestamp ? -1 : 1;
  return a.hash < b.hash ? -1 : 1;
}

function colorOf({ color }: ShownBlock): "blue" | "red" | "none" {
  if (color === undefined) return "none";
  return color === "red" ? "red" : "blue";
}

function recentBlock(block: ShownBlock): RecentBlock {
  return {
    block_hash: block.hash,
    difficulty: block.difficulty,
    daaScore: String(block.daaScore),
    blueScore: String(block.blueScore),
    timestamp: String(block.timestamp),
    txCount: block.transactions.length,
    isChainBlock: block.color === "chain",
    color: colorOf(block),
    parents: [...block.parents],
    txs: block.transactions.map(({ txid, actions }, at) => ({
      txId: txid,
      kind: at === 0 ? "coinbase" : "payment",
      actions,
      outputs: outputsOf(block, { isCoinbase: at === 0, actions }),
    })),
  };
}

/** Amounts of a coinbase are public; of a payment only the number of its actions is shown. */
function outputsOf(
  { coinbase }: ShownBlock,
  { isCoinbase, actions }: { readonly isCoinbase: boolean; readonly actions: number },
): [string, "shielded"][] {
  if (!isCoinbase) return [[String(actions), "shielded"]];
  return coinbase.map((value): [string, "shielded"] => [String(value), "shielded"]);
}

function graphBlock(block: ShownBlock): GraphBlock {
  return {
    block_hash: block.hash,
    parents: [...block.parents],
    selectedParent: block.selectedParent,
    color: colorOf(block),
    isChainBlock: block.color === "chain",
    mergedBy: block.mergedBy ?? null,
    blueScore: String(block.blueScore),
    daaScore: String(block.daaScore),
    timestamp: String(block.timestamp),
    txCount: block.transactions.length,
    work: block.work,
  };
}
