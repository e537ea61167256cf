/** Error registry, rows of the merchant gateway's API, of its server and of its client. */
import type { CodeOf } from "../generated/codes.ts";
import { busy, caller, missing, notNow, operator, type ErrorInfo } from "./errorInfo.ts";

/** The registry rows of area `gateway`. */
export const gatewayErrors: { readonly [C in CodeOf<"gateway">]: ErrorInfo } = {
  "gateway/bad-answer": {
    ...operator("The gateway gave an invalid response (status {status}): {reason}."),
    http: 502,
  },
  "gateway/bad-key": caller("Missing or invalid API key.", 401),
  "gateway/bad-sign-in": caller("No till has this name and this password.", 401),
  "gateway/claim-over": missing("This refund can no longer be claimed.", 410),
  "gateway/idempotency-conflict": notNow(
    "This idempotency key was used for another request; take a new one.",
    false,
  ),
  "gateway/in-flight": notNow(
    "A request with this idempotency key is being answered; try again in {retryAfter} s.",
  ),
  "gateway/key-file": {
    ...operator("The viewing key file {file} is damaged, or was written by a later version."),
    http: 500,
  },
  "gateway/merchant-exists": {
    ...operator("There is a merchant named {merchant} already."),
    http: 409,
  },
  "gateway/no-address": busy("No address is ready for a new invoice; try again later."),
  "gateway/no-claim": missing("There is no refund with that claim."),
  "gateway/no-delivery": missing("This webhook has no delivery with that id."),
  "gateway/no-invoice": missing("There is no invoice with that id."),
  "gateway/no-key": { ...operator("The merchant has no API key named {id}."), http: 404 },
  "gateway/no-merchant": { ...operator("There is no merchant named {merchant}."), http: 404 },
  "gateway/no-receipt": missing(
    "There is no receipt of that payment: it is not confirmed, or none was made of it.",
  ),
  "gateway/no-refund": missing("There is no refund with that id."),
  "gateway/no-session": caller("The till is not signed in.", 401),
  "gateway/no-webhook": missing("There is no webhook with that id."),
  "gateway/payout-wallet": notNow(
    "Another wallet was asked to pay this refund, and may have paid it; give the gateway that wallet again.",
    false,
  ),
  "gateway/price-stale": busy("The price of a coin in {currency} is too old; try again later."),
  "gateway/refund-address": notNow(
    "The payer has given another address meanwhile; look at it before you approve.",
    false,
  ),
  "gateway/refund-state": notNow("A refund that is {state} does not allow this.", false),
  "gateway/refund-too-large": caller(
    "{asked} sompi cannot be paid back; {max} are left of what was paid.",
    422,
  ),
  "gateway/refused": caller("The gateway refused the call (status {status}): {reason}", 422),
  "gateway/scope": caller(
    "This API key does not allow the call; it needs the scope {needed}.",
    403,
  ),
  "gateway/storage": {
    ...operator("A file of the gateway could not be read or written ({reason})."),
    http: 500,
  },
  "gateway/too-many-keys": operator(
    "The merchant has {max} API keys, as many as may be; revoke one first.",
  ),
  "gateway/too-many-merchants": operator("The gateway has {max} merchants, as many as may be."),
  "gateway/too-many-refunds": notNow("The invoice has {max} refunds, as many as may be.", false),
  "gateway/too-many-webhooks": notNow("There are {max} webhooks; remove one first.", false),
  "gateway/unreachable": busy("The gateway at {url} does not answer."),
  "gateway/wrong-state": notNow("An invoice that is {status} does not allow this.", false),
};
