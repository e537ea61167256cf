/**
 * Gives back to the day of a scoped token what a prepared payment was charged with that another transaction has overtaken beyond
 * undoing: nothing of it left the wallet. One that is too old is charged still, since its age is a node's word alone.
 */
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { WalletBatch } from "../store/rows/walletBatch.ts";
import type { MovedWallet } from "../wallets/scanLane.ts";
import type { SpendLimits } from "./tokens/spendLimits.ts";

/** Adds the refunds that follow from a wallet's move to the commit of it. Throws `store/…`. */
export function refundOvertaken(
  limits: Pick<SpendLimits, "refund">,
  batch: WalletBatch,
  {
    wallet,
    before,
    after,
  }: {
    readonly wallet: { readonly keys: Pick<MovedWallet["wallet"]["keys"], "token"> };
    readonly before: Pick<MovedWallet["before"], "outbox">;
    readonly after: Pick<MovedWallet["after"], "outbox">;
  },
): void {
  if (before.outbox === after.outbox) return;
  const known = new Set(before.outbox.filter(isOvertakenForGood).map(({ id }) => id));
  for (const payment of after.outbox) {
    if (!isOvertakenForGood(payment) || known.has(payment.id)) continue;
    limits.refund(batch, wallet.keys.token, payment.id);
  }
}

function isOvertakenForGood({ status }: Payment): boolean {
  return status.state === "conflicted" && status.previous === null;
}
