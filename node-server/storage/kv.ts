/**
 * Interface of the node's key-value stores: ordered byte tables, point reads, ranges, atomic durable commits.
 *
 * Every engine (LMDB, memory, either with segment files on top) runs the suite in `tests/contract`.
 * Reads return bytes the caller owns; a writer may reuse the bytes it passed in after `commit` returns.
 */

import { STORAGE_LIMITS } from "./storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** A key above every key of a table: where a range over all of them ends. */
export const KEYS_END = new Uint8Array(STORAGE_LIMITS.storeKeyBytes - 1).fill(0xff);

/** Checks the length of a key. Throws `store/commit-failed` for a key that is too long to be stored. */
export function checkKey({ length }: Uint8Array): void {
  if (length < STORAGE_LIMITS.storeKeyBytes) return;
  throw new SvcError("store/commit-failed", { reason: `a key of ${length} bytes` });
}

/** One change of a batch; `value: null` deletes the key. */
export type KvChange = {
  readonly table: number;
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
};

/** A key and its value as ranges return them. */
export type KvPair = { readonly key: Uint8Array; readonly value: Uint8Array };

/** A half-open key range `[from, to)` of one table, ascending, or descending from below `to`. */
export type KvRange = {
  readonly table: number;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  /** At most this many pairs. */
  readonly limit: number;
  readonly reverse?: boolean;
};

/** Read access to a store. After `close` every call throws `store/read-failed`. */
export interface KvReader {
  /** The value of a key, or `undefined` when the key is absent. Errors: `store/corrupt`. */
  get(table: number, key: Uint8Array): Uint8Array | undefined;
  /** The pairs of a range in key order. Errors: `store/corrupt`. */
  range(range: KvRange): KvPair[];
  /** Gives the resources back; calling it again does nothing. */
  close(): void;
}

/** A key-value store with one writer. */
export interface Kv extends KvReader {
  /**
   * Writes all changes or none, in order; a later change of the same key wins.
   * On return they are on disk. Errors: `store/commit-failed`; the store is then as before the call.
   */
  commit(changes: readonly KvChange[]): void;
  /** A view of the last commit that later commits do not change. Close it soon: it pins old pages. */
  snapshot(): KvReader;
  /** Resolves when files are closed and the folder may be opened again. */
  close(): Promise<void>;
}

/** A key-value store that keeps its bytes itself, and knows which commits readers still look at. */
export interface BaseKv extends Kv {
  /** The number of the last commit this object made, 0 before the first; it grows with every commit. */
  lastCommit(): number;
  /**
   * The oldest commit that a reader still looks at, in any thread or process; `Infinity` when there is none, 0 when
   * it cannot be told. A reader that starts afterwards sees the last commit or a later one.
   */
  oldestReader(): number;
}
