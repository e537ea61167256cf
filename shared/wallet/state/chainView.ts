/**
 * The public chain as a wallet remembers it: its last blocks, and how a page of records continues or reorganises them.
 *
 * Nothing here knows a key. Two wallets that remember the same blocks judge a page alike, so what they ask for next tells
 * nothing about the notes they own (decision 23).
 */
import { asChainIndex, asLeafPosition } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import { recordHeads, type RecordHead } from "../../protocol/http/recordHeads.ts";
import type { RecordPage } from "./ports.ts";
import type { WalletPolicy } from "./walletPolicy.ts";
import type { ChainBlock } from "./walletState.ts";

/** The remembered chain blocks, consecutive, oldest first, never empty. */
export type ChainView = readonly ChainBlock[];

/** The result of comparing a page with a view. */
export type AlignedPage = {
  /** The last remembered block that the page leaves as it is. */
  readonly common: ChainBlock;
  /** The records above `common` that the view does not have; null when there are none. */
  readonly fresh: RecordPage | null;
  /** Their blocks. */
  readonly blocks: readonly ChainBlock[];
  /** The last block of the page; `common` for an empty one. */
  readonly last: ChainBlock;
};

/** The last block of a view. */
export function tipOf(view: ChainView): ChainBlock {
  const tip = view.at(-1);
  if (tip === undefined) throw new TypeError("a view has at least one block");
  return tip;
}

/** The remembered block at a chain index, or undefined. */
export function blockAt(view: ChainView, index: bigint): ChainBlock | undefined {
  const [oldest] = view;
  return oldest === undefined || index < oldest.chainIndex
    ? undefined
    : view[Number(index - oldest.chainIndex)];
}

/**
 * The blocks to ask after when a wallet comes back, newest first: those below its last block where an epoch begins, as many as
 * every wallet of that epoch remembers. How far it came into the epoch, and with it the oldest block it remembers, has no say.
 * A view without any has its oldest block.
 */
export function epochStarts(
  view: ChainView,
  { epochBlocks, recentBlocks }: Pick<WalletPolicy, "epochBlocks" | "recentBlocks">,
): readonly ChainBlock[] {
  const starts = view.slice(0, -1).filter(({ chainIndex }) => chainIndex % epochBlocks === 0n);
  if (starts.length === 0) return view.slice(0, 1);
  const common = Math.max(1, Math.floor((recentBlocks - 1) / Number(epochBlocks)));
  return starts.slice(-common).toReversed();
}

/** Returns the view after a page's blocks; at most `max` blocks are remembered. */
export function extended(view: ChainView, blocks: readonly ChainBlock[], max: number): ChainView {
  return [...view, ...blocks].slice(-max);
}

/** Returns the view up to one of its blocks, itself included. */
export function cutTo(view: ChainView, common: ChainBlock): ChainView {
  return view.slice(0, view.findIndex(({ hash }) => hash === common.hash) + 1);
}

/**
 * Compares a page that was asked for after `from` with the view. Where it names another block than is remembered, or the same
 * one with other numbers, the page counts. Throws `wallet/bad-page` when it does not continue `from`.
 */
export function alignPage(view: ChainView, from: ChainBlock, page: RecordPage): AlignedPage {
  const heads = recordHeads(page.body, page.count);
  if (page.count > 0 && page.firstIndex !== from.chainIndex + 1n) {
    throw badPage(`block ${page.firstIndex} follows ${from.chainIndex}`);
  }
  const blocks: ChainBlock[] = [];
  let last = from;
  for (const head of heads) {
    last = followingBlock(last, head, last.chainIndex + 1n);
    blocks.push(last);
  }
  const known = blocks.findIndex((block) => !isSame(blockAt(view, block.chainIndex), block));
  if (known < 0) return { common: last, fresh: null, blocks: [], last };
  const common = blocks[known - 1] ?? from;
  return { common, fresh: pageFrom(page, heads, known), blocks: blocks.slice(known), last };
}

/** Checks that a block continues the one before it and gives it its place. Throws `wallet/bad-page`. */
export function followingBlock(
  cursor: ChainBlock,
  head: Omit<RecordHead, "length">,
  index: bigint,
): ChainBlock {
  if (index !== cursor.chainIndex + 1n) {
    throw badPage(`block ${index} follows ${cursor.chainIndex}`);
  }
  if (head.firstLeaf !== cursor.leafEnd) {
    throw badPage(`leaf ${head.firstLeaf} follows ${cursor.leafEnd}`);
  }
  if (head.blueScore <= cursor.blueScore) {
    throw badPage(`blue score ${head.blueScore} follows ${cursor.blueScore}`);
  }
  return {
    hash: head.hash,
    chainIndex: asChainIndex(index),
    blueScore: head.blueScore,
    daaScore: head.daaScore,
    timestamp: head.timestamp,
    leafEnd: asLeafPosition(head.firstLeaf + BigInt(head.leaves)),
  };
}

/** Makes the error of blocks that do not fit those before them. */
export function badPage(reason: string): SvcError<"wallet/bad-page"> {
  return new SvcError("wallet/bad-page", { reason });
}

function isSame(known: ChainBlock | undefined, block: ChainBlock): boolean {
  return (
    known !== undefined &&
    known.hash === block.hash &&
    known.blueScore === block.blueScore &&
    known.daaScore === block.daaScore &&
    known.timestamp === block.timestamp &&
    known.leafEnd === block.leafEnd
  );
}

/** The records of a page from the one at place `from` to the one before place `to`. Throws `codec/…` as `recordHeads`. */
export function pageSlice(page: RecordPage, from: number, to: number): RecordPage {
  if (from === 0 && to === page.count) return page;
  return sliceAt(page, recordHeads(page.body, page.count), from, to);
}

/** The page without its first `skip` records. */
function pageFrom(page: RecordPage, heads: readonly RecordHead[], skip: number): RecordPage {
  return skip === 0 ? page : sliceAt(page, heads, skip, page.count);
}

function sliceAt(
  page: RecordPage,
  heads: readonly RecordHead[],
  from: number,
  to: number,
): RecordPage {
  const lengthOf = (some: readonly RecordHead[]) =>
    some.reduce((sum, { length }) => sum + length, 0);
  const begin = lengthOf(heads.slice(0, from));
  return {
    ...page,
    firstIndex: asChainIndex(page.firstIndex + BigInt(from)),
    count: to - from,
    body: page.body.subarray(begin, begin + lengthOf(heads.slice(from, to))),
  };
}
