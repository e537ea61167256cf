/** Read model: what each own address received, payments and rewards, as far as the chain has them. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import type { WalletState } from "../state/walletState.ts";

/** What one address received. */
export type Received = { readonly amount: Sompi; readonly payments: number };

/**
 * By address index; an address that received nothing is not in it. A payment to several own addresses counts for the first of them, as
 * its row of the history does.
 */
export function receivedAt({
  history,
}: Pick<WalletState, "history">): ReadonlyMap<number, Received> {
  const received = new Map<number, Received>();
  for (const { kind, addressIndex, amount } of history) {
    if (addressIndex === null || (kind !== "received" && kind !== "mined")) continue;
    const before = received.get(addressIndex);
    received.set(addressIndex, {
      amount: asSompi((before?.amount ?? 0n) + amount),
      payments: (before?.payments ?? 0) + 1,
    });
  }
  return received;
}
