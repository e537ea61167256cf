/**
 * What a payer is shown of an invoice: whoever knows its id may read it. It never has the order number, the metadata or a
 * transaction.
 */
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
import { MERCHANT_LIMITS } from "../merchantLimits.ts";
import { INVOICE_STATUSES } from "./invoiceRecord.ts";

const nothing = (description: string) => v.optional(sompiOf(description), "0");
const off = (description: string) => v.optional(flagOf(description), false);

/** How the merchant's pages look. */
const theme = v.object({
  scheme: word(["auto", "light", "dark"]),
  /** `#rrggbb`. Null for the page's own. */
  accent: v.optional(v.nullable(text), null),
});

/** The record. */
export const checkoutRecord = v.object({
  id: text,
  status: word(INVOICE_STATUSES),
  amountSompi: sompiOf("What is to be paid."),
  dueSompi: sompiOf("What is still to be paid."),
  paidSompi: sompiOf("All payments that are on the chain."),
  seenSompi: nothing("Payments that wait in a node's pool."),
  overpaidSompi: nothing("What was paid above the amount."),
  address: text,
  paymentUri: textOf("Address and amount due as a link for wallets."),
  settled: off("Enough is paid, and as deep as the invoice asks."),
  late: off("A payment came after the invoice had expired."),
  expired: off("The time to pay is over."),
  canTopUp: off("Whether the payer may ask for more time (`topup`)."),
  requiredBlueScore: integer,
  confirmations: v.optional(integer, 0),
  receipts: v.optional(integerOf("Settled payments with a receipt (`receipts`)."), 0),
  receiptUrls: v.optional(
    v.pipe(
      v.array(text),
      v.description(`Where the newest ${MERCHANT_LIMITS.receiptRows} of them are, as files.`),
    ),
    [],
  ),
  storeName: v.optional(text, ""),
  /** The price in the shop's currency. Null for one in coins. */
  price: v.optional(v.nullable(v.object({ currency: text, value: text })), null),
  redirectUrl: v.optional(
    v.nullable(textOf("Where the payer goes on. Null until the invoice is final or expired.")),
    null,
  ),
  theme: v.optional(theme, { scheme: "auto" }),
  /** Null for the browser's. */
  language: v.optional(v.nullable(text), null),
  livemode: off("Whether the coins are those of the main network."),
  network: v.optional(text, ""),
  version: v.optional(integer, 0),
  expiresAt: integer,
  serverTime: integerOf("The gateway's clock when it answered, for a countdown that is right."),
});
