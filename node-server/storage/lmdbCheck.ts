/**
 * Integrity check of an LMDB file, read without LMDB.
 *
 * LMDB maps the file into memory and believes it: a page behind the end of the file ends the process with SIGBUS, one with
 * arbitrary bytes may end it with SIGSEGV, and nothing of that can be caught. So what it is going to follow is read here
 * first, as bytes: both meta pages, the length of the file, all branch pages, and leaves up to a bound or all of them.
 * Pages are kept as bits, never as a list: all that is held is `STORAGE_LIMITS.storeCheckSetBytes` a set, however large the file.
 * Pages have no checksum: a value that was changed within its row is not noticed here, but by those who decode it.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { PageBitSet } from "./pageBitSet.ts";
import {
  LmdbDamage,
  META_BYTES,
  META_PAGES,
  newerMeta,
  readMeta,
  type LmdbMeta,
  type LmdbTree,
} from "./lmdbMeta.ts";
import {
  checkHeader,
  damaged,
  dataOrder,
  freeOrder,
  readPage,
  type KeyOrder,
  type OverflowRun,
} from "./lmdbPage.ts";

/** How much of a file is checked. */
export type CheckDepth = {
  /** Leaves beyond this number are left out, and with them what no leaf tells; `Infinity` looks at everything. */
  readonly leaves: number;
  /** For tests, fewer large values that are looked at together. */
  readonly runs?: number;
};

/** The result of a check. */
export type LmdbReport = {
  /** Pages that were read. */
  readonly pages: number;
  /** Whether no page in use was left out. */
  readonly isWhole: boolean;
};

/** Checks the file at `path`. Throws `LmdbDamage` with what is wrong, and the errors of reading a file. */
export function checkLmdbFile(path: string, depth: CheckDepth): LmdbReport {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const meta = readMetas(file, size);
    return new FileCheck(file, size, meta).run(depth);
  } finally {
    closeSync(file);
  }
}

function readMetas(file: number, size: number): LmdbMeta {
  if (size === 0) throw new LmdbDamage("it is empty");
  const read = (page: number, at: number): LmdbMeta => {
    const bytes = new Uint8Array(META_BYTES);
    if (readSync(file, bytes, 0, META_BYTES, at) !== META_BYTES) {
      throw new LmdbDamage(`it ends within meta page ${page}`);
    }
    return readMeta(bytes, page);
  };
  const first = read(0, 0);
  return newerMeta(first, read(1, first.pageBytes));
}

/** Pages of one level that lie behind one another are read at once. */
const RUN_BYTES = 1 << 20;

class FileCheck {
  readonly #file: number;
  readonly #meta: LmdbMeta;
  /** Whole pages of the file. */
  readonly #pages: number;
  /** Those that something points to. */
  readonly #used: PageBitSet;
  #read = 0;
  #isWhole = true;

  constructor(file: number, size: number, meta: LmdbMeta) {
    this.#file = file;
    this.#meta = meta;
    this.#pages = Math.floor(size / meta.pageBytes);
    this.#used = this.#newSet();
    for (let page = 0; page < META_PAGES; page += 1) this.#use(page);
  }

  run({ leaves, runs = STORAGE_LIMITS.storeCheckRuns }: CheckDepth): LmdbReport {
    const { free, main } = this.#meta;
    // Who gives out a page that is in use writes over it: this tree is small and always read whole.
    this.#tree(free, freeOrder, { leaves: STORAGE_LIMITS.storeFreeListPages, runs });
    this.#tree(main, dataOrder, { leaves, runs });
    return { pages: this.#read, isWhole: this.#isWhole };
  }

  /** No page beyond the last that was given out is ever put into one. */
  #newSet(): PageBitSet {
    return new PageBitSet(this.#meta.lastPage + 1);
  }

  /** Level by level, the pages of each in the order of the file. */
  #tree(tree: LmdbTree, isBelow: KeyOrder, most: Required<CheckDepth>): void {
    if (tree.root === null) return;
    let level = this.#newSet();
    this.#use(tree.root);
    level.add(tree.root);
    let branches = 0;
    for (let depth = 1; depth < tree.depth; depth += 1) {
      const next = this.#newSet();
      branches += level.size;
      this.#level(level.pages(), "branch", (bytes, page) => {
        for (const child of readPage(bytes, { page, isLeaf: false, isBelow }).children) {
          this.#use(child);
          next.add(child);
        }
      });
      level = next;
    }
    if (branches !== tree.branches || level.size !== tree.leaves) {
      throw new LmdbDamage("a tree has another number of pages than its commit counted");
    }
    this.#leaves(tree, isBelow, { level, most });
  }

  #leaves(tree: LmdbTree, isBelow: KeyOrder, { level, most }: LeafLevel): void {
    let runs: OverflowRun[] = [];
    let entries = 0;
    let overflows = 0;
    this.#level(first(level.pages(), most.leaves), "leaf", (bytes, page) => {
      const content = readPage(bytes, { page, isLeaf: true, isBelow });
      entries += content.nodes;
      for (const run of content.runs) {
        overflows += run.pages;
        runs.push(run);
        for (let index = 0; index < run.pages; index += 1) this.#use(run.page + index);
      }
      if (runs.length < most.runs) return;
      this.#runs(runs);
      runs = [];
    });
    this.#runs(runs);
    if (level.size > most.leaves) {
      this.#isWhole = false;
      return;
    }
    if (entries !== tree.entries || overflows !== tree.overflows) {
      throw new LmdbDamage("a tree has another number of rows than its commit counted");
    }
  }

  #runs(runs: readonly OverflowRun[]): void {
    const lengths = new Map(runs.map(({ page, pages }) => [page, pages]));
    const firsts = [...lengths.keys()].toSorted((left, right) => left - right);
    this.#level(firsts, "overflow", (bytes, page) => {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (view.getUint32(20, true) !== lengths.get(page)) {
        throw damaged(page, "begins a value of another length");
      }
    });
  }

  /** Reads pages in ascending order and checks their headers. */
  #level(pages: Iterable<number>, kind: PageKind, look: PageLook): void {
    const most = Math.max(1, RUN_BYTES / this.#meta.pageBytes);
    const buffer = new Uint8Array(most * this.#meta.pageBytes);
    let [from, count] = [0, 0];
    const read = (): void => {
      if (count > 0) this.#stretch({ from, count, buffer }, kind, look);
    };
    for (const page of pages) {
      if (count > 0 && count < most && page === from + count) {
        count += 1;
        continue;
      }
      read();
      [from, count] = [page, 1];
    }
    read();
  }

  #stretch({ from, count, buffer }: Stretch, kind: PageKind, look: PageLook): void {
    const { pageBytes, transaction } = this.#meta;
    const bytes = count * pageBytes;
    if (readSync(this.#file, buffer, 0, bytes, from * pageBytes) !== bytes) {
      throw damaged(from, "lies behind the end of the file");
    }
    for (let index = 0; index < count; index += 1) {
      const page = from + index;
      const content = buffer.subarray(index * pageBytes, (index + 1) * pageBytes);
      const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
      checkHeader(view, { page, kind, newest: transaction });
      look(content, page);
    }
    this.#read += count;
  }

  /** Something points to a page: it must lie in the file, and nothing else may. */
  #use(page: number): void {
    if (page > this.#meta.lastPage) throw damaged(page, "is in use and was never given out");
    if (page >= this.#pages) {
      throw new LmdbDamage(`it is cut short: page ${page} is in use and it has ${this.#pages}`);
    }
    if (!this.#used.add(page)) throw damaged(page, "is in use twice");
  }
}

type PageKind = "branch" | "leaf" | "overflow";
type PageLook = (bytes: Uint8Array, page: number) => void;
type LeafLevel = { readonly level: PageBitSet; readonly most: Required<CheckDepth> };
/** Pages that lie behind one another, and where they are read into. */
type Stretch = { readonly from: number; readonly count: number; readonly buffer: Uint8Array };

function* first(pages: Iterable<number>, most: number): Generator<number> {
  let left = most;
  for (const page of pages) {
    if (left <= 0) return;
    left -= 1;
    yield page;
  }
}
