/** Snapshots that page tests begin with. */
import type { Snapshot, WalletView } from "../../wallet-api/walletApi.ts";
import { exampleSnapshot } from "../../wallet-worker/testkit/exampleSnapshot.ts";

/** A browser without a wallet, beside a node that answers. */
export function newcomer(): Snapshot {
  return {
    ...exampleSnapshot,
    access: "no-wallet",
    core: { state: "ready", problem: null },
    backupConfirmed: false,
    wallets: { list: [], current: null, beside: null },
    wallet: null,
    send: null,
  };
}

/** An open wallet that is up to date, and has coins unless `wallet` says otherwise. No payment is under way. */
export function openWallet(wallet: Partial<WalletView> = {}): Snapshot {
  return {
    ...exampleSnapshot,
    core: { state: "ready", problem: null },
    wallet: {
      ...exampleSnapshot.wallet,
      older: null,
      evidence: { ...exampleSnapshot.wallet.evidence, doubt: null },
      ...wallet,
    },
    send: null,
  };
}
