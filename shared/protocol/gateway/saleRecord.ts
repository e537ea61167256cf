/** The record of a sale as its till reads it: an invoice that a till made, with its tip. It has no order, address or transaction. */
import * as v from "valibot";
import {
  flagOf,
  integer,
  integerOf,
  sompiOf,
  text,
  textOf,
  word,
} from "../contract/answerFields.ts";
import { INVOICE_STATUSES } from "./invoiceRecord.ts";

/** The price of a sale that was rung up in a currency, with the rate that was frozen for it. */
const salePrice = v.object({
  currency: text,
  value: textOf("The price with its tip, as decimal text."),
  tip: textOf("The tip of it, as decimal text."),
  rate: textOf("Price of one coin in that currency, as decimal text."),
  source: textOf("Who told the rate."),
  time: integerOf("When the rate was told."),
});

/** The record. */
export const sale = v.object({
  id: textOf("The id of the invoice: its checkout shows what the customer pays."),
  status: word(INVOICE_STATUSES, "See the states of an invoice."),
  amountSompi: sompiOf("What is to be paid, with its tip."),
  tipSompi: sompiOf("The tip of it."),
  paidSompi: sompiOf("All payments that are on the chain, late ones too."),
  overpaidSompi: sompiOf("What was paid above the amount."),
  late: v.optional(flagOf("A payment came after the time to pay."), false),
  price: v.optional(v.nullable(salePrice), null),
  createdAt: integer,
  expiresAt: integerOf("From then on a payment is late."),
});

/** The record as a client reads it. */
export type SaleRecord = v.InferOutput<typeof sale>;
