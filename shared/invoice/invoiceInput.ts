/** What happens to an invoice: facts about payments, time, and what its merchant does. */
import type { BlockHash, BlueScore, NoteCommitment, Sompi, TimestampMs } from "../base/brand.ts";
import type { WorkLadder } from "../light/workLadder.ts";
import type { AcceptingBlock, InvoiceMark, InvoiceQuote, PaymentOutput } from "./invoice.ts";

/** A fact or a wish. Each may come again: what is already so changes nothing. */
export type InvoiceInput =
  /** A chain block accepted it. */
  | { readonly kind: "mined"; readonly output: PaymentOutput; readonly block: AcceptingBlock }
  /** That block is no longer on the chain. */
  | { readonly kind: "orphaned"; readonly output: PaymentOutput; readonly block: BlockHash }
  /** A node's pool holds it. */
  | { readonly kind: "waiting"; readonly output: PaymentOutput }
  /** The pool does not hold it any more. */
  | { readonly kind: "gone"; readonly output: PaymentOutput }
  /**
   * Whether a receipt is kept of the payment with this commitment. Nothing is said of a payment that this block does not accept: one that
   * is in another block has another receipt, or none.
   */
  | {
      readonly kind: "receipt";
      readonly cmx: NoteCommitment;
      readonly block: BlockHash;
      readonly isKept: boolean;
    }
  /** Nothing but time and tip. */
  | { readonly kind: "look" }
  | { readonly kind: "mark"; readonly mark: InvoiceMark | null }
  | { readonly kind: "archive"; readonly archived: boolean }
  /** More time, at the same amount or at a new one. */
  | {
      readonly kind: "extend";
      readonly expiresMs: TimestampMs;
      readonly amount: Sompi;
      readonly quote: InvoiceQuote | null;
    }
  | { readonly kind: "metadata"; readonly metadata: Readonly<Record<string, string>> };

/** When it happens. */
export type InvoiceMoment = {
  readonly nowMs: TimestampMs;
  /** When a scanner saw what is told, where it is known to be earlier; `nowMs` when left out. */
  readonly seenMs?: TimestampMs;
  /** Blue score of the sink; null where no tip is known: nothing is settled then. */
  readonly tip: BlueScore | null;
  /** What was proved of the chain below the tip: nothing else is settled. Depth alone decides where it is left out or null. */
  readonly ladder?: WorkLadder | null;
};
