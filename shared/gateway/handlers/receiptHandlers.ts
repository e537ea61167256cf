/**
 * Handlers of the receipts of an invoice's payments: for its merchant, and for whoever knows its id, as the payer does. A payment that
 * is not as deep as the invoice asks has none yet.
 */
import { SvcError } from "../../base/svcError.ts";
import type { Invoice, InvoicePayment } from "../../invoice/invoice.ts";
import { receiptText } from "../../signer/airgap/receiptText.ts";
import { findInvoice, keyedInvoice } from "../findCheckout.ts";
import { FileAnswer, type GatewayHandlers } from "../gatewayHandlers.ts";
import type { InvoicePort } from "../gatewayPorts.ts";
import { receiptUrlOf, type RecordPlace } from "../invoiceRecordOf.ts";
import type { ReceiptPort } from "../receiptPort.ts";

/** Dependencies. */
export type ReceiptHandlerParts = {
  readonly invoices: Pick<InvoicePort, "find">;
  readonly receipts: ReceiptPort;
  readonly place: () => Pick<RecordPlace, "publicUrl">;
};

type Rows = "invoiceReceipts" | "invoiceReceipt" | "checkoutReceipts" | "checkoutReceipt";

/** Who reads: it decides under which address the files are. */
type Reader = "invoices" | "checkout";

/** Characters of a commitment in the name of a file. */
const NAMED = 8;

/** Makes the handlers. */
export function receiptHandlers(parts: ReceiptHandlerParts): Pick<GatewayHandlers, Rows> {
  return {
    invoiceReceipts: async ({ key, params, query }) =>
      listed(parts, await keyedInvoice(params.id, key, parts), "invoices", query),
    invoiceReceipt: async ({ key, params }) =>
      fileOf(parts, await keyedInvoice(params.id, key, parts), params.cmx),
    checkoutReceipts: async ({ params, query }) =>
      listed(parts, await findInvoice(params.id, parts), "checkout", query),
    checkoutReceipt: async ({ params }) =>
      fileOf(parts, await findInvoice(params.id, parts), params.cmx),
  };
}

/** The settled payments, the newest first, each with its receipt where there is one. */
async function listed(
  parts: ReceiptHandlerParts,
  invoice: Invoice,
  reader: Reader,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
) {
  const all = invoice.payments.filter(({ settled }) => settled).toReversed();
  const from = Number(cursor ?? 0);
  const next = from + limit;
  const shown = all.slice(from, next).map((payment) => rowOf(parts, invoice, payment, reader));
  return {
    receipts: await Promise.all(shown),
    next: next < all.length ? String(next) : null,
  };
}

async function rowOf(
  parts: ReceiptHandlerParts,
  invoice: Invoice,
  payment: InvoicePayment,
  reader: Reader,
) {
  const { output, place } = payment;
  const bytes = await receiptOf(parts, invoice, payment);
  const url = bytes && receiptUrlOf(parts.place(), reader, invoice.terms.id, output.cmx);
  return {
    cmx: output.cmx,
    amountSompi: String(output.amount),
    blockHash: place.kind === "mined" ? place.block.hash : null,
    receipt: bytes && receiptText(bytes),
    receiptUrl: url,
  };
}

async function fileOf(parts: ReceiptHandlerParts, invoice: Invoice, cmx: string) {
  const payment = invoice.payments.find(({ output }) => output.cmx === cmx);
  const bytes = payment === undefined ? null : await receiptOf(parts, invoice, payment);
  if (bytes === null) throw new SvcError("gateway/no-receipt", {});
  const name = `receipt-${invoice.terms.id}-${cmx.slice(0, NAMED)}.cbor`;
  return new FileAnswer(bytes, name);
}

async function receiptOf(
  { receipts }: ReceiptHandlerParts,
  { terms }: Invoice,
  { output, place, settled, hasReceipt }: InvoicePayment,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (!settled || place.kind !== "mined" || hasReceipt !== true) return null;
  return receipts.receipt({ invoice: terms.id, cmx: output.cmx, block: place.block.hash });
}
