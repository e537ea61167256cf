/** A payment that a receipt can be made of, and the receipts that were: plain data between scan, tables and desks. */
import type {
  BlockHash,
  ChainIndex,
  NoteCommitment,
  ViewingKeyId,
} from "@svc/shared/base/brand.ts";
import type { ReceiptNote } from "@svc/shared/light/coreReceipts.ts";

/** A note that a block of the chain made for an address. */
export type PaidNote = {
  readonly key: ViewingKeyId;
  /** Index of the address that it pays. */
  readonly index: number;
  readonly cmx: NoteCommitment;
  /** The chain block that accepts the payment. */
  readonly block: BlockHash;
  readonly chainIndex: ChainIndex;
  /** What opens it. Its randomness goes into receipts, and nowhere else. */
  readonly note: ReceiptNote;
};

/** A receipt of a payment. */
export type MadeReceipt = {
  readonly paid: PaidNote;
  /** The file. */
  readonly bytes: Uint8Array;
  /** Chain index of the state that it shows; the header that it stands on is one above. */
  readonly state: ChainIndex;
  /** Hashes that its header shows, on average. */
  readonly work: bigint;
};

/** What becomes of the receipt of a payment: its file, or null where the one that was made stands on a header that left the chain. */
export type ReceiptFact = Pick<PaidNote, "key" | "index" | "cmx" | "block"> & {
  readonly bytes: Uint8Array | null;
};
