/** Refunds in the Durable Objects of their invoices, and their list in D1. */
import {
  asRefundId,
  type AddressText,
  type ClaimId,
  type InvoiceId,
  type MerchantId,
  type RefundId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Page, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import type { MadeRefund, RefundOffer, RefundPort } from "@svc/shared/gateway/refundPort.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import { refundSchema } from "@svc/shared/invoice/refundCodec.ts";
import { reduceRefund } from "@svc/shared/invoice/reduceRefund.ts";
import { readTimeCursor, timeCursor } from "@svc/shared/protocol/contract/timeCursor.ts";
import type { RefundState } from "@svc/shared/protocol/gateway/refundRecord.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { answered } from "../../platform/objectAnswer.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import type { MerchantStore } from "../merchantStore.ts";
import type { GivenRefund, RefundChange } from "../objects/invoiceRefunds.ts";
import { RefundStore, type RefundPlace } from "../refundStore.ts";

/** Dependencies. */
export type EdgeRefundsParts = {
  readonly env: Pick<GatewayEnv, "DB" | "INVOICES" | "MERCHANTS">;
  readonly merchants: Pick<MerchantStore, "row">;
  readonly now: () => TimestampMs;
};

const ID_BYTES = 16;
const CURSOR = { prefix: "ref", digits: 15, field: "cursor" };
const refundJson = v.pipe(v.string(), v.parseJson(), refundSchema);

/** The refunds of a hosted gateway. What D1 and the platform say reaches the caller as `internal/unexpected`. */
export class EdgeRefunds implements RefundPort {
  readonly #parts: EdgeRefundsParts;
  readonly #store: RefundStore;

  constructor(parts: EdgeRefundsParts) {
    this.#parts = parts;
    this.#store = new RefundStore(parts.env.DB);
  }

  async create(
    merchant: MerchantId,
    invoice: InvoiceId,
    offer: RefundOffer,
    request: RequestKey | null,
  ): Promise<MadeRefund> {
    const fresh = asRefundId(`ref_${encodeHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`);
    const id = request === null ? fresh : await this.#claim(merchant, request, fresh);
    const order = { id, merchant, offer };
    return made(answered(await this.#object(invoice).offerRefund(order)));
  }

  async get(merchant: MerchantId, id: RefundId): Promise<Refund> {
    const refund = await this.#read(await this.#invoiceOf(id), id);
    if (refund.terms.merchant !== merchant) throw new SvcError("gateway/no-refund", {});
    return refund;
  }

  /** So many rows are looked at for one answer, and its cursor goes on from there. */
  async list(
    merchant: MerchantId,
    states: readonly RefundState[],
    cursor: string | null,
    limit: number,
  ): Promise<Page<Refund>> {
    const most = EDGE_LIMITS.refundLookRows;
    const count = states.length === 0 ? Math.min(limit, most) : most;
    let place = cursor === null ? null : placeOf(cursor);
    const looked = await this.#store.list(merchant, place, count);
    const rows: Refund[] = [];
    for (const row of looked) {
      const refund = this.#now(row);
      place = { createdMs: refund.terms.createdMs, id: refund.terms.id };
      if (states.length > 0 && !states.includes(refund.state)) continue;
      rows.push(refund);
      if (rows.length === limit) return { rows, next: cursorOf(place) };
    }
    return { rows, next: looked.length < count || place === null ? null : cursorOf(place) };
  }

  async approve(
    merchant: MerchantId,
    id: RefundId,
    address: AddressText,
    request: RequestKey | null,
  ): Promise<MadeRefund> {
    const invoice = await this.#invoiceOf(id);
    if (request !== null) await this.#claim(merchant, request, id);
    const inputs = [{ kind: "approve", address }] as const;
    const change = { id, merchant, inputs, request: request?.key ?? null };
    return made(await this.#change(invoice, change));
  }

  async cancel(merchant: MerchantId, id: RefundId): Promise<Refund> {
    const invoice = await this.#invoiceOf(id);
    const inputs = [{ kind: "cancel" }] as const;
    return made(await this.#change(invoice, { id, merchant, inputs, request: null })).refund;
  }

  async claimed(claim: ClaimId): Promise<Refund> {
    const { invoice, id } = await this.#at(claim);
    return this.#read(invoice, id);
  }

  async fill(claim: ClaimId, address: AddressText): Promise<Refund> {
    const { invoice, id } = await this.#at(claim);
    const inputs = [{ kind: "claim", address }] as const;
    const change = { id, merchant: null, inputs, request: null };
    return made(await this.#change(invoice, change)).refund;
  }

  #object(invoice: InvoiceId) {
    return this.#parts.env.INVOICES.getByName(invoice);
  }

  async #change(invoice: InvoiceId, change: RefundChange): Promise<GivenRefund> {
    return answered(await this.#object(invoice).changeRefund(change));
  }

  async #read(invoice: InvoiceId, id: RefundId): Promise<Refund> {
    return v.parse(refundJson, answered(await this.#object(invoice).readRefund(id)));
  }

  async #invoiceOf(id: RefundId): Promise<InvoiceId> {
    const invoice = await this.#store.invoiceOf(id);
    if (invoice === null) throw new SvcError("gateway/no-refund", {});
    return invoice;
  }

  async #at(claim: ClaimId) {
    const place = await this.#store.at(claim);
    if (place === null) throw new SvcError("gateway/no-claim", {});
    return place;
  }

  /** What the key stands for. One that stands for a refund that was not made stands for the same request again. */
  async #claim(merchant: MerchantId, request: RequestKey, id: RefundId): Promise<RefundId> {
    const { env, merchants } = this.#parts;
    const row = await merchants.row(merchant);
    if (row === null) throw new SvcError("gateway/bad-key", {});
    const object = env.MERCHANTS.getByName(row.key);
    return v.parse(fields.refundId, answered(await object.claim(merchant, request, id)));
  }

  /** The refund as it is at this time. */
  #now(refund: Refund): Refund {
    const moment = { nowMs: this.#parts.now(), room: refund.terms.amount };
    return reduceRefund(refund, { kind: "look" }, moment);
  }
}

function made({ json, isReplay }: GivenRefund): MadeRefund {
  return { refund: v.parse(refundJson, json), isReplay };
}

function cursorOf({ createdMs, id }: RefundPlace): string {
  return timeCursor(createdMs, id);
}

function placeOf(cursor: string): RefundPlace {
  const { ms, id } = readTimeCursor(cursor, CURSOR);
  return { createdMs: ms, id: asRefundId(id) };
}
