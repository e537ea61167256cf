/**
 * Migration of the gateway's database, layout 3 → 4: payments have receipts. Of those that are there none can be made, since what opens
 * their notes was not kept. A program of layout 3 would leave receipts of a branch that the chain left, and refuses the database.
 */
import type { Migration } from "../../../storage/migrations/migration.ts";

/** The migration step. */
export const RECEIPTS_STEP: Migration = {
  from: 3,
  title: "receipts of payments",
  steps: () => [],
};
