/**
 * Parser of the two meta pages at the front of an LMDB file, without LMDB.
 *
 * A commit writes the one of its own parity: transaction n stands in page n mod 2. Each names the page size, the roots of
 * the two trees (pages that are free, and the data) and the last page of the file. LMDB itself looks at the stamp of the
 * first one only and maps the file as long as the page says, so both are judged here before it opens the file.
 */
import { STORAGE_LIMITS } from "./storageLimits.ts";

/** Bytes before the content of any page. */
export const PAGE_HEADER_BYTES = 24;
/** The number of meta pages at the front of the file. */
export const META_PAGES = 2;

/** One of the B+ trees of a file. */
export type LmdbTree = {
  /** Levels from the root to the leaves; 0 for an empty tree. */
  readonly depth: number;
  /** Pages of each kind, and pairs in the leaves. */
  readonly branches: number;
  readonly leaves: number;
  readonly overflows: number;
  readonly entries: number;
  /** Page of the root; `null` for an empty tree. */
  readonly root: number | null;
};

/** The content of a meta page: what a commit left. */
export type LmdbMeta = {
  readonly pageBytes: number;
  /** The last page that was ever given out. The file may be shorter where the last ones are free. */
  readonly lastPage: number;
  readonly transaction: bigint;
  readonly free: LmdbTree;
  readonly main: LmdbTree;
};

const META_FLAG = 0x08;
const MAGIC = 0xbeef_c0de;
const VERSION = 2;
/** How the trees are ordered: that of free pages by numbers, the data byte for byte. Other flags change what LMDB does. */
const TREE_FLAGS = { free: 0x08, main: 0 };
const NO_ROOT = 0xffff_ffff_ffff_ffffn;
const AT = {
  flags: 18,
  magic: 24,
  version: 28,
  free: 48,
  main: 96,
  lastPage: 144,
  transaction: 152,
};
const TREE = {
  pageBytes: 0,
  flags: 4,
  depth: 6,
  branches: 8,
  leaves: 16,
  overflows: 24,
  entries: 32,
  root: 40,
};
/** Bytes of a meta page that mean something. */
export const META_BYTES = 176;
/** The system's, of which LMDB makes its own: no system that we run on has smaller ones. */
const PAGE_BYTES_LEAST = 4_096;
const PAGE_BYTES_MOST = 65_536;
/** LMDB has a place for so many levels. */
const DEPTH_MOST = 32;
/** Above any page of a file that fits a disk, and exact as a number. */
const COUNT_MOST = 0xff_ffff_ffffn;

/**
 * The error of a damaged file, such as a meta page that is none or does not fit the file; the message is the end of a sentence.
 */
export class LmdbDamage extends Error {}

/** Reads one meta page. Throws `LmdbDamage`. */
export function readMeta(bytes: Uint8Array, page: number): LmdbMeta {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isMeta =
    bytes.length >= META_BYTES &&
    (view.getUint16(AT.flags, true) & META_FLAG) !== 0 &&
    view.getUint32(AT.magic, true) === MAGIC;
  if (!isMeta) {
    const isZeroed = bytes.every((byte) => byte === 0);
    throw new LmdbDamage(`meta page ${page} is ${isZeroed ? "zeroed" : "not one of LMDB's"}`);
  }
  const version = view.getUint32(AT.version, true) & 0xffff;
  if (version !== VERSION) throw new LmdbDamage(`meta page ${page} has version ${version}`);
  const pageBytes = view.getUint32(AT.free + TREE.pageBytes, true);
  const isSize =
    pageBytes >= PAGE_BYTES_LEAST &&
    pageBytes <= PAGE_BYTES_MOST &&
    (pageBytes & (pageBytes - 1)) === 0;
  if (!isSize) throw new LmdbDamage(`meta page ${page} names pages of ${pageBytes} bytes`);
  const count = (at: number): number => {
    const value = view.getBigUint64(at, true);
    if (value > COUNT_MOST) throw new LmdbDamage(`meta page ${page} counts ${value} pages`);
    return Number(value);
  };
  const lastPage = count(AT.lastPage);
  // LMDB would reserve as much, and fails badly where it cannot.
  if (lastPage < META_PAGES - 1 || (lastPage + 1) * pageBytes > STORAGE_LIMITS.lmdbMapBytes) {
    throw new LmdbDamage(`meta page ${page} names ${lastPage} as the last page`);
  }
  const tree = (at: number, flags: number): LmdbTree => {
    if (view.getUint16(at + TREE.flags, true) !== flags) {
      throw new LmdbDamage(`meta page ${page} names a tree of another kind`);
    }
    const depth = view.getUint16(at + TREE.depth, true);
    const isEmpty = view.getBigUint64(at + TREE.root, true) === NO_ROOT;
    const root = isEmpty ? null : count(at + TREE.root);
    const fits = root === null ? depth === 0 : depth >= 1 && depth <= DEPTH_MOST;
    if (!fits) throw new LmdbDamage(`meta page ${page} names a tree of ${depth} levels`);
    return {
      depth,
      branches: count(at + TREE.branches),
      leaves: count(at + TREE.leaves),
      overflows: count(at + TREE.overflows),
      entries: count(at + TREE.entries),
      root,
    };
  };
  const transaction = view.getBigUint64(AT.transaction, true);
  return {
    pageBytes,
    lastPage,
    transaction,
    free: tree(AT.free, TREE_FLAGS.free),
    main: tree(AT.main, TREE_FLAGS.main),
  };
}

/** The newer of both meta pages. Throws `LmdbDamage` where they are not those of two commits in a row. */
export function newerMeta(first: LmdbMeta, second: LmdbMeta): LmdbMeta {
  if (first.pageBytes !== second.pageBytes) {
    throw new LmdbDamage("the meta pages name different page sizes");
  }
  const [even, odd] = [first.transaction, second.transaction];
  // A new file has transaction 0 in both.
  const isNew = even === 0n && odd === 0n;
  const inRow = even % 2n === 0n && odd % 2n === 1n && (even - odd === 1n || odd - even === 1n);
  if (!isNew && !inRow) {
    throw new LmdbDamage(`the meta pages are of transactions ${even} and ${odd}`);
  }
  return even >= odd ? first : second;
}
