/**
 * What this program knows of the refunds that it pays for a hosted gateway. The gateway may lie: a refund is taken on once, for an
 * address that has received as much, seen by this scanner itself, and nothing that the gateway says later changes amount or address.
 *
 * Its states are those of every refund (`reduceRefund`); how much may be paid is looked at before a wallet is first asked.
 */
import {
  asBlueScore,
  asSompi,
  asTimestampMs,
  type RefundId,
  type Sompi,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { INVOICE_LIMITS } from "@svc/shared/invoice/invoiceLimits.ts";
import type { DuePayout } from "@svc/shared/invoice/payoutCalls.ts";
import { newRefund, type Refund } from "@svc/shared/invoice/refund.ts";
import type { RefundInput } from "@svc/shared/invoice/refundInput.ts";
import { decidedBy } from "@svc/shared/invoice/refundRoom.ts";
import { reduceRefund } from "@svc/shared/invoice/reduceRefund.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { OutboxStore } from "./outboxStore.ts";
import type { PayoutRow } from "./payoutTable.ts";

/** Dependencies. */
export type PayoutLedgerParts = {
  readonly store: Pick<OutboxStore, "received" | "payouts" | "commit">;
  /** Blue score up to which payments are so deep; null for none. */
  readonly deepTo: (required: bigint) => bigint | null;
};

/** The ledger. Its methods throw the store's errors. */
export class PayoutLedger {
  readonly #parts: PayoutLedgerParts;
  /** The refunds that are not over, by id. */
  readonly #open = new Map<RefundId, PayoutRow>();

  constructor(parts: PayoutLedgerParts) {
    this.#parts = parts;
    for (const row of parts.store.payouts.all()) this.#hold(row);
  }

  /** The refunds that are not over, or of which the gateway has not heard how they ended. */
  get open(): readonly PayoutRow[] {
    return [...this.#open.values()];
  }

  /** A refund that was taken on; undefined where it was not. */
  get(id: RefundId): PayoutRow | undefined {
    return this.#open.get(id) ?? this.#parts.store.payouts.get(id);
  }

  /**
   * Takes on a refund that was approved, or sent before this program lost what it knew. Throws `gateway/refund-too-large` where the
   * address has not received as much beside the other refunds of it, and `queue/full` beyond the limits.
   */
  take({ refund: told, key, index }: DuePayout, nowMs: TimestampMs): PayoutRow {
    const { store } = this.#parts;
    const { terms } = told;
    const least = BigInt(GATEWAY_LIMITS.payoutBlueScore);
    const deep = terms.requiredBlueScore > least ? terms.requiredBlueScore : asBlueScore(least);
    const refund: Refund = {
      // What the merchant wrote is nothing to a payment.
      ...newRefund({ ...terms, orderId: "", reason: null, requiredBlueScore: deep }),
      ...{ state: told.state, address: told.address, attempt: told.attempt, dueMs: nowMs },
      // Another sum for fees would be another call to the wallet.
      maxFee:
        told.maxFee !== null && told.maxFee <= GATEWAY_LIMITS.refundFeeMax ? told.maxFee : null,
      ...(told.state === "sent" ? { txids: told.txids, moved: terms.amount } : {}),
    };
    const row: PayoutRow = { refund, key, index, isTold: true };
    const isFull =
      store.payouts.of(key, index).length >= INVOICE_LIMITS.invoiceRefunds ||
      this.#open.size >= GATEWAY_LIMITS.payoutsOpen;
    if (isFull)
      throw new SvcError("queue/full", { queue: "refunds", limit: INVOICE_LIMITS.invoiceRefunds });
    const max = this.room(row);
    if (terms.amount > max) {
      throw new SvcError("gateway/refund-too-large", { asked: terms.amount, max });
    }
    this.put(row);
    return row;
  }

  /** What the address of a refund has received, deep enough, beside its other refunds. */
  room({ refund, key, index }: PayoutRow): Sompi {
    const { store, deepTo } = this.#parts;
    const { id, requiredBlueScore } = refund.terms;
    const upTo = deepTo(requiredBlueScore);
    if (upTo === null) return asSompi(0n);
    const received: bigint = store.received.sum(key, index, upTo);
    const decided = store.payouts
      .of(key, index)
      .filter((other) => other.refund.terms.id !== id)
      .reduce((sum, other) => sum + decidedBy(other.refund), 0n);
    return asSompi(received > decided ? received - decided : 0n);
  }

  /** The refund after something happened. Throws as `reduceRefund`. */
  after(row: PayoutRow, input: RefundInput, nowMs: TimestampMs): Refund {
    return reduceRefund(row.refund, input, { nowMs, room: this.room(row) });
  }

  /** Writes a refund down. */
  put(row: PayoutRow): void {
    this.#parts.store.commit((batch) => this.#parts.store.payouts.put(batch, row));
    this.#hold(row);
  }

  /** Forgets a refund of which no wallet was asked. */
  forget(row: PayoutRow): void {
    this.#parts.store.commit((batch) => this.#parts.store.payouts.delete(batch, row));
    this.#open.delete(row.refund.terms.id);
  }

  #hold(row: PayoutRow): void {
    const { terms, dueMs } = row.refund;
    if (dueMs === null && row.isTold) this.#open.delete(terms.id);
    else this.#open.set(terms.id, row);
  }
}

/** Of one that is over nobody is asked again. */
const NEVER = asTimestampMs(0n);

/** How a refund stands, as what happened to it: told to a gateway that may have heard some of it. */
export function inputsOf({
  state,
  txids,
  moved,
  error: kept,
  dueMs,
  attempt,
}: Refund): readonly RefundInput[] {
  const error = withoutPlace(kept);
  const at = { dueMs: dueMs ?? NEVER };
  const paid = { kind: "paid", txids, ...at } as const;
  switch (state) {
    case "sent":
      return [paid, { kind: "later", error, ...at }];
    case "confirmed":
      return [paid, { kind: "confirmed" }];
    case "failed":
      return error === null ? [] : [{ kind: "failed", error, moved, txids }];
    default:
      if (error === null) return [{ kind: "later", error, ...at }];
      if (attempt === null) return [{ kind: "refused", error, ...at }];
      return [{ kind: "unanswered", error, ...at, job: attempt.job }];
  }
}

/** Where a wallet's daemon is, is nothing to the gateway. */
function withoutPlace(error: ErrorJson | null): ErrorJson | null {
  if (error?.data["url"] === undefined) return error;
  return { code: error.code, data: { ...error.data, url: "" } };
}
