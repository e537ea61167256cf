/**
 * Migration of the gateway's database, layout 1 → 2: webhooks have a form, and deliveries may have what is told in it. Rows of layout 1
 * read as webhooks of the form `svc`, so none is written anew. A program of layout 1 would send its own events to every webhook, and
 * refuses the database.
 */
import type { Migration } from "../../../storage/migrations/migration.ts";

/** The migration step. */
export const WEBHOOK_FORM_STEP: Migration = {
  from: 1,
  title: "a form for each webhook",
  steps: () => [],
};
