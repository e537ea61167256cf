/** The sums of one transaction: its fee, its change, and the orders in which notes are taken. */
import { asSompi, type Sompi } from "../../base/brand.ts";
import { actionCount, walletFee } from "../state/fee.ts";
import { sumOfNotes, type OwnNote } from "../state/walletState.ts";

/** Notes that suffice, with what they pay. */
export type NoteChoice = {
  readonly notes: readonly OwnNote[];
  readonly fee: Sompi;
  /** Comes back to address 0; no output is made for zero. */
  readonly change: Sompi;
};

/** What is paid from the notes of one transaction. */
export type Outgoing = {
  readonly amount: bigint;
  /** Number of outputs, the change not counted. */
  readonly payees: number;
  /** The least fee that the owner wants to pay. */
  readonly feeFloor: bigint;
};

/** The fee of a transaction with so many spends and outputs: what its size demands, or the floor where that is more. */
export function feeOf(spends: number, outputs: number, feeFloor: bigint): Sompi {
  const fee = walletFee(actionCount(spends, outputs));
  return feeFloor > fee ? asSompi(feeFloor) : fee;
}

/**
 * Fee and change of these notes, or null when they do not suffice. A rest too small to pay for
 * its own change output is not enough either: the fee is never more than size and floor demand.
 */
export function settle(notes: readonly OwnNote[], outgoing: Outgoing): NoteChoice | null {
  const sums = settleSum(sumOfNotes(notes), notes.length, outgoing);
  return sums === null ? null : { notes: [...notes], ...sums };
}

/** The same for so many notes of this sum. */
export function settleSum(
  sum: bigint,
  spends: number,
  { amount, payees, feeFloor }: Outgoing,
): Omit<NoteChoice, "notes"> | null {
  const left = sum - amount;
  const exact = feeOf(spends, payees, feeFloor);
  if (left === exact) return { fee: exact, change: asSompi(0n) };
  const fee = feeOf(spends, payees + 1, feeFloor);
  return left > fee ? { fee, change: asSompi(left - fee) } : null;
}

/** Larger values first; of equal ones the older. */
export function largestFirst(a: OwnNote, b: OwnNote): number {
  return a.value === b.value ? olderFirst(a, b) : a.value > b.value ? -1 : 1;
}

/** Smaller values first; of equal ones the older. */
export function smallestFirst(a: OwnNote, b: OwnNote): number {
  return a.value === b.value ? olderFirst(a, b) : a.value < b.value ? -1 : 1;
}

/** Lower positions first. */
export function olderFirst(a: OwnNote, b: OwnNote): number {
  return a.position < b.position ? -1 : 1;
}
