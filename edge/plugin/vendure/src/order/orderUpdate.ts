import { Injectable } from "@nestjs/common";
import {
  isGraphQlErrorResult,
  OrderService,
  PaymentService,
  type Order,
  type RequestContext,
} from "@vendure/core";
import { inCoins } from "../base/money.ts";
import type { InvoiceRecord } from "../gateway/invoiceRecord.ts";
import type { NotedPayment } from "./paymentBook.ts";
import { OrderNotes } from "./orderNotes.ts";
import { UpdateFailure } from "./updateFailure.ts";

/** What is at hand while a record is applied. */
export type Case = NotedPayment & {
  readonly ctx: RequestContext;
  readonly order: Order;
  readonly record: InvoiceRecord;
};

/** What a record made of the payment's note. */
export type Outcome = { readonly isFulfilled: boolean; readonly isTakenBack: boolean };

/**
 * What an invoice's record does to its payment and order. A payment is settled for `confirmed` and `overpaid` alone, and once. Each
 * step can be taken again. Whoever calls it holds the order's lock, in a transaction.
 */
@Injectable()
export class OrderUpdate {
  readonly #orders: OrderService;
  readonly #payments: PaymentService;
  readonly #notes: OrderNotes;

  constructor(orders: OrderService, payments: PaymentService, notes: OrderNotes) {
    this.#orders = orders;
    this.#payments = payments;
    this.#notes = notes;
  }

  /** Applies a record that says something new. Rejects with an `UpdateFailure`. */
  async apply(one: Case): Promise<Outcome> {
    const { isFulfilled, isTakenBack } = one.note;
    const before = { isFulfilled, isTakenBack };
    const { status, isReorged, isExpired } = one.record;
    const isFinal = status === "confirmed" || status === "overpaid";
    if (isReorged && isFulfilled && !isFinal) return isTakenBack ? before : this.#takeBack(one);
    switch (status) {
      case "confirmed":
      case "overpaid":
        return this.#fulfil(one);
      case "paid":
        await this.#authorize(one);
        return before;
      case "new":
        await this.#waitAgain(one);
        return before;
      case "partial":
        await (isExpired ? this.#endPartial(one) : this.#notePartial(one));
        return before;
      case "expired":
        await this.#expire(one);
        return before;
      case "paidLate":
        await this.#holdLate(one);
        return before;
    }
  }

  /** Tells the merchant that the gateway's record does not fit the order. */
  async reportMismatch({ ctx, order }: Case): Promise<void> {
    await this.#notes.alert(
      ctx,
      order,
      "The gateway has another order or amount for the invoice of this order. Check the settings of both.",
    );
  }

  /** Cancels a payment whose place another one took. */
  async cancel(ctx: RequestContext, { payment }: NotedPayment): Promise<void> {
    const result = await this.#orders.cancelPayment(ctx, payment.id);
    if (isGraphQlErrorResult(result))
      throw new UpdateFailure(`payment ${payment.id}: not cancelled`);
  }

  async #authorize({ ctx, order, payment, record }: Case): Promise<void> {
    if (payment.state === "Created") {
      const result = await this.#payments.transitionToState(ctx, payment.id, "Authorized");
      if (isGraphQlErrorResult(result)) {
        throw new UpdateFailure(`payment ${payment.id}: not authorized`);
      }
    }
    const note = `The payment has come and waits for its confirmation: ${sums(record)} coins. Do not fulfil the order yet.`;
    if (payment.state === "Cancelled") await this.#notes.alert(ctx, order, `${note} ${CANCELLED}`);
    else await this.#notes.add(ctx, order, note);
  }

  async #waitAgain({ ctx, order, note }: Case): Promise<void> {
    if (note.facts === null || note.facts.status === "new") return;
    await this.#notes.add(
      ctx,
      order,
      "The payment is no longer on the chain. The invoice waits for it again.",
    );
  }

  async #notePartial({ ctx, order, payment, record }: Case): Promise<void> {
    const note = `Part of the payment has come: ${sums(record)} coins.`;
    if (payment.state === "Cancelled") await this.#notes.alert(ctx, order, `${note} ${CANCELLED}`);
    else await this.#notes.add(ctx, order, note);
  }

  /** Time is over, and only a part was paid: the payment stays, so that the customer can pay the rest. */
  async #endPartial({ ctx, order, record }: Case): Promise<void> {
    await this.#notes.alert(
      ctx,
      order,
      `The invoice has expired with a part of it paid: ${sums(record)} coins. The customer can still pay the rest on the payment page; else refund it.`,
    );
  }

  /** Time is over, and nobody has paid. */
  async #expire(one: Case): Promise<void> {
    const { ctx, order, payment, note } = one;
    if (note.isFulfilled) {
      await this.#notes.alert(ctx, order, `The invoice has expired without a payment. ${REORGED}`);
      return;
    }
    if (payment.state !== "Created" && payment.state !== "Authorized") return;
    const wasAuthorized = payment.state === "Authorized";
    await this.cancel(ctx, one);
    if (!wasAuthorized) {
      await this.#notes.add(ctx, order, "The invoice has expired without a payment.");
      return;
    }
    await this.#moveOrder(one, ["PaymentAuthorized"], "ArrangingAdditionalPayment");
    await this.#notes.alert(
      ctx,
      order,
      "The payment left the chain before it was confirmed, and the invoice has expired. The order is not paid.",
    );
  }

  async #holdLate({ ctx, order, record }: Case): Promise<void> {
    await this.#notes.alert(
      ctx,
      order,
      `A payment came after the invoice had expired: ${sums(record)} coins. Decide whether it counts, at the gateway, or refund it.`,
    );
  }

  /** The whole amount is there and confirmed. */
  async #fulfil(one: Case): Promise<Outcome> {
    const { ctx, order, payment, record } = one;
    const isTaken = await this.#take(one);
    if (isTaken && record.status === "overpaid") {
      const excess = inCoins(record.overpaidSompi);
      await this.#notes.alert(ctx, order, `The customer paid ${excess} coins too much.`);
    }
    if (isTaken && payment.state !== "Settled") {
      await this.#notes.add(
        ctx,
        order,
        `Paid and confirmed: ${sums(record)} coins for invoice ${record.id}.`,
      );
      await this.#tellOfRest(one);
    }
    return { isFulfilled: isTaken || one.note.isFulfilled, isTakenBack: false };
  }

  /** Settles the payment; whether it is settled. */
  async #take(one: Case): Promise<boolean> {
    const { ctx, order, payment, note } = one;
    switch (payment.state) {
      case "Created":
      case "Authorized": {
        const result = await this.#orders.settlePayment(ctx, payment.id);
        if (isGraphQlErrorResult(result)) {
          throw new UpdateFailure(`payment ${payment.id}: not settled (${result.errorCode})`);
        }
        await this.#moveOrder(one, ["ArrangingAdditionalPayment"], "PaymentSettled");
        return true;
      }
      case "Settled":
        if (note.isTakenBack) {
          await this.#moveOrder(one, ["ArrangingAdditionalPayment"], "PaymentSettled");
          await this.#notes.add(ctx, order, "The payment is confirmed again.");
        }
        return true;
      case "Cancelled":
        return this.#revive(one);
      default:
        return false;
    }
  }

  /** A payment that was cancelled when its invoice expired: a new one of the same invoice takes its place, where the order wants it. */
  async #revive({ ctx, order, payment, note, record }: Case): Promise<boolean> {
    const isWaiting =
      ["ArrangingPayment", "ArrangingAdditionalPayment"].includes(order.state) && !note.isFulfilled;
    const covered = (order.payments ?? [])
      .filter(({ state }) => ["Created", "Authorized", "Settled"].includes(state))
      .reduce((sum, { amount }) => sum + amount, 0);
    if (!isWaiting || order.totalWithTax - covered !== payment.amount) {
      await this.#notes.alert(
        ctx,
        order,
        `Invoice ${record.id} was paid and is confirmed. ${CANCELLED}`,
      );
      return false;
    }
    const added = await this.#orders.addPaymentToOrder(ctx, order.id, {
      method: payment.method,
      metadata: {},
    });
    if (isGraphQlErrorResult(added)) {
      throw new UpdateFailure(`order ${order.code}: no payment (${added.errorCode})`);
    }
    const payments = await this.#orders.getOrderPayments(ctx, order.id);
    const isCounted = payments.some(
      ({ state, transactionId }) => state === "Settled" && transactionId === record.id,
    );
    if (!isCounted)
      throw new UpdateFailure(`order ${order.code}: its payment is of another invoice`);
    await this.#notes.add(
      ctx,
      order,
      `Paid late, and counted: ${sums(record)} coins for invoice ${record.id}.`,
    );
    if (added.state === "ArrangingAdditionalPayment") {
      await this.#orders.transitionToState(ctx, order.id, "PaymentSettled");
    }
    return true;
  }

  /** The payment is settled, and the order is not: its total has changed since the invoice was made. */
  async #tellOfRest({ ctx, order }: Case): Promise<void> {
    const now = await this.#orders.findOne(ctx, order.id);
    const isOpen = ["AddingItems", "ArrangingPayment", "PaymentAuthorized"].includes(
      now?.state ?? "",
    );
    if (now === undefined || (!isOpen && now.state !== "Cancelled")) return;
    await this.#notes.alert(
      ctx,
      order,
      `The payment is confirmed, but the order is ${now.state}: it was changed or cancelled after its invoice was made. Check it.`,
    );
  }

  /** A reorganisation took the confirmation back after the payment was settled. */
  async #takeBack(one: Case): Promise<Outcome> {
    await this.#moveOrder(one, ["PaymentSettled"], "ArrangingAdditionalPayment");
    await this.#notes.alert(one.ctx, one.order, REORGED);
    return { isFulfilled: true, isTakenBack: true };
  }

  async #moveOrder(
    { ctx, order }: Case,
    from: readonly string[],
    to: "ArrangingAdditionalPayment" | "PaymentSettled",
  ): Promise<void> {
    const now = await this.#orders.findOne(ctx, order.id);
    if (now === undefined || !from.includes(now.state)) return;
    const result = await this.#orders.transitionToState(ctx, order.id, to);
    if (isGraphQlErrorResult(result)) {
      await this.#notes.alert(ctx, order, `The order could not be put to ${to}.`);
    }
  }
}

const CANCELLED =
  "The payment had been cancelled, or the order is covered by another one. Decide whether to fulfil the order or to refund it.";
const REORGED =
  "The chain was reorganised and the payment is no longer confirmed. Do not ship until it is again.";

/** Paid and asked, in coins. */
function sums({ paidSompi, amountSompi }: InvoiceRecord): string {
  return `${inCoins(paidSompi)} of ${inCoins(amountSompi)}`;
}
