/** The most that can leave a wallet now, over as many transactions as that takes. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import { NoteLadder } from "./noteLadder.ts";
import { notesStanding } from "./planner.ts";
import { spendability } from "./spendability.ts";
import type { OwnNote, WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** The most that can be paid, and what that takes; all zero when nothing can be paid. */
export type TransferCapacity = {
  readonly amount: Sompi;
  /** Of all transactions together. */
  readonly fee: Sompi;
  readonly notes: number;
  readonly transactions: number;
};

/** The most that one payee can be paid now, each transaction with at least this fee. Throws `codec/number-out-of-range`. */
export function maxSendableTransfer(
  state: WalletState,
  policy: WalletPolicy,
  feeFloor: Sompi,
): TransferCapacity {
  const view = spendability(state, policy);
  return capacityOf(notesStanding(view, "spendable"), policy, feeFloor);
}

/** The most that these notes can pay one payee. Throws `codec/number-out-of-range`. */
export function capacityOf(
  from: readonly OwnNote[],
  { maxSpends }: Pick<WalletPolicy, "maxSpends">,
  feeFloor: bigint,
): TransferCapacity {
  const ladder = new NoteLadder(from, maxSpends);
  let [amount, sum, notes, transactions] = [0n, 0n, 0, 0];
  for (;;) {
    const load = ladder.load(feeFloor);
    if (load.room === 0n) {
      return { amount: asSompi(amount), fee: asSompi(sum - amount), notes, transactions };
    }
    ladder.take(0, load.notes.length);
    amount += load.room;
    for (const { value } of load.notes) sum += value;
    notes += load.notes.length;
    transactions += 1;
  }
}
