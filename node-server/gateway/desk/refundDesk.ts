/**
 * Refunds in the gateway's database. How much may be paid back is looked at in the commit that offers, approves or pays it, so that
 * refunds that are made at the same time come to no more than was paid.
 */
import {
  asClaimId,
  asRefundId,
  asSompi,
  asTimestampMs,
  type AddressText,
  type ClaimId,
  type InvoiceId,
  type MerchantId,
  type RefundId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Page, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import type { MadeRefund, RefundOffer, RefundPort } from "@svc/shared/gateway/refundPort.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { offerRefund } from "@svc/shared/invoice/offerRefund.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { refundRoom } from "@svc/shared/invoice/refundRoom.ts";
import { reduceRefund } from "@svc/shared/invoice/reduceRefund.ts";
import type { RefundState } from "@svc/shared/protocol/gateway/refundRecord.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { DueRefund } from "../store/refundTable.ts";
import { listRefunds } from "./listRefunds.ts";

/** Dependencies. */
export type RefundDeskParts = {
  readonly store: GatewayStore;
  readonly clock: Pick<Clock, "nowMs">;
  readonly randomBytes: (length: number) => Uint8Array;
  /** A refund may be paid now. */
  readonly onApproved: () => void;
};

const ID_BYTES = 16;
/** Time alone pays nothing back. */
const NO_ROOM = asSompi(0n);

/** The refunds of a gateway. */
export class RefundDesk implements RefundPort {
  readonly #parts: RefundDeskParts;

  constructor(parts: RefundDeskParts) {
    this.#parts = parts;
  }

  async create(
    merchant: MerchantId,
    invoice: InvoiceId,
    offer: RefundOffer,
    request: RequestKey | null,
  ): Promise<MadeRefund> {
    return this.#once(merchant, request, (batch) => {
      const paid = this.#parts.store.invoices.get(invoice, batch);
      if (paid?.terms.merchant !== merchant) throw new SvcError("gateway/no-invoice", {});
      const refund = this.#newRefund(batch, paid, offer);
      this.#parts.store.refunds.put(batch, refund);
      return refund;
    });
  }

  async get(merchant: MerchantId, id: RefundId): Promise<Refund> {
    return this.#now(this.#own(merchant, id));
  }

  async list(
    merchant: MerchantId,
    states: readonly RefundState[],
    cursor: string | null,
    limit: number,
  ): Promise<Page<Refund>> {
    const { refunds } = this.#parts.store;
    const question = { merchant, states, cursor, limit };
    return listRefunds(refunds, question, (refund) => this.#now(refund));
  }

  async approve(
    merchant: MerchantId,
    id: RefundId,
    address: AddressText,
    request: RequestKey | null,
  ): Promise<MadeRefund> {
    const made = await this.#once(merchant, request, (batch) =>
      this.#apply(batch, this.#own(merchant, id, batch), { kind: "approve", address }),
    );
    this.#parts.onApproved();
    return made;
  }

  async cancel(merchant: MerchantId, id: RefundId): Promise<Refund> {
    return this.#parts.store.run((batch) =>
      this.#apply(batch, this.#own(merchant, id, batch), { kind: "cancel" }),
    );
  }

  async claimed(claim: ClaimId): Promise<Refund> {
    return this.#now(this.#at(claim));
  }

  async fill(claim: ClaimId, address: AddressText): Promise<Refund> {
    return this.#parts.store.run((batch) =>
      this.#apply(batch, this.#at(claim, batch), { kind: "claim", address }),
    );
  }

  /** A refund of whatever merchant. Throws `gateway/no-refund`. */
  find(id: RefundId, batch?: StoreBatch): Refund {
    const refund = this.#parts.store.refunds.get(id, batch);
    if (refund === undefined) throw new SvcError("gateway/no-refund", {});
    return refund;
  }

  /** Writes down what happened between a refund and a wallet. Rejects as `reduceRefund` throws, with `gateway/no-refund`, `store/…`. */
  change(id: RefundId, input: RefundInput): Promise<Refund> {
    return this.#parts.store.run((batch) => this.#apply(batch, this.find(id, batch), input));
  }

  /** The refunds that a wallet is to be asked about now, those due longest first. */
  due(nowMs: bigint): Iterable<DueRefund> {
    return this.#parts.store.refunds.due(nowMs);
  }

  /** When the next one behind a time is due; null for never. */
  nextDueMs(nowMs: bigint): bigint | null {
    return this.#parts.store.refunds.nextDueMs(nowMs);
  }

  /** Does what a request asks for, once for each idempotency key. */
  #once(
    merchant: MerchantId,
    request: RequestKey | null,
    step: (batch: StoreBatch) => Refund,
  ): Promise<MadeRefund> {
    const { store } = this.#parts;
    return store.run((batch) => {
      const made = request === null ? null : store.idempotency.madeBy(batch, merchant, request);
      if (made !== null) {
        return { refund: this.#now(this.#own(merchant, asRefundId(made), batch)), isReplay: true };
      }
      const refund = step(batch);
      if (request !== null) {
        const { key, bodyHash } = request;
        const use = { bodyHash, made: refund.terms.id, createdMs: this.#nowMs() };
        store.idempotency.put(batch, merchant, key, use);
      }
      return { refund, isReplay: false };
    });
  }

  #apply(batch: StoreBatch, refund: Refund, input: RefundInput): Refund {
    const { store } = this.#parts;
    const nowMs = this.#nowMs();
    const { invoice: id, id: own } = refund.terms;
    const invoice = store.invoices.get(id, batch);
    if (invoice === undefined) throw new SvcError("gateway/no-invoice", {});
    const others = store.refunds.of(id, batch).filter(({ terms }) => terms.id !== own);
    const after = reduceRefund(refund, input, {
      nowMs,
      room: refundRoom(invoice, others, nowMs),
    });
    if (after !== refund) store.refunds.put(batch, after);
    return after;
  }

  #newRefund(batch: StoreBatch, invoice: Invoice, offer: RefundOffer): Refund {
    const { randomBytes } = this.#parts;
    const names = {
      id: asRefundId(`ref_${encodeHex(randomBytes(ID_BYTES))}`),
      claim: asClaimId(`clm_${encodeHex(randomBytes(ID_BYTES))}`),
    };
    const others = this.#standing(batch, invoice.terms.id);
    return offerRefund(invoice, others, { ...offer, ...names }, this.#nowMs());
  }

  /** The refunds of an invoice; those whose time is over leave its index. */
  #standing(batch: StoreBatch, invoice: InvoiceId): readonly Refund[] {
    const { refunds } = this.#parts.store;
    return refunds.of(invoice, batch).filter((refund) => {
      const now = this.#now(refund);
      if (now !== refund) refunds.put(batch, now);
      return now.state !== "cancelled";
    });
  }

  /** The refund as it is at this time. */
  #now(refund: Refund): Refund {
    return reduceRefund(refund, { kind: "look" }, { nowMs: this.#nowMs(), room: NO_ROOM });
  }

  #own(merchant: MerchantId, id: RefundId, batch?: StoreBatch): Refund {
    const refund = this.find(id, batch);
    if (refund.terms.merchant !== merchant) throw new SvcError("gateway/no-refund", {});
    return refund;
  }

  #at(claim: ClaimId, batch?: StoreBatch): Refund {
    const refund = this.#parts.store.refunds.at(claim, batch);
    if (refund === undefined) throw new SvcError("gateway/no-claim", {});
    return refund;
  }

  #nowMs(): TimestampMs {
    return asTimestampMs(this.#parts.clock.nowMs());
  }
}
