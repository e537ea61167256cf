/**
 * Payees, amount, fee and memo of a payment that this wallet has no record of, from the outputs that its outgoing viewing key read back:
 * after a restore, or of another program with the same seed (specification wallet 14.2).
 */
import { asSompi } from "../../base/brand.ts";
import { walletFee } from "../state/fee.ts";
import { readMemo } from "../state/memo.ts";
import type { Payee } from "../state/payment.ts";
import type { SentOutput } from "../state/scanFacts.ts";
import type { HistoryRow } from "../state/walletState.ts";

/** What is known of such a payment. */
export type ReadBack = Pick<
  HistoryRow,
  "amount" | "fee" | "counterparty" | "memo" | "memoKnown" | "payees"
>;

/** A transaction of ours: what left the wallet with it, in sompi, how many actions it has, and its outputs that could be read back. */
export type SentTransaction = {
  readonly left: bigint;
  readonly actions: number;
  readonly sent: readonly SentOutput[];
};

/**
 * Payee, memo, amount and fee; null where nothing was read back, or more than left the wallet. The fee is known where the outputs and the
 * fee of that size are all that left: otherwise there may be outputs that cannot be read, and the amount is all that left.
 */
export function readBack({ left, actions, sent }: SentTransaction): ReadBack | null {
  const [first] = sent;
  const paid = sent.reduce((sum, { value }) => sum + value, 0n);
  if (first === undefined || paid > left) return null;
  const fee = walletFee(actions);
  const isWhole = paid + fee === left;
  return {
    amount: asSompi(isWhole ? paid : left),
    fee: isWhole ? fee : null,
    counterparty: first.address,
    memo: sent.find(({ memo }) => readMemo(memo).kind !== "empty")?.memo ?? "",
    payees: sent.map(payeeOf),
  };
}

function payeeOf({ address, recipient, value, memo }: SentOutput): Payee {
  return { address, recipient, value, memo, own: false };
}
