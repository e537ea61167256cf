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
  const path = root === null ? null : join(root, layout.name);
  const inner = path === null ? new MemoryKv() : new LmdbKv({ path });
  try {
    // First of all: opening the segment files cuts them to what this version's account says.
    const migration = migrate(inner, layout);
    const large = largeTables(layout);
    if (path === null || large.size === 0) return { store: inner, migration };
    return { store: new SegmentedKv(inner, { folder: segmentFolder(path), large }), migration };
  } catch (error) {
    await inner.close();
    throw error;
  }
}

/** Opens a database that another thread writes, for reading. Errors: `store/read-failed`. */
export function openReadOnly(root: string, layout: DatabaseLayout): Kv {
  const path = join(root, layout.name);
  const inner = new LmdbKv({ path, readOnly: true });
  const options = { folder: segmentFolder(path), large: largeTables(layout), readOnly: true };
  return new SegmentedKv(inner, options);
}

/** The file of LMDB that holds the database of a layout below `root`. */
export function databaseFile(root: string, layoutName: string): string {
  return join(root, layoutName, "data.mdb");
}

function segmentFolder(path: string): string {
  return join(path, "segments");
}
