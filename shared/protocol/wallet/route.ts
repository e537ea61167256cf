/** The maker of rows of the wallet API's table, with the names of its groups, credentials and scopes. */
import { routeMaker } from "../contract/routeContract.ts";

/** Parts of the API, each with its handlers. */
export type RouteGroup =
  | "status"
  | "keys"
  | "scan"
  | "spend"
  | "device"
  | "proofs"
  | "jobs"
  | "events"
  | "tokens";

/**
 * What a request must carry. `token-if-given`: a missing or malformed token is answered as one without a wallet.
 * `token-and-custodial`: refused by a daemon that holds no seeds, before anything else is looked at.
 */
export type Credential = "none" | "token-if-given" | "token" | "token-and-custodial";

/**
 * What a token must be good for. `any`: every token of the wallet opens it, or none is asked for. `view`, `prepare`, `spend`: the
 * wallet's own token, and a scoped token with this scope. `owner`: the wallet's own token alone.
 */
export type RouteScope = "any" | "view" | "prepare" | "spend" | "owner";

/** The names that rows of the wallet API may have. */
export type WalletKinds = {
  readonly group: RouteGroup;
  readonly credential: Credential;
  readonly scope: RouteScope;
};

/** Makes a row of the wallet API. */
export const route = routeMaker<WalletKinds>();
