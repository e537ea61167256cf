/** The type of a migration: one forward step between two layout versions of a database. */
import type { Kv, KvChange } from "../kv.ts";

/**
 * Turns a store of version `from` into version `from + 1`.
 *
 * A step yields its changes in batches; each batch is committed on its own and the version record moves
 * with the last one, so a step that was interrupted runs again and must give the same result. `store` is the
 * database itself, below the segment files: a step sees rows as they are stored.
 */
export type Migration = {
  readonly from: number;
  /** What changes, for the log. */
  readonly title: string;
  steps(store: Kv): Iterable<readonly KvChange[]>;
};
