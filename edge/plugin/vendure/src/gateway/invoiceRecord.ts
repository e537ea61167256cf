import { sompiOf } from "../base/money.ts";

/** The states of an invoice. An order is fulfilled for `confirmed` and `overpaid` alone. */
export const INVOICE_STATUSES = [
  "new",
  "partial",
  "paid",
  "confirmed",
  "overpaid",
  "expired",
  "paidLate",
] as const;

/** A state of an invoice. */
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** The part of an invoice that the plugin reads. Amounts are in sompi, times in Unix seconds. */
export type InvoiceRecord = {
  readonly id: string;
  readonly orderId: string;
  readonly amountSompi: bigint;
  readonly paidSompi: bigint;
  readonly overpaidSompi: bigint;
  readonly status: InvoiceStatus;
  readonly checkoutUrl: string;
  readonly expiresAt: number;
  /** Grows with each change. */
  readonly version: number;
  /** Enough is paid and as deep as asked, late payments counted. */
  readonly isSettled: boolean;
  /** Somebody said by hand what it counts as. */
  readonly isMarked: boolean;
  /** A reorganisation took a confirmation back, and it has not come again. */
  readonly isReorged: boolean;
  /** The time to pay is over, and the amount did not come in it. */
  readonly isExpired: boolean;
};

/** A refund claim: who has its link names the address that the refund goes to. */
export type RefundClaim = {
  readonly id: string;
  readonly url: string;
  readonly amountSompi: bigint;
};

const INVOICE_ID = /^inv_[A-Za-z0-9_-]{1,128}$/;
const NAME = /^[A-Za-z0-9._-]{1,128}$/;

/** A value whose fields can be read; null for anything that is no object. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return isFields(value) ? value : null;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is the id of an invoice. */
export function isInvoiceId(value: unknown): value is string {
  return typeof value === "string" && INVOICE_ID.test(value);
}

/** Whether a value is an id or a word of the gateway. */
export function isName(value: unknown): value is string {
  return typeof value === "string" && NAME.test(value);
}

/** Whether a value is a state of an invoice. */
export function isInvoiceStatus(value: unknown): value is InvoiceStatus {
  return INVOICE_STATUSES.some((status) => status === value);
}

/** Reads the JSON of an answer; null for anything that is no invoice, also for a state that is not known here. */
export function parseInvoice(json: unknown): InvoiceRecord | null {
  const fields = fieldsOf(json) ?? {};
  const { id, orderId, status, checkoutUrl } = fields;
  const { expiresAt = 0, version = 0, marked = null } = fields;
  const amountSompi = sompiOf(fields["amountSompi"]);
  const paidSompi = sompiOf(fields["paidSompi"] ?? "0");
  const overpaidSompi = sompiOf(fields["overpaidSompi"] ?? "0");
  if (!isInvoiceId(id) || typeof orderId !== "string" || typeof checkoutUrl !== "string") {
    return null;
  }
  if (!isInvoiceStatus(status) || !isCount(expiresAt) || !isCount(version)) return null;
  if (amountSompi === null || paidSompi === null || overpaidSompi === null) return null;
  return {
    ...{ id, orderId, amountSompi, paidSompi, overpaidSompi, status, checkoutUrl },
    ...{ expiresAt, version },
    isSettled: fields["settled"] === true,
    isMarked: marked !== null,
    isReorged: fields["reorged"] === true,
    isExpired: status === "expired" || fields["expired"] === true,
  };
}

/** Reads the JSON of a refund; null for anything else. */
export function parseRefund(json: unknown): RefundClaim | null {
  const { id, claimUrl, amountSompi } = fieldsOf(json) ?? {};
  const amount = sompiOf(amountSompi);
  if (!isName(id) || typeof claimUrl !== "string" || amount === null) return null;
  return { id, url: claimUrl, amountSompi: amount };
}

/** Whether an order may be fulfilled for it. */
export function isFinal({ status }: InvoiceRecord): boolean {
  return status === "confirmed" || status === "overpaid";
}

/** Whether a value is a whole number of no sign. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
