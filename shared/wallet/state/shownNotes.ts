/** The notes of a payment that its wallet can show: what it received, and what it paid to others. */
import type { LeafPosition, TxId } from "../../base/brand.ts";
import type { ReceiptNote } from "../../light/coreReceipts.ts";
import type { Payment } from "./payment.ts";
import type { OwnNote } from "./walletState.ts";

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

/** The notes that it paid to others. None of what an older program signed, which kept no nullifiers, or another one with these keys. */
export function sentNotes({ payment }: Pick<KnownPayment, "payment">): readonly ShownNote[] {
  const { outputs = [], reserved = [] } = payment ?? {};
  const above = reserved.reduce((most, { position }) => (position > most ? position : most), 0n);
  return outputs.flatMap(({ index, recipient, value, rseed, rho }) => {
    if (rho === undefined) return [];
    return [{ kind: "sent" as const, index, recipient, value, rseed, rho, position: null, above }];
  });
}

/** The notes that it received. Change is nobody's payment; a note that was spent long ago is not remembered. */
export function ownNotes({
  txid,
  notes,
}: Pick<KnownPayment, "txid" | "notes">): readonly ShownNote[] {
  return notes.flatMap((note) => {
    const { kind, outputIndex: index, recipient, value, rho, rseed, position } = note;
    if (note.txid !== txid || kind === "change") return [];
    return [{ kind, index, recipient, value, rho, rseed, position, above: position }];
  });
}
