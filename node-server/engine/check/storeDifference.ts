/** The error `verify/difference`: a record of a store is not what the blocks make of it. */
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { RawReader } from "@svc/shared/core/generated/coreGlue.ts";
import { consensusTable, tableName } from "../../storage/layout.ts";
import { keyText, recordTexts } from "./recordText.ts";

/** The place of a record: table and key. */
export type RecordPlace = { readonly table: number; readonly key: Uint8Array };

/** Makes the error for two records of a place. */
export function recordDifference(
  place: RecordPlace,
  stored: Uint8Array | undefined,
  computed: Uint8Array | undefined,
): SvcError {
  return difference(place, recordTexts(place, stored, computed));
}

/** Makes the error for a difference that is told in words. */
export function difference(
  { table, key }: RecordPlace,
  sides: { readonly stored: string; readonly computed: string },
): SvcError {
  return new SvcError("verify/difference", {
    table: tableName(table),
    key: keyText(table, key),
    ...sides,
  });
}

/** The core's names of records in its errors, where they are not those of the tables. */
const RECORD_TABLES: Readonly<Record<string, string>> = {
  body: "bodies",
  header: "headers",
  "block status": "status",
  "chain evidence": "chain_evidence",
  "chain index": "chain_by_hash",
  "chain state": "chain_state",
  "daa window": "daa_excluded",
  "lane expiry": "lane_expiry",
  "lane diffs": "lane_diffs",
  "log places": "log_places",
  "log rows": "log_rows",
  "nullifier diff": "nullifier_diffs",
  "scan record": "scan_records",
};

/** Areas of the errors that a question about a damaged store may end in. */
const DAMAGED: ReadonlySet<string> = new Set(["store", "codec", "chain"]);

/** Reads from the store under check: a record that cannot be read there is a difference, not a failure of ours. */
export function readingAt<T>(place: RecordPlace, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    const error = SvcError.from(thrown);
    const area = error.code.split("/")[0] ?? "";
    if (!DAMAGED.has(area) && error.code !== "engine/panic") throw error;
    const named = error.data["table"] ?? "";
    const name = RECORD_TABLES[named] ?? named;
    const table = consensusTable(name) === 0 ? place.table : consensusTable(name);
    throw difference(
      { ...place, table },
      { stored: sentenceOf(error), computed: "a sound record" },
    );
  }
}

/** Reads a record of the store under check. Errors: `verify/difference` when it cannot be read. */
export function storedRecord(
  stored: RawReader,
  table: number,
  key: Uint8Array,
): Uint8Array | undefined {
  return readingAt({ table, key }, () => callCore(() => stored.storedRecord(table, key)));
}

/** Throws when a record is not the computed one. */
export function requireSame(
  place: RecordPlace,
  stored: Uint8Array | undefined,
  computed: Uint8Array | undefined,
): void {
  if (!sameBytes(stored, computed)) throw recordDifference(place, stored, computed);
}

/** Whether two records are the same or both are not there. */
export function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Buffer.compare(a, b) === 0;
}
