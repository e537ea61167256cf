/** The stored form of an invoice: JSON with its version, 64-bit numbers as decimal text. */
import * as v from "valibot";
import { fields } from "../base/fields.ts";
import { stableJson } from "../base/stableJson.ts";
import { SvcError } from "../base/svcError.ts";
import { INVOICE_STATUSES } from "../protocol/gateway/invoiceRecord.ts";
import { INVOICE_VERSION, type Invoice } from "./invoice.ts";

const text = v.string();
const metadata = v.record(text, text);

const quote = v.object({
  currency: text,
  value: text,
  rate: text,
  source: text,
  quotedMs: fields.timestampMs,
});

/** Schema of what decides about payments. */
export const invoicePolicy = v.object({
  requiredBlueScore: fields.blueScore,
  toleranceUnder: fields.sompi,
  toleranceOver: fields.sompi,
  graceMs: fields.u64,
  late: v.picklist(["hold", "accept"]),
  monitorMs: fields.u64,
  poolLimit: fields.sompi,
});

const terms = v.object({
  id: fields.invoiceId,
  merchant: fields.merchantId,
  orderId: text,
  address: v.object({
    key: fields.viewingKeyId,
    index: fields.u32,
    raw: fields.rawAddress,
    text: fields.addressText,
  }),
  amount: fields.sompi,
  createdMs: fields.timestampMs,
  createdBlueScore: fields.blueScore,
  expiresMs: fields.timestampMs,
  lifeMs: fields.u64,
  policy: invoicePolicy,
  redirectUrl: v.nullable(text),
  language: v.nullable(text),
  metadata,
  quote: v.nullable(quote),
});

/** Schema of an output that pays an invoice. */
export const paymentOutput = v.object({
  txid: fields.txId,
  outputIndex: fields.u32,
  cmx: fields.noteCommitment,
  amount: fields.sompi,
});

/** Schema of the chain block that accepts a payment. */
export const acceptingBlock = v.object({
  hash: fields.blockHash,
  blueScore: fields.blueScore,
  daaScore: fields.daaScore,
  timestampMs: fields.timestampMs,
});

const place = v.variant("kind", [
  v.object({ kind: v.literal("pool") }),
  v.object({ kind: v.literal("mined"), block: acceptingBlock }),
  v.object({ kind: v.literal("lost") }),
]);

const payment = v.object({
  output: paymentOutput,
  place,
  seenMs: fields.timestampMs,
  settled: v.boolean(),
  told: v.boolean(),
  hasReceipt: v.exactOptional(v.literal(true)),
});

const folded = v.object({
  count: v.pipe(v.number(), v.safeInteger()),
  onTime: fields.sompi,
  late: fields.sompi,
  upTo: fields.blueScore,
});

const mark = v.object({
  as: v.picklist(["settled", "invalid"]),
  reason: text,
  atMs: fields.timestampMs,
});

/** Schema of a status. */
export const invoiceStatus = v.picklist(INVOICE_STATUSES);

const told = v.object({
  status: invoiceStatus,
  expired: v.boolean(),
  reorged: v.boolean(),
  paid: fields.sompi,
  seen: fields.sompi,
  settled: fields.sompi,
});

const invoice: v.GenericSchema<unknown, Invoice> = v.object({
  terms,
  payments: v.array(payment),
  folded: v.nullable(folded),
  mark: v.nullable(mark),
  archived: v.boolean(),
  version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  told,
  updatedMs: fields.timestampMs,
});

const stored = v.object({ form: v.literal(INVOICE_VERSION), invoice });

/** Writes an invoice. */
export function encodeInvoice(value: Invoice): string {
  return stableJson({ form: INVOICE_VERSION, invoice: value });
}

/** Reads an invoice. Throws `store/corrupt` for text of another form. */
export function decodeInvoice(json: string): Invoice {
  try {
    return v.parse(stored, JSON.parse(json)).invoice;
  } catch (error) {
    throw new SvcError("store/corrupt", { table: "invoices", reason: "form" }, error);
  }
}
