/**
 * Creates a database atomically, so that after a power cut there is a whole one or none.
 *
 * LMDB writes the first pages of a new file without flushing them, and nobody flushes the file's name. So the database is made
 * aside, with its version record and its folder of segment files, flushed with all names, and then gets its place.
 */
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DATA_FILE } from "./checkDatabase.ts";
import { makeDurableFolder, syncFile, syncFolder, syncTree } from "./durableFolder.ts";
import type { DatabaseLayout } from "./layout.ts";
import { LmdbKv } from "./lmdbKv.ts";
import { migrate, type MigrationReport } from "./migrations/migrate.ts";

/** Name of the folder of segment files in a database's folder. */
export const SEGMENTS = "segments";

/**
 * Creates the database of a layout in a folder that is not there, or empty. Errors: `store/read-failed`, `store/commit-failed`.
 */
export async function createDatabase(
  path: string,
  layout: DatabaseLayout,
): Promise<MigrationReport> {
  const aside = `${path}.new`;
  // What a killed process left.
  rmSync(aside, { recursive: true, force: true });
  makeDurableFolder(dirname(path));
  mkdirSync(aside);
  if (layout.tables.some(({ large }) => large)) mkdirSync(join(aside, SEGMENTS));
  const store = new LmdbKv({ path: aside });
  let report: MigrationReport;
  try {
    report = migrate(store, layout);
  } finally {
    await store.close();
  }
  syncFile(join(aside, DATA_FILE));
  syncTree(aside);
  // An empty folder may be in its place, which not every system replaces.
  rmSync(path, { recursive: true, force: true });
  renameSync(aside, path);
  syncFolder(dirname(path));
  return report;
}
