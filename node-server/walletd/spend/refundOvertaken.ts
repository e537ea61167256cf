/**
 * Gives back to the day of a scoped token what a prepared payment was charged with that another payment of the same wallet has
 * overtaken beyond undoing: nothing of it left the wallet. One that is too old, or overtaken by a stranger's transaction, is charged
 * still: that is a node's word alone, and it may still go through.
 */
import { rivalOf } from "@svc/shared/wallet/reduce/rival.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { MovedWallet } from "../wallets/scanLane.ts";
import type { SpendLimits } from "./tokens/spendLimits.ts";

/** Adds the refunds that follow from a wallet's move to the commit of it. Throws `store/…`. */
export function refundOvertaken(
  limits: Pick<SpendLimits, "refund">,
  batch: StoreBatch,
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
  const known = new Set(overtakenIn(before.outbox).map(({ id }) => id));
  for (const { id } of overtakenIn(after.outbox)) {
    if (!known.has(id)) limits.refund(batch, wallet.keys.token, id);
  }
}

function overtakenIn(outbox: readonly Payment[]): readonly Payment[] {
  return outbox.filter(
    (payment) =>
      payment.status.state === "conflicted" &&
      payment.status.previous === null &&
      rivalOf(outbox, payment) === "own",
  );
}
