/**
 * Migration of the database of a scanner, layout 1 → 2: what each address has received, from the payments that are remembered by their
 * blocks, and refunds that were taken on. What was paid before those blocks is not known, and is not paid back by this program.
 */
import { stableJson } from "@svc/shared/base/stableJson.ts";
import type { KvChange } from "../../../storage/kv.ts";
import type { Migration } from "../../../storage/migrations/migration.ts";
import { writeRow } from "../../../storage/rows/rowForm.ts";
import { FoundTable } from "../../store/foundTable.ts";
import { receivedKey } from "../receivedKey.ts";

/** Numbers of the tables in layouts 1 and 2. */
const FOUND = 6;
const RECEIVED = 8;
const ROWS_AT_ONCE = 500;

/** The migration step. */
export const RECEIVED_STEP: Migration = {
  from: 1,
  title: "what each address has received",
  *steps(store) {
    let changes: KvChange[] = [];
    for (const found of new FoundTable(store, FOUND).above(null)) {
      const place = { table: RECEIVED, key: receivedKey(found) };
      const row = stableJson({ amount: found.output.amount, blueScore: found.block.blueScore });
      changes.push({ ...place, value: writeRow(place, new TextEncoder().encode(row), null) });
      if (changes.length < ROWS_AT_ONCE) continue;
      yield changes;
      changes = [];
    }
    yield changes;
  },
};
