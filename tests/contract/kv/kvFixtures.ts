/** Store implementations under the contract suite, each in a fresh folder. */
import { join } from "node:path";
import type { BaseKv, Kv } from "@svc/node-server/storage/kv.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { SegmentedKv } from "@svc/node-server/storage/segmentedKv.ts";

/** The large tables of the segmented stores under test. */
export const LARGE = new Set([3, 20]);

/** Small files, so that a test fills several. */
export const TEST_FILE_BYTES = 64 * 1024;

/** Puts something between a store and the database below its segment files. */
export type Wrap = (inner: BaseKv) => BaseKv;

/** A kind of store: how to open one in a folder, and whether its content outlives `close`. */
export type StoreKind = {
  readonly name: string;
  readonly durable: boolean;
  /** Whether it has segment files, in [`segmentFolder`]. */
  readonly segments: boolean;
  /** `reserveBytes` is what no commit may take; left out, what a node leaves. */
  open(folder: string, wrap?: Wrap, reserveBytes?: number): Kv;
};

/** Where a store keeps its segment files. */
export const segmentFolder = (folder: string): string => join(folder, "segments");

/** LMDB alone, LMDB with segment files, memory alone, memory with segment files. */
export const STORE_KINDS: readonly StoreKind[] = [
  { name: "memory", durable: false, segments: false, open: () => new MemoryKv() },
  {
    name: "lmdb",
    durable: true,
    segments: false,
    open: (folder, wrap = (inner) => inner, reserveBytes) => {
      const less = reserveBytes === undefined ? {} : { reserveBytes };
      return wrap(new LmdbKv({ path: folder, ...less }));
    },
  },
  {
    name: "lmdb with segments",
    durable: true,
    segments: true,
    open: (folder, wrap = (inner) => inner, reserveBytes) => {
      const less = reserveBytes === undefined ? {} : { reserveBytes };
      return segmented(wrap(new LmdbKv({ path: folder, ...less })), folder, less);
    },
  },
  {
    name: "memory with segments",
    durable: false,
    segments: true,
    open: (folder, _wrap, reserveBytes) =>
      segmented(new MemoryKv(), folder, reserveBytes === undefined ? {} : { reserveBytes }),
  },
];

function segmented(inner: BaseKv, folder: string, less: { reserveBytes?: number } = {}): Kv {
  return new SegmentedKv(inner, {
    folder: segmentFolder(folder),
    large: LARGE,
    fileBytes: TEST_FILE_BYTES,
    ...less,
  });
}

/** The segmented LMDB store of a folder as another thread or process reads it. */
export function openForReading(folder: string): SegmentedKv {
  const inner = new LmdbKv({ path: folder, readOnly: true });
  return new SegmentedKv(inner, { folder: segmentFolder(folder), large: LARGE, readOnly: true });
}

/** The kind with this name; a child process gets it as an argument. */
export function storeKind(name: string): StoreKind {
  const kind = STORE_KINDS.find((row) => row.name === name);
  if (kind === undefined) throw new Error(`no store kind ${name}`);
  return kind;
}
