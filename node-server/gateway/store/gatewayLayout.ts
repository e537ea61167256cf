/**
 * Schema of the gateway's database. A number is never reused.
 *
 * | table | key | value |
 * |---|---|---|
 * | sequence | 0 | number of the last commit |
 * | invoices | invoice | invoice |
 * | invoices_by_time | merchant ‖ time of making ‖ invoice | none |
 * | invoices_by_order | merchant ‖ SHA-256 of the order ‖ time of making ‖ invoice | none |
 * | invoices_by_address | viewing key ‖ index u32 | invoice |
 * | invoices_due | time of the next look ‖ invoice | none |
 * | invoices_in_pool | invoice | none; while a payment of it waits in the pool |
 * | invoices_on_tip | blue score of the sink that settles its next payment ‖ invoice | none |
 * | idempotency | merchant ‖ SHA-256 of the key | what the key was used for |
 * | events | invoice ‖ version u64 | event, its body included |
 * | endpoints | merchant ‖ endpoint | webhook |
 * | deliveries | endpoint ‖ number u64 | delivery of an event |
 * | deliveries_due | time ‖ endpoint ‖ number u64 | none |
 * | delivery_heads | endpoint | number of its last delivery |
 * | addresses | viewing key ‖ first index u32 | addresses, 43 bytes each |
 * | address_heads | viewing key | next index to give out |
 * | view | chain index | chain block |
 * | found | chain index ‖ note commitment | payment that the block accepts |
 * | proof | 0 | what was proved of the chain that the node tells, and the frontier of the note tree |
 * | leaves | chain index | note commitments of the block, above that frontier |
 * | receipts | note commitment | hash of the accepting block ‖ receipt of the payment |
 * | receipt_notes | chain index ‖ note commitment | payment above that frontier, and what opens its note |
 * | receipts_due | chain index ‖ note commitment | none; while it has no receipt |
 * | receipts_by_state | chain index of the receipt's state ‖ chain index ‖ note commitment | none |
 * | scanner | 0 | the scanner's id, and the number of its last batch |
 * | refunds | refund | refund |
 * | refunds_by_time | merchant ‖ time of making ‖ refund | none |
 * | refunds_by_invoice | invoice ‖ refund | none; while it takes something of what was paid |
 * | refunds_by_claim | claim | refund |
 * | refunds_due | time at which a wallet is asked ‖ merchant ‖ refund | none |
 * | challenges | invoice | challenge of x402 |
 * | challenge_payments | invoice | payment that was handed over for the challenge |
 * | challenge_spends | transaction or nullifier | invoice of the challenge that it is bound to |
 * | challenges_sending | invoice | none; while the payment of the challenge goes out |
 * | sessions | merchant ‖ half of the SHA-256 of a token | prepaid session |
 * | challenges_end | end of the challenge ‖ invoice | version u8 ‖ SHA-256 of its idempotency key, or nothing; while it may be forgotten |
 * | old_addresses | viewing key ‖ index u32 | what is left of a challenge that nobody paid |
 * | challenge_payments_end | end of the challenge ‖ invoice | none; while its payment is here |
 * | till_sessions | SHA-256 of a token | session of a till |
 * | till_sessions_by_till | till ‖ time of its end ‖ SHA-256 of the token | none |
 * | till_devices | SHA-256 of what it is known by | device that signed in as a till |
 * | till_devices_by_till | till ‖ time of its end ‖ that SHA-256 | none |
 *
 * An invoice, a refund and a claim in a key are their 16 bytes, a viewing key its 8; merchants and endpoints are names behind their length. Numbers are big
 * endian, so that rows ascend with them.
 */
import type { DatabaseLayout } from "../../storage/layout.ts";
import { POOL_AND_CHALLENGES } from "./migrations/poolAndChallenges.ts";
import { RECEIPTS_STEP } from "./migrations/paymentReceipts.ts";
import { WEBHOOK_FORM_STEP } from "./migrations/webhookForms.ts";

/** Numbers of the tables. */
export const GATEWAY_TABLES = {
  sequence: 1,
  invoices: 2,
  invoicesByTime: 3,
  invoicesByOrder: 4,
  invoicesByAddress: 5,
  invoicesDue: 6,
  invoicesOnTip: 7,
  idempotency: 8,
  events: 9,
  endpoints: 10,
  deliveries: 11,
  deliveriesDue: 12,
  deliveryHeads: 13,
  addresses: 14,
  addressHeads: 15,
  view: 16,
  found: 17,
  scanner: 18,
  refunds: 19,
  refundsByTime: 20,
  refundsByInvoice: 21,
  refundsByClaim: 22,
  refundsDue: 23,
  challenges: 30,
  challengePayments: 31,
  challengeSpends: 32,
  challengesSending: 33,
  sessions: 34,
  challengePaymentsEnd: 35,
  tillSessions: 24,
  tillSessionsByTill: 25,
  invoicesInPool: 26,
  challengesEnd: 27,
  oldAddresses: 28,
  tillDevices: 29,
  tillDevicesByTill: 36,
  proof: 37,
  leaves: 38,
  receipts: 39,
  receiptNotes: 40,
  receiptsDue: 41,
  receiptsByState: 42,
} as const;

/** Layout of the database. */
export const GATEWAY_LAYOUT: DatabaseLayout = {
  name: "gateway",
  version: 4,
  tables: [
    { number: GATEWAY_TABLES.sequence, name: "sequence", large: false },
    { number: GATEWAY_TABLES.invoices, name: "invoices", large: false },
    { number: GATEWAY_TABLES.invoicesByTime, name: "invoices_by_time", large: false },
    { number: GATEWAY_TABLES.invoicesByOrder, name: "invoices_by_order", large: false },
    { number: GATEWAY_TABLES.invoicesByAddress, name: "invoices_by_address", large: false },
    { number: GATEWAY_TABLES.invoicesDue, name: "invoices_due", large: false },
    { number: GATEWAY_TABLES.invoicesOnTip, name: "invoices_on_tip", large: false },
    { number: GATEWAY_TABLES.invoicesInPool, name: "invoices_in_pool", large: false },
    { number: GATEWAY_TABLES.idempotency, name: "idempotency", large: false },
    { number: GATEWAY_TABLES.events, name: "events", large: false },
    { number: GATEWAY_TABLES.endpoints, name: "endpoints", large: false },
    { number: GATEWAY_TABLES.deliveries, name: "deliveries", large: false },
    { number: GATEWAY_TABLES.deliveriesDue, name: "deliveries_due", large: false },
    { number: GATEWAY_TABLES.deliveryHeads, name: "delivery_heads", large: false },
    { number: GATEWAY_TABLES.addresses, name: "addresses", large: false },
    { number: GATEWAY_TABLES.addressHeads, name: "address_heads", large: false },
    { number: GATEWAY_TABLES.view, name: "view", large: false },
    { number: GATEWAY_TABLES.found, name: "found", large: false },
    { number: GATEWAY_TABLES.scanner, name: "scanner", large: false },
    { number: GATEWAY_TABLES.refunds, name: "refunds", large: false },
    { number: GATEWAY_TABLES.refundsByTime, name: "refunds_by_time", large: false },
    { number: GATEWAY_TABLES.refundsByInvoice, name: "refunds_by_invoice", large: false },
    { number: GATEWAY_TABLES.refundsByClaim, name: "refunds_by_claim", large: false },
    { number: GATEWAY_TABLES.refundsDue, name: "refunds_due", large: false },
    { number: GATEWAY_TABLES.challenges, name: "challenges", large: false },
    { number: GATEWAY_TABLES.challengePayments, name: "challenge_payments", large: false },
    { number: GATEWAY_TABLES.challengeSpends, name: "challenge_spends", large: false },
    { number: GATEWAY_TABLES.challengesSending, name: "challenges_sending", large: false },
    { number: GATEWAY_TABLES.sessions, name: "sessions", large: false },
    { number: GATEWAY_TABLES.challengePaymentsEnd, name: "challenge_payments_end", large: false },
    { number: GATEWAY_TABLES.challengesEnd, name: "challenges_end", large: false },
    { number: GATEWAY_TABLES.oldAddresses, name: "old_addresses", large: false },
    { number: GATEWAY_TABLES.tillSessions, name: "till_sessions", large: false },
    { number: GATEWAY_TABLES.tillSessionsByTill, name: "till_sessions_by_till", large: false },
    { number: GATEWAY_TABLES.tillDevices, name: "till_devices", large: false },
    { number: GATEWAY_TABLES.tillDevicesByTill, name: "till_devices_by_till", large: false },
    { number: GATEWAY_TABLES.proof, name: "proof", large: false },
    { number: GATEWAY_TABLES.leaves, name: "leaves", large: false },
    { number: GATEWAY_TABLES.receipts, name: "receipts", large: false },
    { number: GATEWAY_TABLES.receiptNotes, name: "receipt_notes", large: false },
    { number: GATEWAY_TABLES.receiptsDue, name: "receipts_due", large: false },
    { number: GATEWAY_TABLES.receiptsByState, name: "receipts_by_state", large: false },
  ],
  migrations: [WEBHOOK_FORM_STEP, POOL_AND_CHALLENGES, RECEIPTS_STEP],
};
