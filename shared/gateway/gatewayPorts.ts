/**
 * Interfaces (ports) between the gateway's server and where it keeps things: LMDB beside a node, Durable Objects and D1 at an edge.
 *
 * Whatever changes something is on disk, with the events that tell of it, when its promise resolves.
 */
import type { BlueScore, Hash32, InvoiceId, MerchantId, TimestampMs } from "../base/brand.ts";
import type { Invoice, InvoicePolicy, InvoiceQuote } from "../invoice/invoice.ts";
import type { InvoiceInput } from "../invoice/invoiceInput.ts";
import type { InvoiceStatus } from "../protocol/gateway/invoiceRecord.ts";
import type { InvoiceEventType } from "../protocol/gateway/webhookEvent.ts";
import type { KeyScope } from "../protocol/gateway/route.ts";
import type { CheckoutLook } from "./checkoutRecordOf.ts";

/** A merchant as the server knows it. */
export type Merchant = {
  readonly id: MerchantId;
  readonly look: CheckoutLook;
  /** What holds for an invoice that does not say otherwise. */
  readonly policy: InvoicePolicy;
  readonly expiresInS: number;
  /** Origins whose pages may show the checkout in a frame. */
  readonly frameOrigins: readonly string[];
};

/** What an invoice is made from. */
export type InvoiceOrder = {
  readonly orderId: string;
  readonly amountSompi: bigint;
  readonly expiresInS: number;
  readonly policy: InvoicePolicy;
  readonly redirectUrl: string | null;
  readonly language: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly quote: InvoiceQuote | null;
};

/** An idempotency key, and the SHA-256 of the request that it came with. */
export type RequestKey = { readonly key: string; readonly bodyHash: Hash32 };

/** An invoice that was made, or that the same request made before. */
export type MadeInvoice = { readonly invoice: Invoice; readonly isReplay: boolean };

/** Which invoices of a merchant are listed, the newest first. */
export type InvoiceFilter = {
  /** Of these orders; empty for all. */
  readonly orderIds: readonly string[];
  /** In these states; empty for all. */
  readonly statuses: readonly InvoiceStatus[];
  /** Text in the id, the order, the address or the metadata; null for any. */
  readonly text: string | null;
  /** Made in this time, ms; null without a bound. */
  readonly fromMs: bigint | null;
  readonly toMs: bigint | null;
  readonly withArchived: boolean;
};

/** A part of a list. A cursor is opaque text of whoever made it; null at the end. */
export type Page<T> = { readonly rows: readonly T[]; readonly next: string | null };

/** An event that was told. */
export type ToldEvent = {
  readonly id: string;
  readonly type: InvoiceEventType;
  readonly version: number;
  readonly createdMs: TimestampMs;
  readonly status: InvoiceStatus;
  readonly previousStatus: InvoiceStatus;
  /** JSON, as webhooks send it. */
  readonly body: string;
};

/** The merchants and their keys. */
export interface MerchantPort {
  /** Who has the API key with this hash, and what it is good for; null for one that is unknown or revoked. */
  keyOf(hash: Hash32): Promise<MerchantKey | null>;
  /** A merchant; null where there is none. */
  merchant(id: MerchantId): Promise<Merchant | null>;
}

/** An API key that is good. */
export type MerchantKey = {
  readonly merchant: Merchant;
  readonly keyId: string;
  readonly label: string;
  readonly scopes: readonly KeyScope[];
  readonly createdMs: TimestampMs;
};

/** The invoices. */
export interface InvoicePort {
  /**
   * Makes an invoice with an address of its own. Rejects with `gateway/no-address`, `gateway/idempotency-conflict`,
   * `http/unavailable`, `store/…`.
   */
  create(
    merchant: MerchantId,
    order: InvoiceOrder,
    request: RequestKey | null,
  ): Promise<MadeInvoice>;
  /** An invoice of whatever merchant; null where there is none. */
  find(id: InvoiceId): Promise<Invoice | null>;
  /**
   * Changes an invoice. `allow` is asked within the change, and throws for a state that does not allow it. Rejects with
   * `gateway/no-invoice`.
   */
  change(id: InvoiceId, input: InvoiceInput, allow: (invoice: Invoice) => void): Promise<Invoice>;
  /** A part of a merchant's list. Rejects with `api/bad-field` for a cursor that it did not make. */
  list(
    merchant: MerchantId,
    filter: InvoiceFilter,
    cursor: string | null,
    limit: number,
  ): Promise<Page<Invoice>>;
  /** What was told of an invoice, the newest first. */
  events(id: InvoiceId, cursor: string | null, limit: number): Promise<Page<ToldEvent>>;
  /** Blue score of the sink; null where none is known. */
  tip(): BlueScore | null;
}
