/**
 * The key-value contract of the node: ordered byte tables, point reads, ranges, atomic durable commits.
 *
 * Every engine (LMDB, memory, either with segment files on top) runs the suite in `tests/contract`.
 * Reads return bytes the caller owns; a writer may reuse the bytes it passed in after `commit` returns.
 */

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

/** Read access. After `close` every call throws `store/read-failed`. */
export interface KvReader {
  /** The value of a key, or `undefined` when the key is absent. Errors: `store/corrupt`. */
  get(table: number, key: Uint8Array): Uint8Array | undefined;
  /** The pairs of a range in key order. Errors: `store/corrupt`. */
  range(range: KvRange): KvPair[];
  /** Gives the resources back; calling it again does nothing. */
  close(): void;
}

/** A store with one writer. */
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
