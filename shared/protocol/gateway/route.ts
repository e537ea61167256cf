/** The maker of rows of the gateway API's table, with the names of its groups, credentials and scopes. */
import { routeMaker } from "../contract/routeContract.ts";

/** Parts of the API, each with its handlers. */
export type GatewayGroup =
  | "invoices"
  | "checkout"
  | "refunds"
  | "claims"
  | "webhooks"
  | "x402"
  | "prices"
  | "till"
  | "key"
  | "health";

/**
 * What a request must carry. `key`: an API key of a merchant. `till`: the cookie of a till that is signed in. `password`: the till's name and
 * password in the body. `none`: whoever knows the path may ask.
 */
export type GatewayCredential = "none" | "key" | "till" | "password";

/** The rights that an API key may have. None holds another. */
export const KEY_SCOPES = [
  "invoices:read",
  "invoices:write",
  "webhooks",
  "refunds",
  "x402",
] as const;

/** A right of an API key. */
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What an API key must be good for. `any`: every key of the merchant opens the row, or none is asked for. */
export type GatewayScope = "any" | KeyScope;

/** The names that rows of the gateway API may have. */
export type GatewayKinds = {
  readonly group: GatewayGroup;
  readonly credential: GatewayCredential;
  readonly scope: GatewayScope;
};

/** Makes a row of the gateway API. */
export const route = routeMaker<GatewayKinds>();
