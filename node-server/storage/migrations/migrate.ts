/**
 * Schema migration: brings a database to the version this program writes, one forward step at a time.
 *
 * An empty store gets the current version. A newer store is refused and left untouched.
 */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv, KvChange, KvReader } from "../kv.ts";
import { HOST_TABLE, VERSION_KEY } from "../hostTable.ts";
import type { DatabaseLayout } from "../layout.ts";

/** The result of `migrate`: the version found (`null` for an empty store) and the titles of the steps run. */
export type MigrationReport = { readonly found: number | null; readonly steps: readonly string[] };

/** Runs the missing steps. Errors: `store/version` when the store is newer or a step is missing. */
export function migrate(store: Kv, layout: DatabaseLayout): MigrationReport {
  const found = storedVersion(store);
  if (found === null) {
    store.commit([versionChange(layout.version)]);
    return { found: null, steps: [] };
  }
  if (found > layout.version) throw versionError(layout.version, found);
  const steps: string[] = [];
  for (let version = found; version < layout.version; version += 1) {
    const migration = layout.migrations.find((row) => row.from === version);
    if (migration === undefined) throw versionError(layout.version, found);
    let last: readonly KvChange[] = [];
    for (const batch of migration.steps(store)) {
      if (last.length > 0) store.commit(last);
      last = batch;
    }
    store.commit([...last, versionChange(version + 1)]);
    steps.push(migration.title);
  }
  return { found, steps };
}

/** Checks the version of a store. Errors: `store/version` where the store is not of the version that this program writes. */
export function requireVersion(store: KvReader, layout: DatabaseLayout): void {
  const found = storedVersion(store) ?? 0;
  if (found !== layout.version) throw versionError(layout.version, found);
}

function versionChange(version: number): KvChange {
  const value = new Uint8Array(4);
  new DataView(value.buffer).setUint32(0, version, true);
  return { table: HOST_TABLE, key: VERSION_KEY, value };
}

/** Null for an empty store. */
function storedVersion(store: KvReader): number | null {
  const record = store.get(HOST_TABLE, VERSION_KEY);
  if (record === undefined) return null;
  if (record.length !== 4)
    throw new SvcError("store/corrupt", { table: "host", reason: "layout version" });
  return new DataView(record.buffer, record.byteOffset, 4).getUint32(0, true);
}

function versionError(expected: number, found: number): SvcError {
  return new SvcError("store/version", { expected, found });
}
