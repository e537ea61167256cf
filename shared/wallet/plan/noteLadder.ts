/**
 * The notes that several transactions share out among themselves, largest first. A note that one has taken is gone for the
 * others.
 *
 * `choose` picks what the planner of single payments would pick from the same notes, without looking at all of them again.
 */
import { feeOf, largestFirst, settleSum, type NoteChoice, type Outgoing } from "./settle.ts";
import type { OwnNote } from "../state/walletState.ts";

/** Notes of a ladder, one beside the other, that are enough for something. */
export type LadderChoice = NoteChoice & {
  /** Rung of the first of them. */
  readonly from: number;
};

/** What the largest notes can carry in one transaction that has no change. */
export type LadderLoad = {
  readonly notes: readonly OwnNote[];
  /** Their sum less the fee; 0 when no number of them is worth its fee. */
  readonly room: bigint;
};

/** The notes that are left, largest first. */
export class NoteLadder {
  #notes: OwnNote[];
  readonly #maxSpends: number;

  /** `maxSpends`: most notes of one transaction. */
  constructor(notes: readonly OwnNote[], maxSpends: number) {
    this.#notes = notes.toSorted(largestFirst);
    this.#maxSpends = maxSpends;
  }

  /** The smallest single note that is enough, otherwise the fewest of the largest; null when those of one transaction are not. */
  choose(outgoing: Outgoing): LadderChoice | null {
    return this.#single(outgoing) ?? this.#largest(outgoing);
  }

  /** As many of the largest notes as carry most, for a transaction to one payee without change. */
  load(feeFloor: bigint): LadderLoad {
    let best = { count: 0, room: 0n };
    let sum = 0n;
    for (const [index, { value }] of this.#notes.slice(0, this.#maxSpends).entries()) {
      sum += value;
      const room = sum - feeOf(index + 1, 1, feeFloor);
      if (room > best.room) best = { count: index + 1, room };
    }
    return { notes: this.#notes.slice(0, best.count), room: best.room };
  }

  /** Takes so many notes from a rung on. */
  take(from: number, count: number): void {
    this.#notes.splice(from, count);
  }

  /** Of equal notes the older; an exact one before one that leaves change. */
  #single(outgoing: Outgoing): LadderChoice | null {
    const { amount, payees, feeFloor } = outgoing;
    const exact = amount + feeOf(1, payees, feeFloor);
    const fitting = this.#firstAtMost(exact);
    if (this.#notes[fitting]?.value === exact) return this.#settled(fitting, outgoing);
    const larger = this.#notes[this.#firstAtMost(amount + feeOf(1, payees + 1, feeFloor)) - 1];
    return larger === undefined ? null : this.#settled(this.#firstAtMost(larger.value), outgoing);
  }

  #settled(rung: number, outgoing: Outgoing): LadderChoice | null {
    const notes = this.#notes.slice(rung, rung + 1);
    const sums = settleSum(notes[0]?.value ?? 0n, notes.length, outgoing);
    return sums === null ? null : { from: rung, notes, ...sums };
  }

  #largest(outgoing: Outgoing): LadderChoice | null {
    let sum = 0n;
    for (const [index, { value }] of this.#notes.slice(0, this.#maxSpends).entries()) {
      sum += value;
      const sums = settleSum(sum, index + 1, outgoing);
      if (sums !== null) return { from: 0, notes: this.#notes.slice(0, index + 1), ...sums };
    }
    return null;
  }

  /** Rung of the first note that is not larger than `value`; the number of notes when all are. */
  #firstAtMost(value: bigint): number {
    let low = 0;
    let high = this.#notes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const note = this.#notes[middle];
      if (note !== undefined && note.value > value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
