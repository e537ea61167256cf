/** Refusals in the form of BTCPay's Greenfield API: a code and a message, or a list of fields with what they must be. */
import { publicSentenceOf, httpErrorOf } from "../../base/errors.ts";
import type { Code } from "../../base/generated/codes.ts";
import type { SvcError } from "../../base/svcError.ts";
import { permissionsOf } from "./greenfieldPermissions.ts";

/** A refusal. */
export type GreenfieldRefusal = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** The codes that shops know of that interface, and their statuses. */
const KNOWN: Partial<Record<Code, readonly [status: number, code: string]>> = {
  "gateway/bad-key": [401, "unauthenticated"],
  "gateway/scope": [403, "missing-permission"],
  "gateway/no-merchant": [403, "missing-permission"],
  "gateway/no-invoice": [404, "invoice-not-found"],
  "gateway/no-webhook": [404, "webhook-not-found"],
  "gateway/no-delivery": [404, "webhookdelivery-not-found"],
};

const FIELD_CODES: ReadonlySet<Code> = new Set([
  "api/bad-field",
  "api/missing-field",
  "api/wrong-type",
]);
/** The field at fault where the error of an amount or a webhook names none. */
const FIELDS_OF: Partial<Record<Code, string>> = {
  "amount/malformed": "amount",
  "amount/negative": "amount",
  "amount/too-large": "amount",
  "amount/too-many-decimals": "amount",
  "amount/zero": "amount",
  "gateway/price-stale": "currency",
  "webhook/bad-target": "url",
};

/** Makes the refusal of an error. */
export function greenfieldRefusal(error: SvcError): GreenfieldRefusal {
  const message = publicSentenceOf(error.toJSON());
  const retryAfter = error.data["retryAfter"];
  const headers = retryAfter === undefined ? {} : { "Retry-After": retryAfter };
  const path = FIELD_CODES.has(error.code) ? error.data["field"] : FIELDS_OF[error.code];
  if (path !== undefined) return { status: 422, headers, body: [{ path, message }] };
  const [status, code] = KNOWN[error.code] ?? [httpErrorOf(error).status, error.code];
  return { status, headers, body: { code, message, ...missingOf(error) } };
}

function missingOf({ code, data }: SvcError): { readonly missingPermission?: string } {
  const needed = code === "gateway/scope" ? data["needed"] : undefined;
  const [missing] = needed === undefined ? [] : permissionsOf([needed]);
  return missing === undefined ? {} : { missingPermission: missing };
}
