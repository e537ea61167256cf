/**
 * Opens a database of the node: folder, LMDB environment, segment files, version record, migrations.
 *
 * The caller holds the folder's lock (`platform/lockFile.ts`).
 */
import { join } from "node:path";
import type { Kv } from "./kv.ts";
import { largeTables, type DatabaseLayout } from "./layout.ts";
import { LmdbKv } from "./lmdbKv.ts";
import { MemoryKv } from "./memoryKv.ts";
import { migrate, type MigrationReport } from "./migrations/migrate.ts";
import { SegmentedKv } from "./segmentedKv.ts";

/** An open database and what opening it did. */
export type OpenedStore = { readonly store: Kv; readonly migration: MigrationReport };

/**
 * Opens or creates `root/<layout name>/`; `root: null` gives a store in memory.
 * Errors: `store/version`, `store/read-failed`, `store/corrupt`.
 */
export async function openStore(root: string | null, layout: DatabaseLayout): Promise<OpenedStore> {
  const store = root === null ? new MemoryKv() : openOnDisk(root, layout);
  try {
    return { store, migration: migrate(store, layout) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens a database that another thread writes, for reading. Errors: `store/read-failed`. */
export function openReadOnly(root: string, layout: DatabaseLayout): Kv {
  const path = join(root, layout.name);
  const inner = new LmdbKv({ path, readOnly: true });
  const options = { folder: join(path, "segments"), large: largeTables(layout), readOnly: true };
  return new SegmentedKv(inner, options);
}

function openOnDisk(root: string, layout: DatabaseLayout): Kv {
  const path = join(root, layout.name);
  const large = largeTables(layout);
  const inner = new LmdbKv({ path });
  return large.size === 0
    ? inner
    : new SegmentedKv(inner, { folder: join(path, "segments"), large });
}
