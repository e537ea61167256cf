import { Inject, Injectable } from "@nestjs/common";
import {
  Logger,
  Order,
  Payment,
  TransactionalConnection,
  type RequestContext,
} from "@vendure/core";
import { GatewayClient } from "../gateway/gatewayClient.ts";
import { GatewayFailure } from "../gateway/gatewayFailure.ts";
import { factsOf, metadataOf, noteOf, saysTheSame, type InvoiceNote } from "./invoiceNote.ts";
import type { InvoiceRecord } from "../gateway/invoiceRecord.ts";
import { KeyedLock } from "../base/keyedLock.ts";
import { OrderUpdate, type Outcome } from "./orderUpdate.ts";
import { PaymentBook, type NotedPayment } from "./paymentBook.ts";
import { VENDURE_LIMITS } from "../base/pluginLimits.ts";
import { LOG_CONTEXT, OPTIONS, type CheckedOptions } from "../base/pluginOptions.ts";

/** What became of a hint. `unknown`: no payment of this shop has the invoice. `mismatch`: the gateway's record is of another order or amount. */
export type SyncResult = "applied" | "duplicate" | "unknown" | "mismatch";

/** Who asks: an event, and the version of the invoice that it told of. */
export type SyncCause = { readonly event: string; readonly version: number };

/** States of an order in which it still wants a payment. */
const WAITING: ReadonlySet<string> = new Set(["ArrangingPayment", "ArrangingAdditionalPayment"]);

/** Databases with locks on rows, for shops of several processes. Others have one process, which has a lock of its own. */
const ROW_LOCKS: ReadonlySet<string> = new Set(["postgres", "mysql", "mariadb"]);

/**
 * Brings a payment and its order to what the invoice says. Whoever asks for it only gives a hint: the invoice is read from the
 * gateway each time, and that record alone decides.
 */
@Injectable()
export class InvoiceSync {
  readonly #options: CheckedOptions;
  readonly #client: GatewayClient;
  readonly #book: PaymentBook;
  readonly #update: OrderUpdate;
  readonly #connection: TransactionalConnection;
  readonly #lock = new KeyedLock(VENDURE_LIMITS.waitersPerInvoice);

  constructor(
    @Inject(OPTIONS) options: CheckedOptions,
    client: GatewayClient,
    book: PaymentBook,
    update: OrderUpdate,
    connection: TransactionalConnection,
  ) {
    this.#options = options;
    this.#client = client;
    this.#book = book;
    this.#update = update;
    this.#connection = connection;
  }

  /** Reads an invoice and applies it. Rejects with a `GatewayFailure`, `LockBusy` or `UpdateFailure`: the hint is to come again. */
  async sync(invoice: string, cause: SyncCause | null): Promise<SyncResult> {
    const [known] = await this.#book.ofInvoice(await this.#book.anyContext(), invoice);
    if (known === undefined) return "unknown";
    return this.#lock.with(String(known.payment.order.id), () => this.#syncAlone(invoice, cause));
  }

  async #syncAlone(invoice: string, cause: SyncCause | null): Promise<SyncResult> {
    const found = await this.#book.ofInvoice(await this.#book.anyContext(), invoice);
    const one = currentOf(found);
    if (one === null) return "unknown";
    if (cause !== null && found.some(({ note }) => note.events.includes(cause.event))) {
      return "duplicate";
    }
    const ctx = await this.#book.contextOf(one.note);
    if (ctx === null) return "unknown";
    const record = await this.#read(one, cause);
    return this.#connection.withTransaction(ctx, (inner) => this.#apply(inner, record, cause));
  }

  /** The record, after a late payment was accepted where the shop wants that. */
  async #read({ note, payment }: NotedPayment, cause: SyncCause | null): Promise<InvoiceRecord> {
    const record = await this.#client.readInvoice(note.invoice);
    if (cause !== null && record.version < cause.version) {
      throw new GatewayFailure("unreachable", "the gateway answers with an older version");
    }
    const { status, isSettled, isMarked, orderId, amountSompi } = record;
    const isOurs = orderId === payment.order.code && String(amountSompi) === note.amountSompi;
    const isWanted = WAITING.has(payment.order.state) && !note.isFulfilled && isOurs;
    const mayAccept = this.#options.latePayments === "accept" && isWanted;
    if (!mayAccept || status !== "paidLate" || !isSettled || isMarked) return record;
    try {
      return await this.#client.markSettled(note.invoice, "The shop takes late payments.");
    } catch (error) {
      if (!(error instanceof GatewayFailure) || error.kind === "unreachable") throw error;
      Logger.warn(`a late payment was not accepted: ${error.message}`, LOG_CONTEXT);
      return record;
    }
  }

  /** In a transaction: what is written is read again in it. */
  async #apply(
    ctx: RequestContext,
    record: InvoiceRecord,
    cause: SyncCause | null,
  ): Promise<SyncResult> {
    const [first] = await this.#book.ofInvoice(ctx, record.id);
    if (first === undefined) return "unknown";
    const order = await this.#orderOf(ctx, first);
    const found = await this.#book.ofInvoice(ctx, record.id);
    const one = currentOf(found);
    if (one === null) return "unknown";
    const { note } = one;
    const atHand = { ...one, ctx, order, record };
    const isOlder = note.facts !== null && record.version < note.facts.version;
    const isSame = note.facts !== null && saysTheSame(note.facts, record);
    if (record.orderId !== order.code || String(record.amountSompi) !== note.amountSompi) {
      if (!isSame) await this.#update.reportMismatch(atHand);
      await this.#write(ctx, one, {
        ...note,
        facts: factsOf(record),
        events: eventsOf(note, cause),
      });
      return "mismatch";
    }
    for (const other of found) {
      if (other !== one && other.payment.state === "Created") await this.#update.cancel(ctx, other);
    }
    const outcome: Outcome = isOlder || isSame ? note : await this.#update.apply(atHand);
    await this.#write(ctx, one, {
      ...note,
      facts: isOlder ? note.facts : factsOf(record),
      expiresAt: record.expiresAt,
      events: eventsOf(note, cause),
      isFulfilled: outcome.isFulfilled,
      isTakenBack: outcome.isTakenBack,
    });
    return "applied";
  }

  async #orderOf(ctx: RequestContext, { payment }: NotedPayment): Promise<Order> {
    const { type } = this.#connection.rawConnection.options;
    if (ROW_LOCKS.has(type)) {
      const lock = { mode: "pessimistic_write" } as const;
      await this.#connection
        .getRepository(ctx, Order)
        .findOneOrFail({ where: { id: payment.order.id }, lock, loadEagerRelations: false });
    }
    return this.#connection.getEntityOrThrow(ctx, Order, payment.order.id, {
      relations: ["payments", "lines", "surcharges", "shippingLines"],
    });
  }

  /** Writes the note alone: the payment's state has been written by the shop meanwhile. */
  async #write(ctx: RequestContext, { payment }: NotedPayment, note: InvoiceNote): Promise<void> {
    const repository = this.#connection.getRepository(ctx, Payment);
    const now = await repository.findOneByOrFail({ id: payment.id });
    const claims = noteOf(now)?.claims ?? note.claims;
    now.metadata = metadataOf({ ...note, claims, readAt: this.#options.nowS() });
    await repository.save(now, { reload: false });
  }
}

/** The payment that an invoice counts for: one that counted before, else the newest that is not cancelled, else the newest. */
function currentOf(found: readonly NotedPayment[]): NotedPayment | null {
  const inState = (state: string) => found.find(({ payment }) => payment.state === state);
  return inState("Settled") ?? inState("Authorized") ?? inState("Created") ?? found[0] ?? null;
}

function eventsOf({ events }: InvoiceNote, cause: SyncCause | null): readonly string[] {
  return cause === null ? events : [cause.event, ...events].slice(0, VENDURE_LIMITS.eventsKept);
}
