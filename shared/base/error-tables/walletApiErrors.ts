/** Error registry, rows of the wallet daemon's HTTP interface, of its server and of its client. */
import type { CodeOf } from "../generated/codes.ts";
import { busy, caller, operator, type ErrorInfo } from "./errorInfo.ts";

/** The registry rows of area `api`. */
export const walletApiErrors: { readonly [C in CodeOf<"api">]: ErrorInfo } = {
  "api/bad-answer": {
    ...operator("The wallet daemon gave an invalid response (status {status}): {reason}."),
    http: 502,
  },
  "api/bad-bearer": caller("Missing or invalid bearer token.", 401),
  "api/bad-field": caller("{field} must be {expected}."),
  "api/bad-pairing": caller("This is no pairing code of a wallet daemon: {reason}."),
  "api/bad-token": caller(
    "Invalid X-Wallet-Token: 1 to 128 letters, digits, dashes and underscores.",
  ),
  "api/missing-field": caller("{field} is missing.", 422),
  "api/missing-token": caller("Missing X-Wallet-Token.", 401),
  "api/no-custody": caller("This daemon holds no seeds (--no-custodial): sign on a device.", 403),
  "api/not-json": caller("The body must be sent as application/json, not as {found}.", 415),
  "api/refused": caller("The wallet daemon refused the call (status {status}): {reason}", 422),
  "api/short-token": caller(
    "Invalid X-Wallet-Token: others can reach this daemon, so a token has at least {min} characters.",
  ),
  "api/unknown-token": caller(
    "Unknown X-Wallet-Token: no scoped token is like this, or it was revoked, or its time is over.",
    401,
  ),
  "api/unreachable": busy("The wallet daemon at {url} does not answer."),
  "api/wrong-method": caller("This path does not take {method}; it takes {allowed}.", 405),
  "api/wrong-type": caller("{field} must be {expected}.", 422),
};
