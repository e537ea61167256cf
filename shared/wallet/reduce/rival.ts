/**
 * Double-spend detection: who else spends the notes of a payment. Only the seed can spend them: a spender that this wallet has
 * no record of is the payment of another wallet with the same seed, if the node says the truth.
 */
import type { Code } from "../../base/generated/codes.ts";
import type { Payment } from "../state/payment.ts";

/** Who made the competing payment. `own`: another payment of this wallet. `elsewhere`: one that this wallet did not make. */
export type Rival = "own" | "elsewhere";

/** Refusals that say that another transaction, waiting or in a block, spends a note of this one. */
const NOTE_TAKEN: ReadonlySet<Code> = new Set<Code>([
  "mempool/nullifier-conflict",
  "tx/nullifier-spent",
]);

/** Finds who has spent the payment's notes by the chain, or spends them by the node's last word; null for nobody. */
export function rivalOf(outbox: readonly Payment[], payment: Payment): Rival | null {
  const { status } = payment;
  if (status.state === "conflicted") {
    return outbox.some(({ txid }) => txid === status.txid) ? "own" : "elsewhere";
  }
  const error = status.state === "broadcasting" ? status.lastError : null;
  if (error === null || !NOTE_TAKEN.has(error.code)) return null;
  return outbox.some((other) => other !== payment && competes(other, payment))
    ? "own"
    : "elsewhere";
}

/** The other payment's bytes may have left, and it spends one of the same notes. */
function competes({ status, txid, reserved }: Payment, payment: Payment): boolean {
  if (txid === null || status.state === "cancelled" || status.state === "conflicted") return false;
  return reserved.some(({ nullifier }) =>
    payment.reserved.some((note) => note.nullifier === nullifier),
  );
}
