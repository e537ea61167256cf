/** Predicate: whether a payment is under way. */
import type { Snapshot } from "../wallet-api/walletApi.ts";

/** True while a payment is prepared, proved, signed or handed over. */
export function isPaying({ send }: Pick<Snapshot, "send">): boolean {
  return send !== null && !["paused", "sent", "failed"].includes(send.stage);
}
