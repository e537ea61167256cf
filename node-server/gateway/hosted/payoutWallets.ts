/** The wallets that pay refunds of a hosted gateway, by viewing key. The gateway is told which wallet was asked, and not its address. */
import { createHash } from "node:crypto";
import type { ViewingKeyId } from "@svc/shared/base/brand.ts";
import type { MerchantPayout } from "../access/merchantTable.ts";
import { WalletdPayout, type PayoutWallet } from "../refunds/payoutWallet.ts";

/** The wallet that pays back what a viewing key received; null where none is named. */
export type PayoutWallets = (key: ViewingKeyId) => PayoutWallet | null;

/** Makes them. `request` is the platform's `fetch` unless a test gives another. */
export function payoutWallets(
  payouts: ReadonlyMap<ViewingKeyId, MerchantPayout>,
  request?: typeof fetch,
): PayoutWallets {
  return (key) => {
    const payout = payouts.get(key);
    return payout === undefined ? null : unnamed(new WalletdPayout(payout, request));
  };
}

function unnamed(wallet: PayoutWallet): PayoutWallet {
  return {
    name: async (signal) =>
      createHash("sha256")
        .update("svc-payout-wallet")
        .update(await wallet.name(signal))
        .digest("hex"),
    pay: (order, signal) => wallet.pay(order, signal),
    job: (id, signal) => wallet.job(id, signal),
    depth: (txids, signal) => wallet.depth(txids, signal),
  };
}
