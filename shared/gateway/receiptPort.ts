/** Interface to the receipts that a gateway keeps of payments (docs/light-client.md): LMDB beside a node, an invoice's object at an edge. */
import type { BlockHash, InvoiceId, NoteCommitment } from "../base/brand.ts";

/** A payment of an invoice, as a receipt shows it. */
export type ReceiptPlace = {
  readonly invoice: InvoiceId;
  /** Commitment of the note that pays. */
  readonly cmx: NoteCommitment;
  /** The chain block that accepts it. */
  readonly block: BlockHash;
};

/** The receipts. */
export interface ReceiptPort {
  /**
   * The file of the receipt of a payment, deterministic CBOR; null where none is kept for this block. Who may have it is for its caller
   * to decide. Rejects with `store/…`, `http/unavailable`.
   */
  receipt(place: ReceiptPlace): Promise<Uint8Array<ArrayBuffer> | null>;
}
