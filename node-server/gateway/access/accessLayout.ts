/**
 * Schema of the database of who may use the gateway. It is written by the commands of the operator alone, and read by the gateway, also
 * while that runs. A number is never reused.
 *
 * | table | key | value |
 * |---|---|---|
 * | sequence | 0 | number of the last commit |
 * | merchants | merchant | merchant |
 * | api_keys | SHA-256 of an API key | merchant, scopes, times |
 * | api_keys_by_merchant | merchant ‖ id of the key | SHA-256 of it |
 * | tills | till | merchant, hash of its password, settings |
 */
import type { DatabaseLayout } from "../../storage/layout.ts";

/** Numbers of the tables. */
export const ACCESS_TABLES = {
  sequence: 1,
  merchants: 2,
  apiKeys: 3,
  apiKeysByMerchant: 4,
  tills: 5,
} as const;

/** Layout of the database. */
export const ACCESS_LAYOUT: DatabaseLayout = {
  name: "access",
  version: 1,
  tables: [
    { number: ACCESS_TABLES.sequence, name: "sequence", large: false },
    { number: ACCESS_TABLES.merchants, name: "merchants", large: false },
    { number: ACCESS_TABLES.apiKeys, name: "api_keys", large: false },
    { number: ACCESS_TABLES.apiKeysByMerchant, name: "api_keys_by_merchant", large: false },
    { number: ACCESS_TABLES.tills, name: "tills", large: false },
  ],
  migrations: [],
};
