/**
 * The shop of the environment: a gateway for one merchant is set up by variables alone, as `SVC_GATEWAY_FVK`, `SVC_GATEWAY_API_KEY`,
 * `SVC_GATEWAY_WEBHOOK_URL` and `SVC_GATEWAY_WEBHOOK_SECRET` (service specification, gateway sheet 1). It is the merchant `default`.
 */
import {
  asMerchantId,
  type MerchantId,
  type TimestampMs,
  type ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { hashApiKey } from "@svc/shared/gateway/apiKey.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import type { AccessStore } from "../../gateway/access/accessStore.ts";
import { addMerchant, keysOf, revokeKey, storeKey } from "../../gateway/access/issueKeys.ts";
import type { MerchantRow } from "../../gateway/access/merchantTable.ts";
import type { Environment } from "../options/readOptions.ts";

/** What the variables say. */
export type EnvironmentShop = {
  /** Viewing key in hex; null for a gateway whose merchants are added by commands. */
  readonly viewingKey: string | null;
  readonly apiKey: Secret | null;
  readonly webhook: EnvironmentWebhook | null;
};

/** Where the merchant's events go, and what signs them. */
export type EnvironmentWebhook = { readonly url: string; readonly secret: string };

/** The merchant of the environment. */
export const ENVIRONMENT_MERCHANT: MerchantId = asMerchantId("default");

const LABEL = "environment";
/** Hex digits of the key's hash by which it is named. */
const ID_CHARS = 13;
const API_KEY = /^[\x21-\x7e]{16,255}$/;
const VIEWING_KEY = /^(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{192})$/;

/** Reads the variables. Throws `node/bad-option` for one that is malformed, or that lacks the one it needs. */
export function readEnvironmentShop(environment: Environment): EnvironmentShop {
  const viewingKey = textOf(environment, "SVC_GATEWAY_FVK");
  const apiKey = textOf(environment, "SVC_GATEWAY_API_KEY");
  const url = textOf(environment, "SVC_GATEWAY_WEBHOOK_URL");
  const secret = textOf(environment, "SVC_GATEWAY_WEBHOOK_SECRET");
  if (viewingKey !== null && !VIEWING_KEY.test(viewingKey)) {
    throw bad("SVC_GATEWAY_FVK", "it is no viewing key in hex, of 64 or 96 bytes");
  }
  if (apiKey !== null && !API_KEY.test(apiKey)) {
    throw bad("SVC_GATEWAY_API_KEY", "it has not 16 to 255 visible characters");
  }
  if (apiKey !== null && viewingKey === null) {
    throw bad("SVC_GATEWAY_API_KEY", "SVC_GATEWAY_FVK is missing");
  }
  if (url !== null && secret === null) {
    throw bad("SVC_GATEWAY_WEBHOOK_URL", "SVC_GATEWAY_WEBHOOK_SECRET is missing");
  }
  return {
    viewingKey,
    apiKey: apiKey === null ? null : new Secret(new TextEncoder().encode(apiKey)),
    webhook: url === null || secret === null ? null : { url, secret },
  };
}

/** What the merchant of the environment is made from. */
export type EnvironmentShopParts = {
  readonly access: AccessStore;
  readonly nowMs: TimestampMs;
  /** Registers a viewing key; returns its name. */
  readonly register: (key: Uint8Array) => ViewingKeyId;
  readonly newMerchant: (id: MerchantId, key: ViewingKeyId) => MerchantRow;
};

/**
 * Brings the merchant and its API key in line with the variables: an earlier key of the environment is revoked. Rejects with
 * `node/bad-option` for another viewing key than the merchant has: its invoices would be paid to one that nobody watches.
 */
export async function keepEnvironmentShop(
  { viewingKey, apiKey }: EnvironmentShop,
  { access, nowMs, register, newMerchant }: EnvironmentShopParts,
): Promise<void> {
  if (viewingKey === null) return;
  const merchant = ENVIRONMENT_MERCHANT;
  const key = register(decodeHex(viewingKey.toLowerCase()));
  const known = access.merchants.get(merchant);
  if (known === undefined) addMerchant(access, newMerchant(merchant, key));
  else if (known.key !== key) {
    throw bad("SVC_GATEWAY_FVK", "the merchant default has another viewing key");
  }
  const text = apiKey?.reveal((bytes) => new TextDecoder().decode(bytes)) ?? null;
  const hash = text === null ? null : await hashApiKey(text);
  const own = keysOf(access, merchant).filter(({ row }) => row.label === LABEL);
  for (const { hash: other, row } of own) {
    if (other !== hash) revokeKey(access, { merchant, id: row.id, nowMs });
  }
  const isThere = own.some((one) => one.hash === hash && one.row.revokedMs === null);
  if (text === null || hash === null || isThere) return;
  const id = `env_${hash.slice(0, ID_CHARS)}`;
  await storeKey(access, text, { merchant, id, label: LABEL, scopes: KEY_SCOPES, nowMs });
}

function textOf(environment: Environment, name: string): string | null {
  const text = environment[name] ?? "";
  return text === "" ? null : text;
}

function bad(option: string, reason: string): SvcError {
  return new SvcError("node/bad-option", { option, reason });
}
