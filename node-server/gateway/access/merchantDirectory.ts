/** The merchants as the gateway's server asks for them. What the operator's commands wrote counts at once. */
import type { Hash32, MerchantId } from "@svc/shared/base/brand.ts";
import type { Merchant, MerchantKey, MerchantPort } from "@svc/shared/gateway/gatewayPorts.ts";
import type { AccessStore } from "./accessStore.ts";
import type { MerchantRow } from "./merchantTable.ts";

/** Finds merchants in the database of who may use the gateway. */
export class MerchantDirectory implements MerchantPort {
  readonly #access: Pick<AccessStore, "merchants" | "apiKeys">;

  constructor(access: Pick<AccessStore, "merchants" | "apiKeys">) {
    this.#access = access;
  }

  /** The hash is looked up as a whole: how long that takes says nothing of a key, since nobody chooses a hash. */
  async keyOf(hash: Hash32): Promise<MerchantKey | null> {
    const row = this.#access.apiKeys.get(hash);
    if (row === undefined || row.revokedMs !== null) return null;
    const merchant = this.#access.merchants.get(row.merchant);
    if (merchant === undefined) return null;
    const { id: keyId, label, scopes, createdMs } = row;
    return { merchant: merchantOf(merchant), keyId, label, scopes, createdMs };
  }

  async merchant(id: MerchantId): Promise<Merchant | null> {
    const row = this.#access.merchants.get(id);
    return row === undefined ? null : merchantOf(row);
  }
}

/** A merchant as the server knows it. */
export function merchantOf(row: MerchantRow): Merchant {
  const { id, name, policy, expiresInS, frameOrigins, language } = row;
  const theme = { scheme: "auto", accent: null } as const;
  return { id, policy, expiresInS, frameOrigins, look: { storeName: name, theme, language } };
}
