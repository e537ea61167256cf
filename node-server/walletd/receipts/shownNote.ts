/** Which note of a payment a receipt shows. */
import {
  ownNotes,
  sentNotes,
  type KnownPayment,
  type ShownNote,
} from "@svc/shared/wallet/state/shownNotes.ts";

/** The note with this index, or with the lowest of all where it is null; undefined for none. */
export function shownNote(known: KnownPayment, index: number | null): ShownNote | undefined {
  const all = [...sentNotes(known), ...ownNotes(known)];
  if (index !== null) return all.find((note) => note.index === index);
  return all.toSorted((a, b) => a.index - b.index)[0];
}
