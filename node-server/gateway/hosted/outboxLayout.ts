/**
 * Schema of the database of a scanner that tells a hosted gateway. A number is never reused.
 *
 * | table | key | value |
 * |---|---|---|
 * | sequence | 0 | number of the last commit |
 * | state | 0 | the scanner's name, how far it has written and told, and why its node is not believed |
 * | batches | number u64 | batch of facts as JSON |
 * | runs | viewing key | number of the batch with its last run of addresses |
 * | view | chain index | chain block |
 * | waiting | note commitment | payment that was told to wait in the pool |
 * | found | chain index ‖ note commitment | payment that the block accepts |
 * | received | viewing key ‖ index u32 ‖ note commitment | amount and blue score of a payment that a block accepts |
 * | payouts | refund | refund that was taken on |
 * | payouts_by_address | viewing key ‖ index u32 ‖ refund | none |
 * | proof | 0 | what was proved of the chain that the node tells, and the frontier of the note tree |
 * | leaves | chain index | note commitments of the block, above that frontier |
 * | receipts | note commitment | hash of the accepting block ‖ receipt of the payment |
 * | receipt_notes | chain index ‖ note commitment | payment above that frontier, and what opens its note |
 * | receipts_due | chain index ‖ note commitment | none; while it has no receipt |
 * | receipts_by_state | chain index of the receipt's state ‖ chain index ‖ note commitment | none |
 * | orphans | blue score of the tip ‖ note commitment ‖ block | payment that lost its block then |
 */
import type { DatabaseLayout } from "../../storage/layout.ts";
import { OUTBOX_RECEIPTS_STEP } from "./migrations/paymentReceipts.ts";
import { RECEIVED_STEP } from "./migrations/receivedPayments.ts";

/** Numbers of the tables. */
export const OUTBOX_TABLES = {
  sequence: 1,
  state: 2,
  batches: 3,
  runs: 4,
  view: 5,
  found: 6,
  waiting: 7,
  received: 8,
  payouts: 9,
  payoutsByAddress: 10,
  orphans: 11,
  proof: 12,
  leaves: 13,
  receipts: 14,
  receiptNotes: 15,
  receiptsDue: 16,
  receiptsByState: 17,
} as const;

/** Layout of the database. */
export const OUTBOX_LAYOUT: DatabaseLayout = {
  name: "hosted",
  version: 3,
  tables: [
    { number: OUTBOX_TABLES.sequence, name: "sequence", large: false },
    { number: OUTBOX_TABLES.state, name: "state", large: false },
    { number: OUTBOX_TABLES.batches, name: "batches", large: false },
    { number: OUTBOX_TABLES.runs, name: "runs", large: false },
    { number: OUTBOX_TABLES.view, name: "view", large: false },
    { number: OUTBOX_TABLES.found, name: "found", large: false },
    { number: OUTBOX_TABLES.waiting, name: "waiting", large: false },
    { number: OUTBOX_TABLES.received, name: "received", large: false },
    { number: OUTBOX_TABLES.payouts, name: "payouts", large: false },
    { number: OUTBOX_TABLES.payoutsByAddress, name: "payouts_by_address", large: false },
    { number: OUTBOX_TABLES.orphans, name: "orphans", large: false },
    { number: OUTBOX_TABLES.proof, name: "proof", large: false },
    { number: OUTBOX_TABLES.leaves, name: "leaves", large: false },
    { number: OUTBOX_TABLES.receipts, name: "receipts", large: false },
    { number: OUTBOX_TABLES.receiptNotes, name: "receipt_notes", large: false },
    { number: OUTBOX_TABLES.receiptsDue, name: "receipts_due", large: false },
    { number: OUTBOX_TABLES.receiptsByState, name: "receipts_by_state", large: false },
  ],
  migrations: [RECEIVED_STEP, OUTBOX_RECEIPTS_STEP],
};
