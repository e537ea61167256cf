/**
 * Schema of the wallet daemon's database, which lies beside the wallet files. A number is never reused.
 *
 * | table | key | value |
 * |---|---|---|
 * | sequence | 0, or 1 | number of the last commit, or the mark of a database with sealed rows |
 * | payments | wallet ‖ place ‖ payment id | payment, its signed bytes included |
 * | idempotency | wallet ‖ SHA-256 of the key | what the key was used for, and the answer |
 * | answers | time of the answer ‖ key of `idempotency` | none |
 * | jobs | id | job |
 * | jobs_by_wallet | wallet ‖ ended or not ‖ time ‖ id | none |
 * | jobs_by_state | state ‖ time ‖ id | none |
 * | events | wallet ‖ cursor | event |
 * | event_keys | wallet ‖ SHA-256 of what happened | cursor |
 * | event_heads | wallet | last cursor |
 * | tree | `head`, number of a chunk, or `n` ‖ number | size and base of the note tree, leaves, or the inner nodes above them |
 * | view | chain index | chain block |
 * | cursors | wallet | how far its snapshot came |
 * | deliveries | wallet ‖ cursor | delivery of an event to the webhook |
 * | tokens | SHA-256 of a scoped token | wallet, scope, limits |
 * | credits | wallet ‖ chain index ‖ SHA-256 of what happened | cursor of a credit that stands |
 * | deliveries_due | time ‖ wallet ‖ cursor | none |
 * | tokens_by_wallet | wallet ‖ id of a scoped token | SHA-256 of it |
 * | charges | SHA-256 of a scoped token ‖ day | what it spent on that day |
 * | charges_by_id | wallet ‖ SHA-256 of the id of a job | what it was charged with, to which token and day |
 * | delivery_heads | wallet | cursor of the first delivery in order that is not done |
 * | deliveries_dead | wallet ‖ cursor | none: a delivery that was given up |
 * | owners | wallet | SHA-256 of the viewing key whose rows the others are |
 *
 * The place of a payment, one byte: 0 signed and not settled, 1 another one that an open wallet holds in memory, 2 put away.
 * A wallet in a key is the length of its token, one byte, and the token: keys of one never begin as those of another.
 * Numbers in keys are big endian, so that rows ascend with them.
 */
import type { DatabaseLayout } from "../../storage/layout.ts";

/** Numbers of the tables. */
export const STORE_TABLES = {
  sequence: 1,
  payments: 2,
  idempotency: 3,
  answers: 4,
  jobs: 5,
  jobsByWallet: 6,
  jobsByState: 7,
  events: 8,
  eventKeys: 9,
  eventHeads: 10,
  tree: 11,
  view: 12,
  cursors: 13,
  deliveries: 14,
  tokens: 15,
  credits: 16,
  deliveriesDue: 17,
  tokensByWallet: 18,
  charges: 19,
  deliveryHeads: 20,
  chargesById: 21,
  deliveriesDead: 22,
  owners: 23,
} as const;

/** Layout of the database. */
export const WALLET_STORE_LAYOUT: DatabaseLayout = {
  name: "walletd",
  version: 1,
  tables: [
    { number: STORE_TABLES.sequence, name: "sequence", large: false },
    { number: STORE_TABLES.payments, name: "payments", large: false },
    { number: STORE_TABLES.idempotency, name: "idempotency", large: false },
    { number: STORE_TABLES.answers, name: "answers", large: false },
    { number: STORE_TABLES.jobs, name: "jobs", large: false },
    { number: STORE_TABLES.jobsByWallet, name: "jobs_by_wallet", large: false },
    { number: STORE_TABLES.jobsByState, name: "jobs_by_state", large: false },
    { number: STORE_TABLES.events, name: "events", large: false },
    { number: STORE_TABLES.eventKeys, name: "event_keys", large: false },
    { number: STORE_TABLES.eventHeads, name: "event_heads", large: false },
    { number: STORE_TABLES.tree, name: "tree", large: false },
    { number: STORE_TABLES.view, name: "view", large: false },
    { number: STORE_TABLES.cursors, name: "cursors", large: false },
    { number: STORE_TABLES.deliveries, name: "deliveries", large: false },
    { number: STORE_TABLES.tokens, name: "tokens", large: false },
    { number: STORE_TABLES.credits, name: "credits", large: false },
    { number: STORE_TABLES.deliveriesDue, name: "deliveries_due", large: false },
    { number: STORE_TABLES.tokensByWallet, name: "tokens_by_wallet", large: false },
    { number: STORE_TABLES.charges, name: "charges", large: false },
    { number: STORE_TABLES.deliveryHeads, name: "delivery_heads", large: false },
    { number: STORE_TABLES.chargesById, name: "charges_by_id", large: false },
    { number: STORE_TABLES.deliveriesDead, name: "deliveries_dead", large: false },
    { number: STORE_TABLES.owners, name: "owners", large: false },
  ],
  migrations: [],
};
