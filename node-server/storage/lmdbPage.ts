/**
 * Parser of the pages of LMDB's B+ trees, without LMDB: whether a page is what its parent takes it for, and what it points to.
 *
 * Header = number u64, transaction u64, unused u16, flags u16, then where the free bytes begin and end (u16 each, counted
 * behind the header), or the length of a run of overflow pages (u32). The header is followed by the places of the nodes
 * (u16 each). Node = size or child (48 bits in three u16, the last of them flags in a leaf), key length u16, key, value.
 */
import { LmdbDamage, PAGE_HEADER_BYTES } from "./lmdbMeta.ts";

/** The kinds of pages, by their flags. */
export const PAGE_KINDS = { branch: 0x01, leaf: 0x02, overflow: 0x04 } as const;

/** A run of pages that holds one large value. */
export type OverflowRun = { readonly page: number; readonly pages: number };

/** A comparison of two keys: whether the left one comes first. */
export type KeyOrder = (left: Uint8Array, right: Uint8Array) => boolean;

/** The order of data keys: byte for byte. */
export const dataOrder: KeyOrder = (left, right) => Buffer.compare(left, right) < 0;

/** The order of keys in the list of free pages: transactions, u64 little endian. */
export const freeOrder: KeyOrder = (left, right) => {
  if (left.length !== 8 || right.length !== 8) return false;
  return readNumber(left) < readNumber(right);
};

function readNumber(key: Uint8Array): bigint {
  return new DataView(key.buffer, key.byteOffset, key.length).getBigUint64(0, true);
}

/** The content of a page: what it points to. */
export type PageContent = {
  /** Pages below a branch. */
  readonly children: readonly number[];
  /** Large values of a leaf. */
  readonly runs: readonly OverflowRun[];
  /** Nodes. */
  readonly nodes: number;
};

const NODE_HEADER_BYTES = 8;
const RUN_BYTES = 24;
const BIG_VALUE = 0x01;
/** Flags that come and go while a page is worked on. */
const WORKING_FLAGS = 0xe000;
const HIGH_WORD = 0x1_0000_0000;
const PAGE_MOST = 0xff_ffff_ffffn;

/** Checks the header of a page. Throws `LmdbDamage`. */
export function checkHeader(
  view: DataView,
  expected: {
    readonly page: number;
    readonly kind: keyof typeof PAGE_KINDS;
    readonly newest: bigint;
  },
): void {
  const { page, kind, newest } = expected;
  const flags = view.getUint16(18, true) & ~WORKING_FLAGS;
  if (flags !== PAGE_KINDS[kind]) throw damaged(page, `is no ${kind} page`);
  if (view.getBigUint64(0, true) !== BigInt(page)) throw damaged(page, "has another page's number");
  if (view.getBigUint64(8, true) > newest) throw damaged(page, "is of a transaction to come");
}

/** What a page is expected to be. */
export type PageRole = {
  readonly page: number;
  readonly isLeaf: boolean;
  readonly isBelow: KeyOrder;
};

/** Reads a branch or leaf whose header was checked. Throws `LmdbDamage`. */
export function readPage(bytes: Uint8Array, { page, isLeaf, isBelow }: PageRole): PageContent {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lower = view.getUint16(20, true);
  const upper = view.getUint16(22, true);
  const room = bytes.length - PAGE_HEADER_BYTES;
  const nodes = lower >>> 1;
  const fits = lower % 2 === 0 && lower <= upper && upper <= room && nodes >= (isLeaf ? 1 : 2);
  if (!fits) throw damaged(page, "does not say where its rows lie");
  const children: number[] = [];
  const runs: OverflowRun[] = [];
  let before: Uint8Array | null = null;
  for (let index = 0; index < nodes; index += 1) {
    const at = view.getUint16(PAGE_HEADER_BYTES + 2 * index, true) + PAGE_HEADER_BYTES;
    if (at < upper + PAGE_HEADER_BYTES || at + NODE_HEADER_BYTES > bytes.length) {
      throw damaged(page, `has row ${index} outside of itself`);
    }
    const low = view.getUint32(at, true);
    const flags = view.getUint16(at + 4, true);
    const keyEnd = at + NODE_HEADER_BYTES + view.getUint16(at + 6, true);
    const isBig = isLeaf && (flags & BIG_VALUE) !== 0;
    const valueBytes = isBig ? RUN_BYTES : low;
    if (isLeaf && (flags & ~BIG_VALUE) !== 0)
      throw damaged(page, `has row ${index} of another kind`);
    if (keyEnd + (isLeaf ? valueBytes : 0) > bytes.length) {
      throw damaged(page, `has row ${index} outside of itself`);
    }
    if (isBig) runs.push(readRun(view, keyEnd, { page, bytes: low }));
    if (!isLeaf) children.push(flags * HIGH_WORD + low);
    // The first key of a branch stands for everything below the second one.
    if (!isLeaf && index === 0) continue;
    const key = bytes.subarray(at + NODE_HEADER_BYTES, keyEnd);
    if (before !== null && !isBelow(before, key)) throw damaged(page, "has its rows out of order");
    before = key;
  }
  return { children, runs, nodes };
}

/** Makes the error for a damaged page, told as the end of a sentence. */
export function damaged(page: number, what: string): LmdbDamage {
  return new LmdbDamage(`page ${page} ${what}`);
}

function readRun(
  view: DataView,
  at: number,
  { page, bytes }: { readonly page: number; readonly bytes: number },
): OverflowRun {
  const first = view.getBigUint64(at, true);
  const pages = view.getBigUint64(at + 16, true);
  const needed = Math.ceil((bytes + PAGE_HEADER_BYTES) / view.byteLength);
  if (first > PAGE_MOST || pages > PAGE_MOST || pages < needed) {
    throw damaged(page, "points to a value outside of the file");
  }
  return { page: Number(first), pages: Number(pages) };
}
