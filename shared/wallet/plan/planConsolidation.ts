/**
 * Plans a consolidation: many notes become one, sent to the wallet's own address 0 (specification wallet 11.6).
 *
 * Its notes are all spent, so its fee is that of a transaction with as many actions as notes, or the floor.
 */
import { asSompi, type AddressText, type Sompi } from "../../base/brand.ts";
import { formatCoins } from "../../base/money.ts";
import { SvcError } from "../../base/svcError.ts";
import { spendableUnder, type PlannedPayment } from "./planner.ts";
import { feeOf, olderFirst, smallestFirst } from "./settle.ts";
import { spendability } from "./spendability.ts";
import { sumOfNotes, type OwnNote, type WalletState } from "../state/walletState.ts";
import type { WalletPolicy } from "../state/walletPolicy.ts";

/** What is to be merged. */
export type ConsolidationRequest = {
  /** Text form of address 0. */
  readonly address: AddressText;
  /** The least fee; the size may demand more. */
  readonly feeFloor: Sompi;
  /** `smallest`: dust first. `oldest`: lowest positions first, which moves the base of the note tree on. */
  readonly order: "smallest" | "oldest";
  /** The fee is one part in so many of what is merged, at most; left out where any merge will do that is worth more than its fee. */
  readonly costShare?: bigint;
};

/** One action of a bundle is never alone, so fewer notes than two merge nothing. */
const LEAST_NOTES = 2;

type Merge = { readonly notes: readonly OwnNote[]; readonly sum: Sompi; readonly fee: Sompi };

/**
 * Plans one merge of at most `policy.maxSpends` notes. Notes that are worth less than their merge are left out in favour of the
 * next ones, so dust that a stranger sent blocks nothing. Throws `wallet/nothing-to-consolidate` for fewer than two notes that
 * can be spent, and for notes that are together worth no more than the fee, or than `costShare` wants.
 */
export function planConsolidation(
  state: WalletState,
  policy: WalletPolicy,
  { address, feeFloor, order, costShare = 1n }: ConsolidationRequest,
): PlannedPayment {
  const view = spendability(state, policy);
  let best: Merge = { notes: [], sum: asSompi(0n), fee: feeOf(LEAST_NOTES, 1, feeFloor) };
  for (const anchor of [view.preferred, view.limit]) {
    if (anchor === null) continue;
    const compare = order === "oldest" ? olderFirst : smallestFirst;
    const ordered = spendableUnder(view, anchor).toSorted(compare);
    best = firstWorthwhile(ordered, policy, { feeFloor, costShare });
    const { notes, sum, fee } = best;
    if (!isWorthwhile(best, costShare)) continue;
    const { defaultAddress: recipient } = state.account;
    const payee = { address, recipient, value: asSompi(sum - fee), memo: "", own: true };
    return { payees: [payee], notes, anchor, fee, change: asSompi(0n) };
  }
  throw new SvcError("wallet/nothing-to-consolidate", {
    notes: best.notes.length,
    sum: formatCoins(best.sum),
    fee: formatCoins(best.fee),
  });
}

function isWorthwhile({ notes, sum, fee }: Merge, costShare: bigint): boolean {
  return notes.length >= LEAST_NOTES && sum > fee && sum >= fee * costShare;
}

/** The first notes in a row that are worth their merge; the last ones that were looked at when there are none. */
function firstWorthwhile(
  notes: readonly OwnNote[],
  { maxSpends }: WalletPolicy,
  { feeFloor, costShare }: { readonly feeFloor: Sompi; readonly costShare: bigint },
): Merge {
  const count = Math.min(maxSpends, notes.length);
  const fee = feeOf(count, 1, feeFloor);
  const merge = (from: number): Merge => {
    const chosen = notes.slice(from, from + count);
    return { notes: chosen, sum: sumOfNotes(chosen), fee };
  };
  const last = notes.length - count;
  let from = 0;
  while (from < last && !isWorthwhile(merge(from), costShare)) from += 1;
  return merge(from);
}
