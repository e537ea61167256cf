/**
 * The refunds of one invoice, in its object. How much may be paid back is looked at in the turn that offers, approves or pays it, so that
 * refunds that are made at the same time come to no more than was paid.
 */
import {
  asClaimId,
  asSompi,
  type MerchantId,
  type RefundId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RefundOffer } from "@svc/shared/gateway/refundPort.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { offerRefund } from "@svc/shared/invoice/offerRefund.ts";
import type { Refund } from "@svc/shared/invoice/refund.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { refundRoom } from "@svc/shared/invoice/refundRoom.ts";
import { reduceRefund } from "@svc/shared/invoice/reduceRefund.ts";
import { RefundStore } from "../refundStore.ts";
import { RefundRows, type StoredRefund } from "./refundRows.ts";

/** A refund that is wished for. The same id is the same wish. */
export type RefundOrder = {
  readonly id: RefundId;
  readonly merchant: MerchantId;
  readonly offer: RefundOffer;
};

/** What happens to a refund. */
export type RefundChange = {
  readonly id: RefundId;
  /** Null for whoever knows its claim, and for what a wallet says. */
  readonly merchant: MerchantId | null;
  /** All or, where one is refused, none. */
  readonly inputs: readonly RefundInput[];
  /** Idempotency key of the request that approves it; null for none. */
  readonly request: string | null;
};

/** A refund after a call, as JSON. */
export type GivenRefund = { readonly json: string; readonly isReplay: boolean };

/** What a call writes: nothing where it is null. */
export type RefundStep = { readonly given: GivenRefund; readonly write: (() => void) | null };

/** Time alone pays nothing back. */
const NO_ROOM = asSompi(0n);
const ID_BYTES = 16;

/** The refunds. */
export class InvoiceRefunds {
  readonly #storage: DurableObjectStorage;
  readonly #rows: RefundRows;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#rows = new RefundRows(storage);
  }

  /** The refund as it is at a time. Throws `gateway/no-refund`. */
  read(id: RefundId, nowMs: TimestampMs): string {
    return stableJson(lookedAt(this.#find(id).refund, nowMs));
  }

  /** A new refund, or the one of this id. Throws as `offerRefund`, and `gateway/no-invoice` for another merchant's. */
  offer(invoice: Invoice, { id, merchant, offer }: RefundOrder, nowMs: TimestampMs): RefundStep {
    if (invoice.terms.merchant !== merchant) throw new SvcError("gateway/no-invoice", {});
    const known = this.#rows.get(id);
    if (known !== null) return { given: given(lookedAt(known.refund, nowMs), true), write: null };
    const standing = this.#rows.standing().map((row) => ({
      ...row,
      now: lookedAt(row.refund, nowMs),
    }));
    const others = standing.map(({ now }) => now).filter(({ state }) => state !== "cancelled");
    const claim = asClaimId(`clm_${encodeHex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))}`);
    const refund = offerRefund(invoice, others, { ...offer, id, claim }, nowMs);
    const write = (): void => {
      for (const { refund: was, now, approvedBy } of standing) {
        if (now !== was) this.#rows.put(now, approvedBy);
      }
      this.#rows.put(refund, null);
    };
    return { given: given(refund, false), write: () => this.#storage.transactionSync(write) };
  }

  /** What happens to a refund. Throws as `reduceRefund`, and `gateway/no-refund`, also for another merchant's. */
  change(invoice: Invoice, change: RefundChange, nowMs: TimestampMs): RefundStep {
    const { id, merchant, inputs, request } = change;
    const { refund: before, approvedBy } = this.#find(id);
    if (merchant !== null && before.terms.merchant !== merchant) {
      throw new SvcError("gateway/no-refund", {});
    }
    if (request !== null && request === approvedBy) {
      return { given: given(lookedAt(before, nowMs), true), write: null };
    }
    const others = this.#rows
      .standing()
      .map(({ refund }) => refund)
      .filter(({ terms }) => terms.id !== id);
    const room = refundRoom(invoice, others, nowMs);
    const after = inputs.reduce(
      (refund, input) => reduceRefund(refund, input, { nowMs, room }),
      before,
    );
    const write = (): void => this.#rows.put(after, request ?? approvedBy);
    return { given: given(after, false), write: after === before ? null : write };
  }

  /** Tells the list what it has not heard. Rejects with what D1 says. */
  async relay(db: D1Database, invoice: Invoice): Promise<void> {
    const store = new RefundStore(db);
    const { address } = invoice.terms;
    for (const { refund, revision } of this.#rows.toRelay()) {
      await store.put({ refund, revision, address });
      this.#rows.relayed(refund.terms.id, revision);
    }
  }

  #find(id: RefundId): StoredRefund {
    const row = this.#rows.get(id);
    if (row === null) throw new SvcError("gateway/no-refund", {});
    return row;
  }
}

function lookedAt(refund: Refund, nowMs: TimestampMs): Refund {
  return reduceRefund(refund, { kind: "look" }, { nowMs, room: NO_ROOM });
}

function given(refund: Refund, isReplay: boolean): GivenRefund {
  return { json: stableJson(refund), isReplay };
}
