/** The notes of a payment that its wallet can show: what it received, and what it paid to others. */
import type { LeafPosition, TxId } from "@svc/shared/base/brand.ts";
import type { ReceiptNote } from "@svc/shared/light/coreReceipts.ts";
import type { Payment } from "@svc/shared/wallet/state/payment.ts";
import type { OwnNote } from "@svc/shared/wallet/state/walletState.ts";

/** A note with all that makes it; where it stands in the tree is known of one's own notes alone. */
export type ShownNote = Omit<ReceiptNote, "position"> & {
  readonly kind: "coinbase" | "received" | "sent";
  /** Index of its action, or of the mined output. */
  readonly index: number;
  readonly position: LeafPosition | null;
  /** Leaves below this position are older than the note. */
  readonly above: bigint;
};

/** What a wallet knows of a payment. */
export type KnownPayment = {
  readonly txid: TxId;
  readonly payment: Payment | undefined;
  readonly notes: readonly OwnNote[];
};

/**
 * The note with this index, or with the lowest of all where it is null; undefined for none. Change is nobody's payment. A note that
 * was spent long ago is not remembered, and of what an older program signed the nullifiers are not.
 */
export function shownNote(known: KnownPayment, index: number | null): ShownNote | undefined {
  const all = [...sentNotes(known), ...ownNotes(known)];
  if (index !== null) return all.find((note) => note.index === index);
  return all.toSorted((a, b) => a.index - b.index)[0];
}

function sentNotes({ payment }: KnownPayment): readonly ShownNote[] {
  const { outputs = [], reserved = [] } = payment ?? {};
  const above = reserved.reduce((most, { position }) => (position > most ? position : most), 0n);
  return outputs.flatMap(({ index, recipient, value, rseed, rho }) => {
    if (rho === undefined) return [];
    return [{ kind: "sent" as const, index, recipient, value, rseed, rho, position: null, above }];
  });
}

function ownNotes({ txid, notes }: KnownPayment): readonly ShownNote[] {
  return notes.flatMap((note) => {
    const { kind, outputIndex: index, recipient, value, rho, rseed, position } = note;
    if (note.txid !== txid || kind === "change") return [];
    return [{ kind, index, recipient, value, rho, rseed, position, above: position }];
  });
}
