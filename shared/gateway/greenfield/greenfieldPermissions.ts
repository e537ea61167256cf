/** The rights of an API key in the words of BTCPay's Greenfield API. */
import type { KeyScope } from "../../protocol/gateway/route.ts";
import type { MerchantKey } from "../gatewayPorts.ts";

/** What a shop's plugin asks of its key; the words of one scope come together. */
const PERMISSIONS: Readonly<Record<KeyScope, readonly string[]>> = {
  "invoices:read": ["btcpay.store.canviewinvoices"],
  "invoices:write": ["btcpay.store.cancreateinvoice", "btcpay.store.canmodifyinvoices"],
  webhooks: ["btcpay.store.webhooks.canmodifywebhooks"],
  refunds: ["btcpay.store.cancreatenonapprovedpullpayments"],
  // That interface has no word for it, and plugins refuse keys with words that they do not know.
  x402: [],
};
/** Every key of a merchant shows what his store is called. */
const EVERY_KEY = "btcpay.store.canviewstoresettings";

/** The permissions of scopes; unknown words have none. */
export function permissionsOf(scopes: readonly string[]): readonly string[] {
  return Object.entries(PERMISSIONS).flatMap(([scope, words]) =>
    scopes.includes(scope) ? words : [],
  );
}

/**
 * The permissions of a key, each for its merchant's store alone: `btcpay.store.canviewinvoices:shop`. A gateway that pays nothing back
 * names none for it, so that a plugin offers no refunds.
 */
export function keyPermissions(
  { scopes, merchant }: Pick<MerchantKey, "scopes" | "merchant">,
  hasRefunds: boolean,
): readonly string[] {
  const served = scopes.filter((scope) => hasRefunds || scope !== "refunds");
  return [EVERY_KEY, ...permissionsOf(served)].map((word) => `${word}:${merchant.id}`);
}
