/**
 * Schema of the gateway's database. A number is never reused.
 *
 * | table | key | value |
 * |---|---|---|
 * | sequence | 0 | number of the last commit |
 * | merchants | merchant | merchant |
 * | api_keys | SHA-256 of an API key | merchant, scopes, times |
 * | api_keys_by_merchant | merchant ‖ id of the key | SHA-256 of it |
 * | invoices | invoice | invoice |
 * | invoices_by_time | merchant ‖ time of making ‖ invoice | none |
 * | invoices_by_order | merchant ‖ SHA-256 of the order ‖ time of making ‖ invoice | none |
 * | invoices_by_address | viewing key ‖ index u32 | invoice |
 * | invoices_due | time of the next look ‖ invoice | none |
 * | invoices_on_tip | invoice | none: a payment of it is on its way |
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
 * | scanner | 0 | the scanner's id, and the number of its last batch |
 *
 * An invoice in a key is its 16 bytes, a viewing key its 8; merchants and endpoints are names behind their length. Numbers are big
 * endian, so that rows ascend with them.
 */
import type { DatabaseLayout } from "../../storage/layout.ts";

/** Numbers of the tables. */
export const GATEWAY_TABLES = {
  sequence: 1,
  merchants: 2,
  apiKeys: 3,
  apiKeysByMerchant: 4,
  invoices: 5,
  invoicesByTime: 6,
  invoicesByOrder: 7,
  invoicesByAddress: 8,
  invoicesDue: 9,
  invoicesOnTip: 10,
  idempotency: 11,
  events: 12,
  endpoints: 13,
  deliveries: 14,
  deliveriesDue: 15,
  deliveryHeads: 16,
  addresses: 17,
  addressHeads: 18,
  view: 19,
  found: 20,
  scanner: 21,
} as const;

/** Layout of the database. */
export const GATEWAY_LAYOUT: DatabaseLayout = {
  name: "gateway",
  version: 1,
  tables: [
    { number: GATEWAY_TABLES.sequence, name: "sequence", large: false },
    { number: GATEWAY_TABLES.merchants, name: "merchants", large: false },
    { number: GATEWAY_TABLES.apiKeys, name: "api_keys", large: false },
    { number: GATEWAY_TABLES.apiKeysByMerchant, name: "api_keys_by_merchant", large: false },
    { number: GATEWAY_TABLES.invoices, name: "invoices", large: false },
    { number: GATEWAY_TABLES.invoicesByTime, name: "invoices_by_time", large: false },
    { number: GATEWAY_TABLES.invoicesByOrder, name: "invoices_by_order", large: false },
    { number: GATEWAY_TABLES.invoicesByAddress, name: "invoices_by_address", large: false },
    { number: GATEWAY_TABLES.invoicesDue, name: "invoices_due", large: false },
    { number: GATEWAY_TABLES.invoicesOnTip, name: "invoices_on_tip", large: false },
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
  ],
  migrations: [],
};
