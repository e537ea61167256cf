/** An invoice as plain data: its terms, its payments, and what was told about it (gateway sheet 2.3, 4.2). */
import {
  asSompi,
  type AddressText,
  type BlockHash,
  type BlueScore,
  type DaaScore,
  type InvoiceId,
  type MerchantId,
  type NoteCommitment,
  type RawAddress,
  type Sompi,
  type TimestampMs,
  type TxId,
  type ViewingKeyId,
} from "../base/brand.ts";
import type { InvoiceStatus } from "../protocol/gateway/invoiceRecord.ts";

/** Version of the stored form. */
export const INVOICE_VERSION = 1;

/** Where an invoice is paid to: the address of one index of a viewing key, given to this invoice alone. */
export type InvoiceAddress = {
  readonly key: ViewingKeyId;
  readonly index: number;
  readonly raw: RawAddress;
  readonly text: AddressText;
};

/** What decides about payments. */
export type InvoicePolicy = {
  /** Blue score between the accepting chain block and the sink from which on a payment is settled; 0 settles it at once. */
  readonly requiredBlueScore: BlueScore;
  /** Sompi that may be missing. */
  readonly toleranceUnder: Sompi;
  /** Sompi beyond the amount up to which an invoice is not called overpaid. */
  readonly toleranceOver: Sompi;
  /** ms after expiry in which a payment is still on time. */
  readonly graceMs: bigint;
  /** `hold`: a payment after that makes the invoice `paidLate`, and the merchant decides. `accept`: none is ever late. */
  readonly late: "hold" | "accept";
  /** ms after expiry for which the invoice is on the merchant's list of open ones. */
  readonly monitorMs: bigint;
  /** Largest amount of an invoice for which a payment counts that only waits in a pool; 0 for none. It never settles one. */
  readonly poolLimit: Sompi;
};

/** The rate at which a price in another currency was made an amount. Decimal texts, as the source gave them. */
export type InvoiceQuote = {
  readonly currency: string;
  /** Price in that currency. */
  readonly value: string;
  /** Price of one coin in that currency. */
  readonly rate: string;
  readonly source: string;
  readonly quotedMs: TimestampMs;
};

/** What the merchant asked for. */
export type InvoiceTerms = {
  readonly id: InvoiceId;
  readonly merchant: MerchantId;
  readonly orderId: string;
  readonly address: InvoiceAddress;
  /** At least 1 sompi. */
  readonly amount: Sompi;
  readonly createdMs: TimestampMs;
  /** Blue score of the sink when it was made; 0 where no tip was known. */
  readonly createdBlueScore: BlueScore;
  readonly expiresMs: TimestampMs;
  /** ms that its merchant gave it at its making. */
  readonly lifeMs: bigint;
  readonly policy: InvoicePolicy;
  readonly redirectUrl: string | null;
  readonly language: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly quote: InvoiceQuote | null;
};

/** An output that pays an invoice. Its commitment is its identity: it stays the same wherever it is accepted. */
export type PaymentOutput = {
  readonly txid: TxId;
  /** Index of its action. */
  readonly outputIndex: number;
  readonly cmx: NoteCommitment;
  readonly amount: Sompi;
};

/** The chain block that accepts a payment. */
export type AcceptingBlock = {
  readonly hash: BlockHash;
  readonly blueScore: BlueScore;
  readonly daaScore: DaaScore;
  /** As its miner says. */
  readonly timestampMs: TimestampMs;
};

/** Where a payment is. `lost`: it was in a pool or in a block, and is in neither now. */
export type PaymentPlace =
  | { readonly kind: "pool" }
  | { readonly kind: "mined"; readonly block: AcceptingBlock }
  | { readonly kind: "lost" };

/** A payment of an invoice. */
export type InvoicePayment = {
  readonly output: PaymentOutput;
  readonly place: PaymentPlace;
  /** When the gateway first heard of it. */
  readonly seenMs: TimestampMs;
  /** It has been as deep in the chain as the invoice asks, and its block has not left the chain since. */
  readonly settled: boolean;
  /** That it was received was told. */
  readonly told: boolean;
  /** A receipt of it is kept, which shows it paid by this block or before (docs/light-client.md). Left out where there is none. */
  readonly hasReceipt?: true;
};

/** Payments that are no longer listed, because there are too many. All of them are settled. */
export type FoldedPayments = {
  readonly count: number;
  /** On time, and late. */
  readonly onTime: Sompi;
  readonly late: Sompi;
  /** No block up to this blue score adds a payment any more. */
  readonly upTo: BlueScore;
};

/** What the merchant decided about an invoice, whatever was paid. */
export type InvoiceMark = {
  readonly as: "settled" | "invalid";
  readonly reason: string;
  readonly atMs: TimestampMs;
};

/** An invoice. */
export type Invoice = {
  readonly terms: InvoiceTerms;
  /** In the order in which they were first heard of. */
  readonly payments: readonly InvoicePayment[];
  /** Null while all are listed. */
  readonly folded: FoldedPayments | null;
  readonly mark: InvoiceMark | null;
  readonly archived: boolean;
  /** Number of the last change that was told; 1 for an invoice that was just made. */
  readonly version: number;
  /** What was told last. */
  readonly told: InvoiceTold;
  readonly updatedMs: TimestampMs;
};

/** The part of what was told that the next change is compared with. */
export type InvoiceTold = {
  readonly status: InvoiceStatus;
  readonly expired: boolean;
  /** A reorganisation took a confirmation back, and it has not come again. */
  readonly reorged: boolean;
  readonly paid: Sompi;
  readonly seen: Sompi;
  readonly settled: Sompi;
};

/** An invoice that nobody has paid. */
export function newInvoice(terms: InvoiceTerms): Invoice {
  const none = asSompi(0n);
  return {
    terms,
    payments: [],
    folded: null,
    mark: null,
    archived: false,
    version: 1,
    told: { status: "new", expired: false, reorged: false, paid: none, seen: none, settled: none },
    updatedMs: terms.createdMs,
  };
}
