/** The most that can leave a wallet now, over as many transactions as that takes. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import { notesStanding } from "./planner.ts";
import { feeOf } from "./settle.ts";
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

/** The most that these notes can pay one payee, in so many transactions at most. Throws `codec/number-out-of-range`. */
export function capacityOf(
  from: readonly OwnNote[],
  { maxSpends }: Pick<WalletPolicy, "maxSpends">,
  feeFloor: bigint,
  most = Number.POSITIVE_INFINITY,
): TransferCapacity {
  // As `NoteLadder.load` takes them, over values alone: a wallet may have tens of thousands, and this is asked with every block.
  const values = BigUint64Array.from(from, ({ value }) => value).toSorted();
  const fees = Array.from({ length: maxSpends }, (_, index) => feeOf(index + 1, 1, feeFloor));
  let [amount, fee, notes, transactions] = [0n, 0n, 0, 0];
  for (;;) {
    const load =
      transactions < most ? largestLoad(values.subarray(0, values.length - notes), fees) : null;
    if (load === null) return { amount: asSompi(amount), fee: asSompi(fee), notes, transactions };
    amount += load.room;
    fee += load.fee;
    notes += load.count;
    transactions += 1;
  }
}

/** As many of the largest as carry most in one transaction; null when no number of them is worth its fee. Values rise. */
function largestLoad(values: BigUint64Array, fees: readonly bigint[]) {
  let best: { readonly count: number; readonly room: bigint; readonly fee: bigint } | null = null;
  let sum = 0n;
  for (const [index, fee] of fees.entries()) {
    const value = values[values.length - 1 - index];
    if (value === undefined) break;
    sum += value;
    if (sum - fee > (best?.room ?? 0n)) best = { count: index + 1, room: sum - fee, fee };
  }
  return best;
}
