import { Inject, Injectable } from "@nestjs/common";
import {
  ConfigService,
  isGraphQlErrorResult,
  PaymentService,
  type CreatePaymentResult,
  type Order,
  type RequestContext,
} from "@vendure/core";
import { GatewayClient } from "../gateway/gatewayClient.ts";
import { GatewayFailure } from "../gateway/gatewayFailure.ts";
import { trustedOrigin } from "../base/gatewayUrl.ts";
import { factsOf, metadataOf } from "../order/invoiceNote.ts";
import { isFinal, type InvoiceRecord } from "../gateway/invoiceRecord.ts";
import { invoiceBody, invoiceKey } from "../gateway/invoiceRequest.ts";
import { PaymentBook, type NotedPayment } from "../order/paymentBook.ts";
import { hasPayment, paymentStateOf, priceOf } from "../order/paymentStates.ts";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";
import { OPTIONS, type CheckedOptions } from "../base/pluginOptions.ts";

/** A payment with the record of its invoice. */
type Known = NotedPayment & { readonly record: InvoiceRecord };

/** What a new payment is of. */
type Taken = {
  readonly record: InvoiceRecord;
  readonly amount: number;
  readonly price: string;
  readonly attempt: number;
};

/**
 * Start of a payment: from an order to the page where its invoice is paid.
 *
 * A customer who tries again goes on with the invoice that is there: the payment before is cancelled, and the new one takes its
 * place. There is a new invoice, as a new attempt, only where nothing was paid of the last one and that has expired, is unknown to
 * the gateway, or is for another amount. An attempt whose answer was lost is made again with the same key, so that it makes no
 * second invoice.
 */
@Injectable()
export class InvoiceStart {
  readonly #options: CheckedOptions;
  readonly #client: GatewayClient;
  readonly #book: PaymentBook;
  readonly #payments: PaymentService;
  readonly #config: ConfigService;

  constructor(
    @Inject(OPTIONS) options: CheckedOptions,
    client: GatewayClient,
    book: PaymentBook,
    payments: PaymentService,
    config: ConfigService,
  ) {
    this.#options = options;
    this.#client = client;
    this.#book = book;
    this.#payments = payments;
    this.#config = config;
  }

  /** The payment of an order over what no other payment covers. Rejects with a `GatewayFailure`. */
  async start(ctx: RequestContext, order: Order, uncovered: number): Promise<CreatePaymentResult> {
    const own = await this.#book.ofOrder(ctx, order.id);
    const counted = countedInvoices(own);
    const isPaying = ({ note, record }: NotedPayment & { record: InvoiceRecord | null }) =>
      record !== null && hasPayment(record) && !counted.has(note.invoice);
    const open = await this.#known(own.filter(({ payment }) => payment.state === "Created"));
    const paying = open.find(isPaying);
    const unpaid = open.filter((one) => !isPaying(one));
    for (const { payment } of unpaid) await this.#cancel(ctx, payment.id);
    const due = unpaid.reduce((sum, { payment }) => sum + payment.amount, uncovered);
    if (due <= 0 && paying !== undefined) {
      await this.#cancel(ctx, paying.payment.id);
      return this.#result(ctx, asTaken(paying));
    }
    const price = this.#priceOf(order, due);
    const others = own.filter(
      ({ payment, note }) => payment.id !== paying?.payment.id && !counted.has(note.invoice),
    );
    const last = await this.#lastOver(others, price);
    const attempt = Math.max(0, ...own.map(({ note }) => note.attempt)) + 1;
    const taken = last ?? (await this.#invoiceOf(ctx, order, { amount: due, price, attempt }));
    return this.#result(ctx, taken);
  }

  /** An invoice of an earlier payment over this price: the newest that was paid, else the newest that can still be paid. */
  async #lastOver(own: readonly NotedPayment[], price: string): Promise<Taken | null> {
    const matching = own.filter(
      ({ payment, note }) =>
        (payment.state === "Created" || payment.state === "Cancelled") && note.price === price,
    );
    const newest = new Map(matching.toReversed().map((one) => [one.note.invoice, one]));
    const some = [...newest.values()].toReversed().slice(0, VENDURE_LIMITS.earlierRead);
    const known = await this.#known(some);
    const found =
      known.find(({ record }) => record !== null && hasPayment(record)) ??
      known.find(({ record }) => record !== null && !record.isExpired);
    return found === undefined ? null : asTaken(found);
  }

  async #known(
    payments: readonly NotedPayment[],
  ): Promise<(NotedPayment & { record: InvoiceRecord | null })[]> {
    const known = [];
    for (const one of payments) known.push({ ...one, record: await this.#read(one.note.invoice) });
    return known;
  }

  async #read(invoice: string): Promise<InvoiceRecord | null> {
    try {
      return await this.#client.readInvoice(invoice);
    } catch (error) {
      if (error instanceof GatewayFailure && error.kind === "missing") return null;
      throw error;
    }
  }

  async #invoiceOf(ctx: RequestContext, order: Order, wish: Omit<Taken, "record">): Promise<Taken> {
    const body = invoiceBody(order, wish.price.split(" ")[0] ?? "", this.#options);
    if (body === null) {
      throw new GatewayFailure("refused", `${wish.price} is no amount by the plugin's conversion`);
    }
    for (
      let attempt = wish.attempt;
      attempt < wish.attempt + VENDURE_LIMITS.startTries;
      attempt += 1
    ) {
      const record = await this.#created(body, invoiceKey(ctx, order, attempt));
      if (record === null) continue;
      this.#check(record, order, body);
      if (!record.isExpired || hasPayment(record)) return { ...wish, record, attempt };
    }
    throw new GatewayFailure("unexpected", "the gateway gave no invoice that can be paid");
  }

  /** Null where the key was used for another request. */
  async #created(body: string, key: string): Promise<InvoiceRecord | null> {
    try {
      return await this.#client.createInvoice(body, key);
    } catch (error) {
      if (error instanceof GatewayFailure && error.kind === "conflict") return null;
      throw error;
    }
  }

  #check(record: InvoiceRecord, order: Order, body: string): void {
    const asked: { readonly amountSompi?: string } = JSON.parse(body);
    const amount = asked.amountSompi ?? String(record.amountSompi);
    if (record.orderId !== order.code || String(record.amountSompi) !== amount) {
      throw new GatewayFailure("unexpected", "the invoice is of another order or amount");
    }
    if (trustedOrigin(record.checkoutUrl) !== this.#options.checkoutOrigin) {
      throw new GatewayFailure("unexpected", "the payment page is not at the gateway");
    }
  }

  #priceOf(order: Order, due: number): string {
    const precision = this.#config.entityOptions.moneyStrategy.precision ?? 2;
    const price = priceOf(order, due, precision);
    if (price === null) throw new GatewayFailure("refused", "there is nothing to pay");
    return price;
  }

  /** A webhook may have settled it since: then it is no longer to be cancelled. */
  async #cancel(ctx: RequestContext, id: Known["payment"]["id"]): Promise<void> {
    if ((await this.#book.stateOf(ctx, id)) !== "Created") {
      throw new GatewayFailure("unreachable", "the payment before has changed meanwhile");
    }
    const result = await this.#payments.cancelPayment(ctx, id);
    if (isGraphQlErrorResult(result)) {
      throw new GatewayFailure("refused", "the payment before could not be cancelled");
    }
  }

  #result(ctx: RequestContext, { record, amount, price, attempt }: Taken): CreatePaymentResult {
    const { id, checkoutUrl, expiresAt, amountSompi } = record;
    const metadata = metadataOf({
      ...{ invoice: id, price, attempt, checkoutUrl, expiresAt },
      amountSompi: String(amountSompi),
      channel: String(ctx.channelId),
      facts: factsOf(record),
      readAt: this.#options.nowS(),
      events: [],
      isFulfilled: isFinal(record),
      isTakenBack: false,
      claims: [],
    });
    return { amount, state: paymentStateOf(record), transactionId: id, metadata };
  }
}

/** Invoices that a payment stands for, or stood for until somebody cancelled it by hand: none counts twice. */
function countedInvoices(own: readonly NotedPayment[]): ReadonlySet<string> {
  const counting = own.filter(
    ({ payment, note }) => ["Authorized", "Settled"].includes(payment.state) || note.isFulfilled,
  );
  return new Set(counting.map(({ note }) => note.invoice));
}

function asTaken({
  payment,
  note,
  record,
}: {
  payment: NotedPayment["payment"];
  note: NotedPayment["note"];
  record: InvoiceRecord | null;
}): Taken {
  if (record === null) throw new GatewayFailure("missing", "the gateway does not know the invoice");
  return { record, amount: payment.amount, price: note.price, attempt: note.attempt };
}
