/**
 * Index of a wallet's notes: what each block asks of all of them. Making one takes many milliseconds for 60,000 notes, so it is made
 * once and goes from state to state: whoever takes it changes it, and gives it back with the notes that it then belongs to.
 */
import type { Nullifier } from "../../base/brand.ts";
import type { OwnNote } from "../state/walletState.ts";

/** The notes by nullifier. */
export type NoteIndex = {
  /** Positions of the unspent ones. */
  readonly unspent: Map<Nullifier, bigint>;
  /** All of them, spent or not. */
  readonly known: Set<Nullifier>;
  /** What the unspent ones are worth together, in sompi. */
  worth: bigint;
};

const INDEXES = new WeakMap<readonly OwnNote[], NoteIndex>();

/** Takes the index of these notes; makes it where nobody gave one back. */
export function takeNoteIndex(notes: readonly OwnNote[]): NoteIndex {
  const given = INDEXES.get(notes);
  INDEXES.delete(notes);
  if (given !== undefined) return given;
  const index: NoteIndex = { unspent: new Map(), known: new Set(), worth: 0n };
  for (const { nullifier, position, value, spentBy } of notes) {
    index.known.add(nullifier);
    if (spentBy !== null) continue;
    index.unspent.set(nullifier, position);
    index.worth += value;
  }
  return index;
}

/** Gives an index back, which has to be that of these notes. */
export function giveNoteIndex(notes: readonly OwnNote[], index: NoteIndex): void {
  INDEXES.set(notes, index);
}

/** Makes the index of these notes ahead of the first block that asks for it. */
export function readyNoteIndex(notes: readonly OwnNote[]): void {
  giveNoteIndex(notes, takeNoteIndex(notes));
}

/** Removes spent notes, except those to be `kept`; an index of the notes is updated with them. */
export function withoutSpent(
  notes: readonly OwnNote[],
  kept: (note: OwnNote) => boolean,
): readonly OwnNote[] {
  const gone = notes.filter((note) => note.spentBy !== null && !kept(note));
  if (gone.length === 0) return notes;
  const left = notes.filter((note) => note.spentBy === null || kept(note));
  const index = INDEXES.get(notes);
  if (index !== undefined) {
    INDEXES.delete(notes);
    for (const { nullifier } of gone) index.known.delete(nullifier);
    INDEXES.set(left, index);
  }
  return left;
}

/** Where the note at this position stands among notes, which are ordered by it; -1 for none. */
export function placeOfNote(notes: readonly OwnNote[], position: bigint): number {
  let [low, high] = [0, notes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const note = notes[middle];
    if (note !== undefined && note.position < position) low = middle + 1;
    else high = middle;
  }
  return notes[low]?.position === position ? low : -1;
}
