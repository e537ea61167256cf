/** Rows of the BTCPay interface about the server, the key and its store. A store is a merchant of the gateway. */
import type { GatewayHealth } from "../handlers/serviceHandlers.ts";
import type { Merchant } from "../gatewayPorts.ts";
import type { GreenfieldRow } from "./greenfieldCall.ts";
import type { JsonObject } from "./greenfieldMetadata.ts";
import { keyPermissions } from "./greenfieldPermissions.ts";

/** Dependencies. */
export type GreenfieldStoreParts = {
  readonly health: () => Promise<GatewayHealth>;
  /** Code of the network's coin. */
  readonly coin: string;
  readonly hasRefunds: boolean;
};

/** The version of BTCPay Server whose interface this one follows: shops ask for 1.7.6 before they offer refunds. */
export const GREENFIELD_VERSION = "1.13.0";

/** Makes them. */
export function greenfieldStores(parts: GreenfieldStoreParts): readonly GreenfieldRow[] {
  const { health, coin, hasRefunds } = parts;
  return [
    {
      ...{ method: "GET", path: "/server/info", scope: "any", rate: "ownKey" },
      answer: async () => ({
        version: GREENFIELD_VERSION,
        onion: null,
        supportedPaymentMethods: [coin],
        fullySynched: (await health()).reasons.length === 0,
        syncStatus: [],
      }),
    },
    {
      ...{ method: "GET", path: "/api-keys/current", scope: "any", rate: "ownKey" },
      answer: async ({ key }) => ({
        // The caller has the key. An answer with it would be one more place where it lies.
        apiKey: key.keyId,
        label: key.label,
        permissions: keyPermissions(key, hasRefunds),
      }),
    },
    {
      ...{ method: "GET", path: "/stores", scope: "any", rate: "ownKey" },
      answer: async ({ key }) => [storeOf(key.merchant, coin)],
    },
    {
      ...{ method: "GET", path: "/stores/:storeId", scope: "any", rate: "ownKey" },
      answer: async ({ key }) => storeOf(key.merchant, coin),
    },
    {
      ...{ method: "GET", path: "/stores/:storeId/payment-methods", scope: "any", rate: "ownKey" },
      answer: async () => ({ [coin]: { enabled: true, cryptoCode: coin, data: {} } }),
    },
  ];
}

function storeOf({ id, look, policy, expiresInS }: Merchant, coin: string): JsonObject {
  return {
    id,
    name: look.storeName,
    website: null,
    defaultCurrency: coin,
    defaultPaymentMethod: coin,
    invoiceExpiration: expiresInS,
    monitoringExpiration: Number(policy.monitorMs / 1_000n),
    defaultLang: look.language ?? "en",
    anyoneCanCreateInvoice: false,
  };
}
