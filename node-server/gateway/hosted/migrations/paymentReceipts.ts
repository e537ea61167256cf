/**
 * Migration of the database of a scanner, layout 2 → 3: payments have receipts. Of those that are there none can be made, since what
 * opens their notes was not kept. A program of layout 2 would leave receipts of a branch that the chain left, and refuses the database.
 */
import type { Migration } from "../../../storage/migrations/migration.ts";

/** The migration step. */
export const OUTBOX_RECEIPTS_STEP: Migration = {
  from: 2,
  title: "receipts of payments",
  steps: () => [],
};
