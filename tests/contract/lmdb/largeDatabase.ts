/**
 * Sparse database file of many GiB that takes little disk space: its branches are written, and of its leaves the first
 * ones; the others are holes, which only a look at all leaves would come to.
 */
import { closeSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { PAGE } from "./lmdbPages.ts";

const HEADER = 24;
/** Header, key and place of a node with a key of four bytes. */
const NODE = 8 + 4;
const PER_BRANCH = Math.floor((PAGE - HEADER) / (NODE + 2));

/** The shape of the database. */
export type LargeDatabase = {
  readonly leaves: number;
  /** How many of them are written. */
  readonly written: number;
  /** Has the last row of the last branch point to the first leaf. */
  readonly pointsTwice?: boolean;
};

/** Writes it. Returns how many branch pages it has. */
export function writeLargeDatabase(path: string, wish: LargeDatabase): number {
  const file = openSync(path, "w");
  try {
    return write(file, wish);
  } finally {
    closeSync(file);
  }
}

function write(file: number, { leaves, written, pointsTwice = false }: LargeDatabase): number {
  const firstLeaf = 2;
  for (let page = firstLeaf; page < firstLeaf + written; page += 1) {
    writeSync(file, treePage(page, 2, [0]), 0, PAGE, page * PAGE);
  }
  let below = { first: firstLeaf, count: leaves };
  let [free, depth, branches] = [firstLeaf + leaves, 1, 0];
  while (below.count > 1) {
    const count = Math.ceil(below.count / PER_BRANCH);
    for (let index = 0; index < count; index += 1) {
      const children = childrenOf(below, index, count);
      const isLast = depth === 1 && index === count - 1;
      if (isLast && pointsTwice) children.splice(-1, 1, firstLeaf);
      const page = free + index;
      writeSync(file, treePage(page, 1, children), 0, PAGE, page * PAGE);
    }
    below = { first: free, count };
    free += count;
    branches += count;
    depth += 1;
  }
  const meta = metaPage({ depth, branches, leaves, root: free - 1, lastPage: free - 1 });
  for (const at of [0, PAGE]) writeSync(file, meta, 0, PAGE, at);
  ftruncateSync(file, free * PAGE);
  return branches;
}

/** Spread evenly, since a branch has two of them at least. */
function childrenOf(
  { first, count }: { readonly first: number; readonly count: number },
  index: number,
  branches: number,
): number[] {
  const [from, to] = [index, index + 1].map((part) => Math.floor((part * count) / branches));
  return Array.from({ length: (to ?? 0) - (from ?? 0) }, (_, place) => first + (from ?? 0) + place);
}

/** A page of a tree with a row for each child; in a leaf it is the row's length. */
function treePage(page: number, flags: number, children: readonly number[]): Buffer {
  const bytes = Buffer.alloc(PAGE);
  bytes.writeBigUInt64LE(BigInt(page), 0);
  bytes.writeUInt16LE(flags, 18);
  bytes.writeUInt16LE(children.length * 2, 20);
  bytes.writeUInt16LE(PAGE - HEADER - children.length * NODE, 22);
  for (const [index, child] of children.entries()) {
    const at = PAGE - (index + 1) * NODE;
    bytes.writeUInt16LE(at - HEADER, HEADER + 2 * index);
    bytes.writeUInt32LE(child, at);
    bytes.writeUInt16LE(4, at + 6);
    bytes.writeUInt32BE(index, at + 8);
  }
  return bytes;
}

/** A meta page of a new file: both are alike. */
function metaPage(tree: {
  readonly depth: number;
  readonly branches: number;
  readonly leaves: number;
  readonly root: number;
  readonly lastPage: number;
}): Buffer {
  const bytes = Buffer.alloc(PAGE);
  bytes.writeUInt16LE(0x08, 18);
  bytes.writeUInt32LE(0xbeefc0de, 24);
  bytes.writeUInt32LE(2, 28);
  bytes.writeUInt32LE(PAGE, 48);
  bytes.writeUInt16LE(0x08, 52);
  bytes.fill(0xff, 88, 96);
  bytes.writeUInt16LE(tree.depth, 102);
  for (const [at, value] of [
    [104, tree.branches],
    [112, tree.leaves],
    [128, tree.leaves],
    [136, tree.root],
    [144, tree.lastPage],
  ] as const) {
    bytes.writeBigUInt64LE(BigInt(value), at);
  }
  return bytes;
}
