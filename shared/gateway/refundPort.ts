/** Interface (port) to refunds of invoices: what merchants offer, what payers claim. */
import type { AddressText, ClaimId, InvoiceId, MerchantId, RefundId } from "../base/brand.ts";
import type { Refund } from "../invoice/refund.ts";
import type { RefundWish } from "../invoice/refundRoom.ts";
import type { RefundState } from "../protocol/gateway/refundRecord.ts";
import type { Page, RequestKey } from "./gatewayPorts.ts";

/** What a merchant offers, and why. */
export type RefundOffer = RefundWish & { readonly reason: string | null };

/** A refund that was made or approved, or that the same request made or approved before. */
export type MadeRefund = { readonly refund: Refund; readonly isReplay: boolean };

/** Checks the text of an address and brings it into the form that wallets read. Rejects with `address/…`. */
export type AddressCheck = (text: string) => Promise<AddressText>;

/** The refunds. Those of a merchant reject with `gateway/no-refund`, those of a claim with `gateway/no-claim`. */
export interface RefundPort {
  /**
   * Offers money of an invoice back. Rejects with `gateway/no-invoice`, `gateway/wrong-state`, `gateway/refund-too-large`,
   * `gateway/too-many-refunds`, `gateway/idempotency-conflict`.
   */
  create(
    merchant: MerchantId,
    invoice: InvoiceId,
    offer: RefundOffer,
    request: RequestKey | null,
  ): Promise<MadeRefund>;
  get(merchant: MerchantId, id: RefundId): Promise<Refund>;
  /** A part of a merchant's list, the newest first; no states stand for all. Rejects with `api/bad-field` for a cursor that it did not make. */
  list(
    merchant: MerchantId,
    states: readonly RefundState[],
    cursor: string | null,
    limit: number,
  ): Promise<Page<Refund>>;
  /**
   * Lets a refund be paid to this address. Rejects with `gateway/refund-state`, `gateway/refund-address`, `gateway/refund-too-large`,
   * `gateway/idempotency-conflict`.
   */
  approve(
    merchant: MerchantId,
    id: RefundId,
    address: AddressText,
    request: RequestKey | null,
  ): Promise<MadeRefund>;
  /** Takes it back. Rejects with `gateway/refund-state` where a wallet may have paid it. */
  cancel(merchant: MerchantId, id: RefundId): Promise<Refund>;
  /** The refund of a claim. */
  claimed(claim: ClaimId): Promise<Refund>;
  /** Takes an address that was checked. Rejects with `gateway/claim-over`. */
  fill(claim: ClaimId, address: AddressText): Promise<Refund>;
}
