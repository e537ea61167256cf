import { Injectable } from "@nestjs/common";
import {
  ChannelService,
  Payment,
  PaymentMethod,
  RequestContextService,
  TransactionalConnection,
  type ID,
  type RequestContext,
} from "@vendure/core";
import { In, MoreThan, Not } from "typeorm";
import { noteOf, type InvoiceNote } from "./invoiceNote.ts";
import { HANDLER_CODE } from "./paymentStates.ts";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";
import { dateOf } from "../base/shopClock.ts";

/** A payment of this plugin, with its note. */
export type NotedPayment = { readonly payment: Payment; readonly note: InvoiceNote };

/** The payments that were made by this plugin's methods, as the shop keeps them. */
@Injectable()
export class PaymentBook {
  readonly #connection: TransactionalConnection;
  readonly #contexts: RequestContextService;
  readonly #channels: ChannelService;

  constructor(
    connection: TransactionalConnection,
    contexts: RequestContextService,
    channels: ChannelService,
  ) {
    this.#connection = connection;
    this.#contexts = contexts;
    this.#channels = channels;
  }

  /** The payments of an order, the newest first. */
  async ofOrder(ctx: RequestContext, order: ID): Promise<readonly NotedPayment[]> {
    const found = await this.#connection.getRepository(ctx, Payment).find({
      where: { order: { id: order } },
      relations: { refunds: true },
      order: { id: "DESC" },
    });
    return this.#ours(ctx, found);
  }

  /** The state of a payment as it is now. */
  async stateOf(ctx: RequestContext, id: ID): Promise<Payment["state"] | null> {
    const found = await this.#connection.getRepository(ctx, Payment).findOneBy({ id });
    return found?.state ?? null;
  }

  /** The payments of an invoice with their order, the newest first: retries of a customer may have made several. */
  async ofInvoice(ctx: RequestContext, invoice: string): Promise<readonly NotedPayment[]> {
    const found = await this.#connection.getRepository(ctx, Payment).find({
      where: { transactionId: invoice },
      relations: { order: true },
      order: { id: "DESC" },
    });
    const ours = await this.#ours(ctx, found);
    return ours.filter(({ note }) => note.invoice === invoice);
  }

  /** Invoices to look at again: of payments that wait, and of those made lately; those first that were looked at longest ago. */
  async watchedInvoices(ctx: RequestContext, nowS: number): Promise<readonly string[]> {
    const codes = await this.#methodCodes(ctx);
    if (codes.length === 0) return [];
    const waiting = In(["Created", "Authorized"]);
    const lately = MoreThan(dateOf(nowS - VENDURE_LIMITS.watchS));
    const found: Payment[] = [];
    for (const where of [{ state: waiting }, { state: Not(waiting), createdAt: lately }]) {
      const some = await this.#connection.getRepository(ctx, Payment).find({
        where: { ...where, method: In(codes) },
        order: { updatedAt: "ASC" },
        take: VENDURE_LIMITS.paymentsPerRun - found.length,
      });
      found.push(...some);
      if (found.length === VENDURE_LIMITS.paymentsPerRun) break;
    }
    return [...new Set(found.flatMap((payment) => noteOf(payment)?.invoice ?? []))];
  }

  /** A context in which the payments of a channel can be changed, as the shop's own program. Null where the channel is gone. */
  async contextOf({ channel: id }: InvoiceNote): Promise<RequestContext | null> {
    const channel = await this.#channels.findOne(await this.anyContext(), id);
    if (channel === undefined) return null;
    return this.#contexts.create({ apiType: "admin", channelOrToken: channel });
  }

  /** A context for look-ups. */
  anyContext(): Promise<RequestContext> {
    return this.#contexts.create({ apiType: "admin" });
  }

  /** Other handlers may keep what a customer gives as metadata, so a payment's method tells whose it is. */
  async #ours(ctx: RequestContext, payments: readonly Payment[]): Promise<NotedPayment[]> {
    if (payments.length === 0) return [];
    const codes = new Set(await this.#methodCodes(ctx));
    return payments.flatMap((payment) => {
      const note = codes.has(payment.method) ? noteOf(payment) : null;
      return note === null ? [] : [{ payment, note }];
    });
  }

  async #methodCodes(ctx: RequestContext): Promise<readonly string[]> {
    const methods = await this.#connection.getRepository(ctx, PaymentMethod).find();
    return methods.filter(({ handler }) => handler.code === HANDLER_CODE).map(({ code }) => code);
  }
}
