/**
 * Opens a database of the node: folder, check of the file, LMDB environment, segment files, version record, migrations.
 *
 * The caller holds the folder's lock (`platform/lockFile.ts`).
 */
import { join } from "node:path";
import { checkDatabase, DATA_FILE, isDatabaseFree } from "./checkDatabase.ts";
import { makeDurableFolder } from "./durableFolder.ts";
import type { Kv } from "./kv.ts";
import { largeTables, type DatabaseLayout } from "./layout.ts";
import { LmdbKv } from "./lmdbKv.ts";
import { MemoryKv } from "./memoryKv.ts";
import { migrate, requireVersion, type MigrationReport } from "./migrations/migrate.ts";
import { createDatabase, SEGMENTS } from "./newDatabase.ts";
import { SegmentedKv } from "./segmentedKv.ts";

/** An open database and what opening it did. */
export type OpenedStore = { readonly store: Kv; readonly migration: MigrationReport };

/**
 * Opens or creates `root/<layout name>/`; `root: null` gives a store in memory.
 * Errors: `store/version`, `store/read-failed`, `store/corrupt`, `store/damaged`.
 */
export async function openStore(root: string | null, layout: DatabaseLayout): Promise<OpenedStore> {
  if (root === null) {
    const store = new MemoryKv();
    return { store, migration: migrate(store, layout) };
  }
  const path = join(root, layout.name);
  const created = isDatabaseFree(path) ? await createDatabase(path, layout) : null;
  // LMDB believes what it maps: damage must be found before.
  checkDatabase(path);
  const inner = new LmdbKv({ path });
  try {
    // First of all: opening the segment files cuts them to what this version's account says.
    const found = migrate(inner, layout);
    const migration = created ?? found;
    const large = largeTables(layout);
    if (large.size === 0) return { store: inner, migration };
    makeDurableFolder(segmentFolder(path));
    return { store: new SegmentedKv(inner, { folder: segmentFolder(path), large }), migration };
  } catch (error) {
    await inner.close();
    throw error;
  }
}

/**
 * Opens a database of the present layout for reading; another thread may write it. Errors: `store/version`,
 * `store/read-failed`.
 */
export function openReadOnly(root: string, layout: DatabaseLayout): Kv {
  const path = join(root, layout.name);
  const inner = new LmdbKv({ path, readOnly: true });
  try {
    requireVersion(inner, layout);
  } catch (error) {
    void inner.close();
    throw error;
  }
  const options = { folder: segmentFolder(path), large: largeTables(layout), readOnly: true };
  return new SegmentedKv(inner, options);
}

/** The file of LMDB that holds the database of a layout below `root`. */
export function databaseFile(root: string, layoutName: string): string {
  return join(root, layoutName, DATA_FILE);
}

function segmentFolder(path: string): string {
  return join(path, SEGMENTS);
}
