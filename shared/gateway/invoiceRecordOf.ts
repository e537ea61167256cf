/** The record of an invoice as its merchant reads it (gateway sheet 2.3, 4.2), made from the invoice alone: the same in every host. */
import type { BlueScore, InvoiceId, NoteCommitment, TimestampMs } from "../base/brand.ts";
import { assessInvoice, isLatePayment } from "../invoice/assessInvoice.ts";
import { confirmationsOf } from "../invoice/confirmationsOf.ts";
import type { Invoice, InvoicePayment } from "../invoice/invoice.ts";
import type { INVOICE_WARNINGS } from "../protocol/gateway/invoiceRecord.ts";
import { MERCHANT_LIMITS } from "../protocol/merchantLimits.ts";
import { formatPaymentUri } from "../wallet/plan/paymentUri.ts";
import { walletFee } from "../wallet/state/fee.ts";

/** What a record says besides its invoice. */
export type RecordPlace = {
  /** Where payers reach the gateway, without a slash at its end. */
  readonly publicUrl: string;
  /** Name of the network, and whether its coins are worth something. */
  readonly network: string;
  readonly livemode: boolean;
  /** Blue score of the sink; null where none is known. */
  readonly tip: BlueScore | null;
  readonly nowMs: TimestampMs;
};

/** The record, as JSON. */
export function invoiceRecordOf(invoice: Invoice, place: RecordPlace) {
  const { terms } = invoice;
  const now = assessInvoice(invoice, place.nowMs);
  const { policy } = terms;
  const least = terms.amount - policy.toleranceUnder;
  return {
    id: terms.id,
    orderId: terms.orderId,
    address: terms.address.text,
    amountSompi: String(terms.amount),
    paidSompi: String(now.paid),
    dueSompi: String(now.due),
    confirmedSompi: String(now.settled),
    overpaidSompi: String(now.overpaid),
    seenSompi: String(now.seen),
    status: now.status,
    settled: now.settled >= least,
    late: now.late,
    expired: now.expired,
    reorged: invoice.told.reorged,
    archived: invoice.archived,
    marked: markOf(invoice),
    requiredBlueScore: Number(policy.requiredBlueScore),
    confirmations: Number(confirmationsOf(invoice, place.tip)),
    payments: paymentsOf(invoice, place).slice(-MERCHANT_LIMITS.paymentsShown).toReversed(),
    paymentUri: paymentUriOf(invoice, place.nowMs),
    checkoutUrl: `${place.publicUrl}/checkout/${terms.id}`,
    redirectUrl: terms.redirectUrl,
    metadata: terms.metadata,
    quote: quoteOf(invoice),
    warnings: warningsOf(invoice),
    version: invoice.version,
    livemode: place.livemode,
    network: place.network,
    createdAt: seconds(terms.createdMs),
    expiresAt: seconds(terms.expiresMs),
    monitorUntil: seconds(terms.expiresMs + policy.monitorMs),
    updatedAt: seconds(invoice.updatedMs),
    serverTime: seconds(place.nowMs),
  } as const;
}

/** The payments that an invoice lists, the one first heard of first. */
export function paymentsOf(invoice: Invoice, place: Pick<RecordPlace, "publicUrl">) {
  return invoice.payments.map((payment) => paymentOf(invoice, payment, place));
}

/** The settled payments of which a receipt is kept. */
export function withReceipts({ payments }: Invoice): readonly InvoicePayment[] {
  return payments.filter(({ settled, hasReceipt = false }) => settled && hasReceipt);
}

/** Address of the file of a receipt: its merchant's, or the payer's. */
export function receiptUrlOf(
  { publicUrl }: Pick<RecordPlace, "publicUrl">,
  reader: "invoices" | "checkout",
  id: InvoiceId,
  cmx: NoteCommitment,
): string {
  return `${publicUrl}/api/v1/${reader}/${id}/receipts/${cmx}`;
}

/** The link that a wallet pays what is still due with; the whole amount where nothing is due any more. */
export function paymentUriOf(invoice: Invoice, nowMs: TimestampMs): string {
  const { due } = assessInvoice(invoice, nowMs);
  const amount = due > 0n ? due : invoice.terms.amount;
  return formatPaymentUri({ address: invoice.terms.address.text, amount });
}

const STATES = { pool: "pool", mined: "mined", lost: "orphaned" } as const;

/** One payment of an invoice as its record lists it. */
export function paymentOf(
  invoice: Invoice,
  payment: InvoicePayment,
  host: Pick<RecordPlace, "publicUrl">,
) {
  const { output, place, seenMs, settled, hasReceipt = false } = payment;
  const { id } = invoice.terms;
  const block = place.kind === "mined" ? place.block : null;
  return {
    txid: output.txid,
    outputIndex: output.outputIndex,
    cmx: output.cmx,
    amountSompi: String(output.amount),
    state: STATES[place.kind],
    blockHash: block?.hash ?? null,
    blueScore: block === null ? null : Number(block.blueScore),
    daaScore: block === null ? null : Number(block.daaScore),
    blockTime: block === null ? null : seconds(block.timestampMs),
    firstSeenAt: seconds(seenMs),
    settled,
    late: isLatePayment(invoice, payment),
    receiptUrl: settled && hasReceipt ? receiptUrlOf(host, "invoices", id, output.cmx) : null,
  } as const;
}

function markOf({ mark }: Invoice) {
  return mark === null ? null : { as: mark.as, reason: mark.reason, at: seconds(mark.atMs) };
}

/** The fee of the smallest payment, 0.0186 coins: its payer spends more on it than he pays (gateway sheet 11). */
const SMALLEST_FEE = walletFee(1);

function warningsOf({ terms }: Invoice): readonly (typeof INVOICE_WARNINGS)[number][] {
  return terms.amount < SMALLEST_FEE ? ["belowNetworkFee"] : [];
}

function quoteOf({ terms }: Invoice) {
  if (terms.quote === null) return null;
  const { quotedMs, ...quote } = terms.quote;
  return { ...quote, time: seconds(quotedMs) };
}

/** Unix seconds of ms, rounded down. */
export function seconds(ms: bigint): number {
  return Number(ms / 1_000n);
}
