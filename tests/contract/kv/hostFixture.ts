/**
 * Fixture of a store of host layout 1: the files that an older build left in a store's folder, and the rows that a reader
 * has to see.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import * as v from "valibot";
import type { KvChange } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";

const FIXTURE = new URL("../../fixtures/stores/host-1.jsonl.gz", import.meta.url);

const bytes = v.pipe(v.string(), v.transform(decodeHex));
const row = v.object({ table: v.number(), key: bytes, value: bytes });
const line = v.union([
  v.strictObject({ origin: v.string() }),
  v.strictObject({ stored: row }),
  v.strictObject({ file: v.object({ name: v.string(), bytes }) }),
  v.strictObject({ read: row }),
]);

/** Rows of the database, files beside it, and the rows that a reader of the store sees. */
export type HostFixture = {
  readonly stored: readonly v.InferOutput<typeof row>[];
  readonly files: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly read: readonly v.InferOutput<typeof row>[];
};

/** Reads the fixture. */
export function hostFixture(): HostFixture {
  const lines = gunzipSync(readFileSync(FIXTURE))
    .toString()
    .trimEnd()
    .split("\n")
    .map((text) => v.parse(line, JSON.parse(text)));
  return {
    stored: lines.flatMap((entry) => ("stored" in entry ? [entry.stored] : [])),
    files: lines.flatMap((entry) => ("file" in entry ? [entry.file] : [])),
    read: lines.flatMap((entry) => ("read" in entry ? [entry.read] : [])),
  };
}

/** Where the engine's database and its segment files lie below a root. */
export function consensusFolders(root: string): { path: string; segments: string } {
  const path = join(root, CONSENSUS_LAYOUT.name);
  return { path, segments: join(path, "segments") };
}

/** Writes the fixture's store below `root`, with `more` changes of its rows. */
export async function writeHostFixture(
  root: string,
  { stored, files }: HostFixture,
  more: readonly KvChange[] = [],
): Promise<void> {
  const { path, segments } = consensusFolders(root);
  const database = new LmdbKv({ path });
  database.commit([...stored, ...more]);
  await database.close();
  mkdirSync(segments);
  for (const file of files) writeFileSync(join(segments, file.name), file.bytes);
}
