/** Finds an invoice by its id, for its payer or for its merchant, and the record that a payer is shown. */
import { asInvoiceId } from "../base/brand.ts";
import { SvcError } from "../base/svcError.ts";
import type { Invoice } from "../invoice/invoice.ts";
import { checkoutRecordOf } from "./checkoutRecordOf.ts";
import type { InvoicePort, Merchant, MerchantKey, MerchantPort } from "./gatewayPorts.ts";
import type { RecordPlace } from "./invoiceRecordOf.ts";

/** Where it is looked for. */
export type CheckoutSource = {
  readonly invoices: Pick<InvoicePort, "find">;
  readonly merchants: Pick<MerchantPort, "merchant">;
  readonly place: () => RecordPlace;
};

/** The invoice with this id. Rejects with `gateway/no-invoice`. */
export async function findInvoice(
  id: string,
  { invoices }: Pick<CheckoutSource, "invoices">,
): Promise<Invoice> {
  const invoice = await invoices.find(asInvoiceId(id));
  if (invoice === null) throw new SvcError("gateway/no-invoice", {});
  return invoice;
}

/** An invoice of the merchant of a key; those of others are answered as unknown ones. Rejects with `gateway/no-invoice`. */
export async function keyedInvoice(
  id: string,
  { merchant }: MerchantKey,
  { invoices }: Pick<CheckoutSource, "invoices">,
): Promise<Invoice> {
  const invoice = await invoices.find(asInvoiceId(id));
  if (invoice?.terms.merchant !== merchant.id) throw new SvcError("gateway/no-invoice", {});
  return invoice;
}

/** The merchant of an invoice. Rejects with `gateway/no-invoice`. */
export async function merchantOf(
  { terms }: Invoice,
  { merchants }: CheckoutSource,
): Promise<Merchant> {
  const merchant = await merchants.merchant(terms.merchant);
  if (merchant === null) throw new SvcError("gateway/no-invoice", {});
  return merchant;
}

/** The record of an invoice. Rejects with `gateway/no-invoice`. */
export async function checkoutOf(invoice: Invoice, source: CheckoutSource) {
  const { look } = await merchantOf(invoice, source);
  return checkoutRecordOf(invoice, source.place(), look);
}
