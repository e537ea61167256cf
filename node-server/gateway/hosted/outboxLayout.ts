/**
 * Schema of the database of a scanner that tells a hosted gateway. A number is never reused.
 *
 * | table | key | value |
 * |---|---|---|
 * | sequence | 0 | number of the last commit |
 * | state | 0 | the scanner's name, and how far it has written and told |
 * | batches | number u64 | batch of facts as JSON |
 * | runs | viewing key | number of the batch with its last run of addresses |
 * | view | chain index | chain block |
 * | waiting | note commitment | payment that was told to wait in the pool |
 * | found | chain index ‖ note commitment | payment that the block accepts |
 * | orphans | blue score of the tip ‖ note commitment ‖ block | payment that lost its block then |
 */
import type { DatabaseLayout } from "../../storage/layout.ts";

/** Numbers of the tables. */
export const OUTBOX_TABLES = {
  sequence: 1,
  state: 2,
  batches: 3,
  runs: 4,
  view: 5,
  found: 6,
  waiting: 7,
  orphans: 8,
} as const;

/** Layout of the database. */
export const OUTBOX_LAYOUT: DatabaseLayout = {
  name: "hosted",
  version: 2,
  tables: [
    { number: OUTBOX_TABLES.sequence, name: "sequence", large: false },
    { number: OUTBOX_TABLES.state, name: "state", large: false },
    { number: OUTBOX_TABLES.batches, name: "batches", large: false },
    { number: OUTBOX_TABLES.runs, name: "runs", large: false },
    { number: OUTBOX_TABLES.view, name: "view", large: false },
    { number: OUTBOX_TABLES.found, name: "found", large: false },
    { number: OUTBOX_TABLES.waiting, name: "waiting", large: false },
    { number: OUTBOX_TABLES.orphans, name: "orphans", large: false },
  ],
  // A table more; nothing is written anew.
  migrations: [{ from: 1, title: "payments that lost their block", steps: () => [] }],
};
