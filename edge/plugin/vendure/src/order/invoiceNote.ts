import type { Payment } from "@vendure/core";
import {
  fieldsOf,
  isCount,
  isInvoiceId,
  isInvoiceStatus,
  isName,
  type InvoiceRecord,
  type InvoiceStatus,
} from "../gateway/invoiceRecord.ts";
import { sompiOf } from "../base/money.ts";

/** What was applied last of an invoice. */
export type InvoiceFacts = {
  readonly status: InvoiceStatus;
  readonly version: number;
  readonly paidSompi: string;
  readonly isReorged: boolean;
  readonly isExpired: boolean;
};

/** A refund claim that was opened. Who has its URL can claim the money: it is for the merchant's eyes, who hands it on. */
export type NotedClaim = { readonly id: string; readonly url: string; readonly sompi: string };

/** What a payment keeps of its invoice, in the part of its metadata that the shop API does not show. It holds no secret. */
export type InvoiceNote = {
  readonly invoice: string;
  readonly amountSompi: string;
  /** What the invoice is for, in the order's currency: to be compared with `priceOf`. */
  readonly price: string;
  /** Id of the channel in which the payment was made. */
  readonly channel: string;
  /** Number of the attempt to pay the order. */
  readonly attempt: number;
  readonly checkoutUrl: string;
  readonly expiresAt: number;
  readonly facts: InvoiceFacts | null;
  /** Unix seconds at which the gateway was last asked. */
  readonly readAt: number;
  /** Ids of the last events that were processed. */
  readonly events: readonly string[];
  /** The payment was settled for this invoice. */
  readonly isFulfilled: boolean;
  /** A reorganisation took the confirmation back since. */
  readonly isTakenBack: boolean;
  readonly claims: readonly NotedClaim[];
};

/** The facts of a record. */
export function factsOf(record: InvoiceRecord): InvoiceFacts {
  const { status, version, isReorged, isExpired } = record;
  return { status, version, isReorged, isExpired, paidSompi: String(record.paidSompi) };
}

/** Whether a record says what was applied already, so that there is nothing to do. */
export function saysTheSame(facts: InvoiceFacts, record: InvoiceRecord): boolean {
  const told = factsOf(record);
  return (
    facts.status === told.status &&
    facts.paidSompi === told.paidSompi &&
    facts.isReorged === told.isReorged &&
    facts.isExpired === told.isExpired
  );
}

/** The metadata of a payment: the note, and what the customer may see of it. */
export function metadataOf(note: InvoiceNote): Payment["metadata"] {
  const { invoice, checkoutUrl, amountSompi, expiresAt, facts } = note;
  const status = facts?.status ?? "new";
  return {
    svc: { ...note, events: [...note.events], claims: [...note.claims] },
    public: { checkoutUrl, invoiceId: invoice, amountSompi, expiresAt, status },
  };
}

/** Reads what `metadataOf` gave; null for the metadata of another payment. */
export function noteOf({ metadata }: Pick<Payment, "metadata">): InvoiceNote | null {
  const fields = fieldsOf(fieldsOf(metadata)?.["svc"]);
  if (fields === null) return null;
  const { invoice, amountSompi, price, channel, attempt, checkoutUrl, expiresAt } = fields;
  if (!isInvoiceId(invoice) || typeof amountSompi !== "string" || sompiOf(amountSompi) === null) {
    return null;
  }
  if (typeof price !== "string" || typeof channel !== "string" || typeof checkoutUrl !== "string") {
    return null;
  }
  if (!isCount(attempt) || !isCount(expiresAt)) return null;
  const { readAt, events, claims } = fields;
  return {
    ...{ invoice, amountSompi, price, channel, attempt, checkoutUrl, expiresAt },
    facts: parseFacts(fields["facts"]),
    readAt: isCount(readAt) ? readAt : 0,
    events: Array.isArray(events) ? events.filter(isName) : [],
    isFulfilled: fields["isFulfilled"] === true,
    isTakenBack: fields["isTakenBack"] === true,
    claims: Array.isArray(claims) ? claims.flatMap(parseClaim) : [],
  };
}

function parseFacts(value: unknown): InvoiceFacts | null {
  const { status, version, paidSompi, isReorged, isExpired } = fieldsOf(value) ?? {};
  if (!isInvoiceStatus(status) || !isCount(version) || typeof paidSompi !== "string") return null;
  return {
    status,
    version,
    paidSompi,
    isReorged: isReorged === true,
    isExpired: isExpired === true,
  };
}

function parseClaim(value: unknown): readonly NotedClaim[] {
  const { id, url, sompi } = fieldsOf(value) ?? {};
  const isRight = isName(id) && typeof url === "string" && typeof sompi === "string";
  return isRight && sompiOf(sompi) !== null ? [{ id, url, sompi }] : [];
}
