/** What the operator does with merchants and their API keys: making, listing, revoking. */
import type { Hash32, MerchantId, TimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  API_KEY_BYTES,
  hashApiKey,
  makeApiKey,
  type ApiKeyMode,
} from "@svc/shared/gateway/apiKey.ts";
import type { KeyScope } from "@svc/shared/protocol/gateway/route.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { AccessStore } from "./accessStore.ts";
import type { PlacedApiKey } from "./apiKeyTable.ts";
import type { MerchantPayout, MerchantRow } from "./merchantTable.ts";

/** Characters by which a key is named: enough to tell keys apart, and too few to use one. */
const NAME_CHARS = 17;

/** A key that was just made. Its text is shown once. */
export type IssuedKey = { readonly text: string; readonly id: string };

/** Adds a merchant. Throws as `checkMerchant`. */
export function addMerchant(access: AccessStore, row: MerchantRow): void {
  access.commit((batch) => {
    checkMerchant(access, row.id, batch);
    access.merchants.put(batch, row);
  });
}

/** Throws `gateway/merchant-exists` or `gateway/too-many-merchants` where a merchant of this name cannot be added. */
export function checkMerchant(access: AccessStore, merchant: MerchantId, batch?: StoreBatch): void {
  if (access.merchants.get(merchant, batch) !== undefined) {
    throw new SvcError("gateway/merchant-exists", { merchant });
  }
  const max = GATEWAY_LIMITS.merchants;
  if (access.merchants.all(batch).length >= max) {
    throw new SvcError("gateway/too-many-merchants", { max });
  }
}

/** Names the wallet that pays a merchant's refunds; null for none. Throws `gateway/no-merchant`. */
export function setPayout(
  access: AccessStore,
  merchant: MerchantId,
  payout: MerchantPayout | null,
): void {
  access.commit((batch) => {
    const row = access.merchants.get(merchant, batch);
    if (row === undefined) throw new SvcError("gateway/no-merchant", { merchant });
    access.merchants.put(batch, { ...row, payout });
  });
}

/** Makes a key for a merchant. Rejects with `gateway/no-merchant`, `gateway/too-many-keys`. */
export async function issueKey(
  access: AccessStore,
  wish: {
    readonly merchant: MerchantId;
    readonly label: string;
    readonly scopes: readonly KeyScope[];
    readonly mode: ApiKeyMode;
    readonly nowMs: TimestampMs;
  },
  randomBytes: (length: number) => Uint8Array,
): Promise<IssuedKey> {
  const text = makeApiKey(wish.mode, randomBytes(API_KEY_BYTES));
  const id = text.slice(0, NAME_CHARS);
  await storeKey(access, text, { ...wish, id });
  return { text, id };
}

/** Writes a key whose text is known already. Rejects as `issueKey`. */
export async function storeKey(
  access: AccessStore,
  text: string,
  wish: {
    readonly merchant: MerchantId;
    /** Names the key, and must not tell it. */
    readonly id: string;
    readonly label: string;
    readonly scopes: readonly KeyScope[];
    readonly nowMs: TimestampMs;
  },
): Promise<void> {
  const { merchant, id, label, scopes, nowMs } = wish;
  const hash: Hash32 = await hashApiKey(text);
  access.commit((batch) => {
    requireMerchant(access, merchant);
    const good = access.apiKeys.of(merchant, batch).filter(({ row }) => row.revokedMs === null);
    if (good.length >= GATEWAY_LIMITS.merchantKeys) {
      throw new SvcError("gateway/too-many-keys", { max: GATEWAY_LIMITS.merchantKeys });
    }
    const row = { merchant, id, label, scopes, createdMs: nowMs, revokedMs: null };
    access.apiKeys.put(batch, { hash, row });
  });
}

/** The keys of a merchant, revoked ones among them. Throws `gateway/no-merchant`. */
export function keysOf(access: AccessStore, merchant: MerchantId): readonly PlacedApiKey[] {
  requireMerchant(access, merchant);
  return access.apiKeys.of(merchant);
}

/** Revokes the key with this name: it is good for nothing from now on. Throws `gateway/no-key`, `gateway/no-merchant`. */
export function revokeKey(
  access: AccessStore,
  {
    merchant,
    id,
    nowMs,
  }: {
    readonly merchant: MerchantId;
    readonly id: string;
    readonly nowMs: TimestampMs;
  },
): void {
  const placed = keysOf(access, merchant).find(({ row }) => row.id === id);
  if (placed === undefined) throw new SvcError("gateway/no-key", { id });
  if (placed.row.revokedMs !== null) return;
  access.commit((batch) =>
    access.apiKeys.put(batch, { hash: placed.hash, row: { ...placed.row, revokedMs: nowMs } }),
  );
}

function requireMerchant(access: AccessStore, merchant: MerchantId): void {
  if (access.merchants.get(merchant) === undefined) {
    throw new SvcError("gateway/no-merchant", { merchant });
  }
}
