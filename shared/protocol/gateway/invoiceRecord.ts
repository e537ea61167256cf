/**
 * The record of an invoice as merchants read it. Amounts are decimal text, times are Unix seconds. A client that finds a field
 * absent takes the value that promises least: nothing is confirmed, settled or paid.
 */
import * as v from "valibot";
import {
  flagOf,
  hex,
  integer,
  integerOf,
  sompi,
  sompiOf,
  text,
  textOf,
  txid,
  word,
} from "../contract/answerFields.ts";
import { MERCHANT_LIMITS } from "../merchantLimits.ts";

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

/** What a merchant should know of the terms of an invoice. Further ones may come. */
export const INVOICE_WARNINGS = ["belowNetworkFee"] as const;

/** A state of an invoice. */
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** Whether a word is a state of an invoice. */
export function isInvoiceStatus(text: string): text is InvoiceStatus {
  return INVOICE_STATUSES.some((status) => status === text);
}

const nothing = (description: string) => v.optional(sompiOf(description), "0");
const off = (description: string) => v.optional(flagOf(description), false);
const zero = (description: string) => v.optional(integerOf(description), 0);
const maybe = <S extends v.GenericSchema>(schema: S) => v.optional(v.nullable(schema), null);

/** One output that pays an invoice. */
export const payment = v.object({
  txid,
  outputIndex: integerOf("Place of the output in its transaction."),
  /** Commitment of the note that pays. */
  cmx: maybe(hex(32)),
  amountSompi: sompi,
  state: word(
    ["pool", "mined", "orphaned"],
    "`pool`: a node's pool holds it. `mined`: a chain block accepted it. `orphaned`: that block left the chain.",
  ),
  /** The accepting block. Null while there is none. */
  blockHash: maybe(hex(32)),
  blueScore: maybe(integerOf("Blue score of the accepting block.")),
  daaScore: maybe(integerOf("DAA score of the accepting block.")),
  blockTime: maybe(integerOf("Time of the accepting block, a miner's claim.")),
  firstSeenAt: integerOf("When the gateway first saw it."),
  settled: off("As deep as the invoice asks."),
  late: off("Paid after the invoice had expired."),
  receiptUrl: maybe(
    textOf(
      "Where its receipt is as a file, for its merchant. Null until it is settled, and where none was made.",
    ),
  ),
});

/** The rate that an invoice's amount was computed with, frozen at its creation. */
export const quote = v.object({
  currency: text,
  value: textOf("The price in that currency, as decimal text."),
  rate: textOf("Price of one coin in that currency, as decimal text."),
  source: textOf("Who told the rate."),
  time: integerOf("When the rate was told."),
});

/** What a merchant has said of an invoice by hand. */
const mark = v.object({
  as: word(["settled", "invalid"]),
  reason: text,
  at: integer,
});

/** The record. */
export const invoice = v.object({
  id: text,
  orderId: text,
  address: textOf("A shielded address that no other invoice has."),
  amountSompi: sompiOf("What is to be paid."),
  paidSompi: sompiOf("All payments that are on the chain, late ones too."),
  dueSompi: sompiOf("What is still to be paid."),
  confirmedSompi: nothing("Payments as deep as the invoice asks."),
  overpaidSompi: nothing("What was paid above the amount."),
  seenSompi: nothing("Payments that wait in a node's pool."),
  status: word(INVOICE_STATUSES, "See the states of an invoice."),
  settled: off("Enough is paid, and as deep as the invoice asks, late payments included."),
  late: off("A payment came after the invoice had expired."),
  expired: off("The time to pay is over."),
  reorged: off("A payment was confirmed, and its block has left the chain since."),
  archived: off("It is not in the lists of open ones."),
  marked: maybe(mark),
  requiredBlueScore: zero("Blue blocks that a payment must have above its accepting block."),
  confirmations: zero("Least depth of the payments that are needed."),
  payments: v.optional(
    v.pipe(
      v.array(payment),
      v.description(`The newest ${MERCHANT_LIMITS.paymentsShown}; the sums count all.`),
    ),
    [],
  ),
  paymentUri: v.optional(textOf("Address and amount due as a link for wallets."), ""),
  checkoutUrl: v.optional(textOf("The page where the payer pays."), ""),
  redirectUrl: maybe(text),
  metadata: v.optional(v.record(v.string(), text), {}),
  quote: maybe(quote),
  warnings: v.optional(
    v.pipe(
      v.array(text),
      v.description(
        "What its merchant should know of its terms. `belowNetworkFee`: the fee of the smallest payment is more than the amount. Further ones may come.",
      ),
    ),
    [],
  ),
  version: zero("Goes up with each change. An event with a lower one than is known is old."),
  livemode: off("Whether the coins are those of the main network."),
  network: v.optional(text, ""),
  createdAt: integer,
  expiresAt: integerOf("From then on a payment is late."),
  monitorUntil: zero("Until then payments are watched for."),
  updatedAt: zero("When it last changed."),
  serverTime: zero("The gateway's clock when it answered."),
});

/** The record as a client reads it. */
export type InvoiceRecord = v.InferOutput<typeof invoice>;

/** One event of an invoice, as it was told to webhooks. */
export const invoiceEvent = v.object({
  id: text,
  type: text,
  createdAt: integer,
  /** The version of the invoice that it tells of. */
  version: integer,
  status: word(INVOICE_STATUSES),
  previousStatus: maybe(word(INVOICE_STATUSES)),
});
