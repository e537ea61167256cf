/**
 * Durable Object of one invoice: it stores the invoice with its refunds and what is told of it, and applies what happens to them.
 *
 * A change goes in this order: D1 hears that the object is due in a few seconds; the change and its events are written together; the
 * list and the deliveries follow from these, and then the queue hears of them; the object is due when time changes the invoice
 * next. Whatever is lost in between, alarm or sweep call the object, and it goes on.
 */
import {
  asTimestampMs,
  type BlockHash,
  type BlueScore,
  type NoteCommitment,
  type RefundId,
  type TimestampMs,
} from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ToldEvent } from "@svc/shared/gateway/gatewayPorts.ts";
import type { Invoice } from "@svc/shared/invoice/invoice.ts";
import { decodeInvoice, encodeInvoice } from "@svc/shared/invoice/invoiceCodec.ts";
import type { ChainDepth } from "@svc/shared/light/workLadder.ts";
import { createdEvent, type InvoiceEvent } from "@svc/shared/invoice/invoiceEvent.ts";
import type { InvoiceInput } from "@svc/shared/invoice/invoiceInput.ts";
import { nextLookMs, reduceInvoice, settlesAt } from "@svc/shared/invoice/reduceInvoice.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { DueObject } from "../../platform/dueObject.ts";
import { answering, type ObjectAnswer } from "../../platform/objectAnswer.ts";
import { Turns } from "../../platform/turns.ts";
import { readChainTip } from "../scanner/chainTip.ts";
import { edgePlace } from "../edgePlace.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import {
  InvoiceRefunds,
  type GivenRefund,
  type RefundChange,
  type RefundOrder,
  type RefundStep,
} from "./invoiceRefunds.ts";
import { CheckoutSockets, SOCKET_HOST } from "./checkoutSockets.ts";
import { InvoiceRows } from "./invoiceRows.ts";
import { receiptInputOf, type ToldReceipt } from "./receiptRows.ts";
import { relayEvents } from "./relayEvents.ts";
import { SCANNER_OBJECT } from "./scannerObject.ts";

/** An invoice as its object gives it: JSON, and how often it was written. */
export type GivenInvoice = { readonly json: string; readonly revision: number };

/** What an invoice is changed by. */
export type InvoiceChange = {
  readonly inputs: readonly InvoiceInput[];
  /** What was told of receipts of its payments, once the inputs are applied. */
  readonly receipts: readonly ToldReceipt[];
  /** Where the chain stands; null for where D1 has it. */
  readonly depth: ChainDepth | null;
  /** When a scanner saw it; null where none did. */
  readonly seenMs: TimestampMs | null;
  /** Changes this revision alone; null for any. */
  readonly revision: number | null;
};

/** The invoice after a change, or as it is where it has another revision than the change is for. */
export type ChangedInvoice = GivenInvoice & {
  readonly isChanged: boolean;
  /** Blue score of the sink that settles its next payment; null where none waits for that. */
  readonly settlesAt: bigint | null;
};

const FULL = 503;

/** The object of an invoice. It is woken by its alarm or by the sweep. */
export class InvoiceObject extends DueObject<GatewayEnv> {
  protected override readonly kind = "INVOICES";
  readonly #rows = new InvoiceRows(this.ctx.storage);
  readonly #refunds = new InvoiceRefunds(this.ctx.storage);
  readonly #sockets = new CheckoutSockets(this.ctx, this.env);
  readonly #turns = new Turns();

  /** Stores a new invoice, unless it is there; answers with the one that is. Answers with what D1 says. */
  make(json: string): Promise<ObjectAnswer<string>> {
    return this.#turn(async () => {
      const known = this.#rows.read();
      if (known !== null) return encodeInvoice(known.invoice);
      const invoice = decodeInvoice(json);
      await this.#write(invoice, [createdEvent(invoice)], await this.#tip());
      await this.#follow();
      return json;
    });
  }

  /** The invoice; null where there is none. */
  async read(): Promise<GivenInvoice | null> {
    const known = this.#rows.read();
    if (known === null) return null;
    return { json: encodeInvoice(known.invoice), revision: known.revision };
  }

  /** Applies what happened. Answers with `gateway/no-invoice`, and with what D1 says, and then nothing has changed. */
  change(change: InvoiceChange): Promise<ObjectAnswer<ChangedInvoice>> {
    return this.#turn(async () => {
      const { receipts, revision } = change;
      const inputs = [...change.inputs, ...receipts.map(receiptInputOf)];
      const { tip, ladder } = change.depth ?? (await this.#depth());
      const before = this.#rows.read();
      if (before === null) throw new SvcError("gateway/no-invoice", {});
      if (revision !== null && revision !== before.revision) return given(before, false);
      const nowMs = this.now();
      const seenMs = earlier(change.seenMs, nowMs);
      const { invoice, events } = reduceInvoice(before.invoice, inputs, {
        nowMs,
        tip,
        ladder,
        seenMs,
      });
      // A receipt takes the place of another one without a change of the invoice.
      const isNews = invoice !== before.invoice || receipts.length > 0;
      if (isNews) await this.#write(invoice, events, tip, receipts);
      await this.#follow();
      await this.#tellPages();
      return given(this.#rows.read() ?? before, true);
    });
  }

  /** The file of the receipt of a payment that this block accepts; null for none. */
  async receipt(cmx: NoteCommitment, block: BlockHash): Promise<ArrayBuffer | null> {
    return this.#rows.receipt(cmx, block);
  }

  /** What was told of it below a version, the newest first. */
  async told(version: number, limit: number): Promise<ToldEvent[]> {
    return [...this.#rows.below(version, limit)];
  }

  /** Offers a refund, or gives the one of this id. Answers with what `InvoiceRefunds.offer` throws, and with what D1 says. */
  offerRefund(order: RefundOrder): Promise<ObjectAnswer<GivenRefund>> {
    return this.#refund((invoice) => this.#refunds.offer(invoice, order, this.now()));
  }

  /** Changes a refund. Answers with what `InvoiceRefunds.change` throws, and with what D1 says, and then nothing has changed. */
  changeRefund(change: RefundChange): Promise<ObjectAnswer<GivenRefund>> {
    return this.#refund((invoice) => this.#refunds.change(invoice, change, this.now()));
  }

  /** A refund as it is now, as JSON. Answers with `gateway/no-refund`. */
  async readRefund(id: RefundId): Promise<ObjectAnswer<string>> {
    return answering(async () => this.#refunds.read(id, this.now()));
  }

  /**
   * Opens a WebSocket that hears of the invoice (`checkoutSockets.ts`). Only the Worker can ask for it. Answers 404 where there is no invoice,
   * and 503 where too many are open.
   */
  override fetch(request: Request): Promise<Response> {
    return this.#turns.take(async () => {
      const known = this.#rows.read();
      if (known === null) return new Response(null, { status: 404 });
      const { invoice } = known;
      const host = request.headers.get(SOCKET_HOST) ?? "";
      if (this.#sockets.isFull(host)) return new Response(null, { status: FULL });
      // Before it opens: what fails leaves none open of which nobody knows.
      await this.env.SCANNERS.getByName(SCANNER_OBJECT).watch(invoice.terms.id);
      const endMs = this.now() + EDGE_LIMITS.socketLifeMs;
      await this.setDue(sooner(await this.due(), endMs));
      return this.#sockets.open(invoice, await this.#tip(), host);
    });
  }

  /** A client has nothing to say. */
  override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    this.#sockets.heard(socket, message);
  }

  /** Ends a closing that the client began. */
  override webSocketClose(socket: WebSocket): void {
    if (socket.readyState !== WebSocket.READY_STATE_CLOSED) socket.close();
  }

  /** The chain has grown: pages count confirmations. False where none looks any more. */
  tellTip(): Promise<boolean> {
    return this.#turns.take(async () => {
      await this.#tellPages();
      return this.#sockets.count > 0;
    });
  }

  protected override onDue(): Promise<TimestampMs | null> {
    return this.#turns.take(async () => {
      this.#sockets.closeOld();
      const before = this.#rows.read();
      if (before === null) return null;
      const { tip, ladder } = await this.#depth();
      const moment = { nowMs: this.now(), tip, ladder };
      const { invoice, events } = reduceInvoice(before.invoice, [{ kind: "look" }], moment);
      if (invoice !== before.invoice) {
        this.#rows.write(invoice, events, edgePlace(this.env, tip, moment.nowMs));
      }
      const next = await this.#relayed(invoice);
      await this.#tellPages();
      return next;
    });
  }

  #refund(step: (invoice: Invoice) => RefundStep): Promise<ObjectAnswer<GivenRefund>> {
    return this.#turn(async () => {
      const known = this.#rows.read();
      if (known === null) throw new SvcError("gateway/no-invoice", {});
      const { given: answer, write } = step(known.invoice);
      if (write === null) return answer;
      await this.#dueSoon();
      write();
      await this.#follow();
      return answer;
    });
  }

  #turn<T>(work: () => Promise<T>): Promise<ObjectAnswer<T>> {
    return answering(() => this.#turns.take(work));
  }

  /** D1 hears first that there will be something to do. */
  async #write(
    invoice: Invoice,
    events: readonly InvoiceEvent[],
    tip: BlueScore | null,
    receipts: readonly ToldReceipt[] = [],
  ): Promise<void> {
    await this.#dueSoon();
    this.#rows.write(invoice, events, edgePlace(this.env, tip, this.now()), receipts);
  }

  async #dueSoon(): Promise<void> {
    const soon = asTimestampMs(this.now() + EDGE_LIMITS.dueRetryMs);
    await this.setDue(earlier(await this.due(), soon));
  }

  /** What follows from what is written. Never rejects: what fails is done when the object is due. */
  async #follow(): Promise<void> {
    const known = this.#rows.read();
    if (known === null) return;
    try {
      await this.setDue(await this.#relayed(known.invoice));
    } catch (thrown) {
      console.error(`an invoice is not on the list yet: ${SvcError.from(thrown).code}`);
    }
  }

  /** Tells list, deliveries and queue; resolves with when the object is due next. */
  async #relayed(invoice: Invoice): Promise<TimestampMs | null> {
    for (;;) {
      const events = this.#rows.toRelay(EDGE_LIMITS.relayEvents);
      const last = events.at(-1);
      if (last === undefined) break;
      await relayEvents(this.env, invoice, events, this.now());
      this.#rows.relayed(last.version);
    }
    await this.#refunds.relay(this.env.DB, invoice);
    const next = sooner(nextLookMs(invoice), this.#sockets.endMs());
    if (next === null) return null;
    // What a look does not change would be due for ever.
    const least = this.now() + EDGE_LIMITS.dueRetryMs;
    return asTimestampMs(next > this.now() ? next : least);
  }

  /** Tells the pages that look at it. Never rejects: they hear of it with the next change. */
  async #tellPages(): Promise<void> {
    const known = this.#rows.read();
    if (known === null || this.#sockets.count === 0) return;
    try {
      await this.#sockets.tell(known.invoice, await this.#tip());
    } catch (thrown) {
      console.error(`pages did not hear of an invoice: ${SvcError.from(thrown).code}`);
    }
  }

  async #tip(): Promise<BlueScore | null> {
    return (await this.#depth()).tip;
  }

  async #depth(): Promise<ChainDepth> {
    const chain = await readChainTip(this.env.DB);
    return { tip: chain?.blueScore ?? null, ladder: chain?.ladder ?? null };
  }
}

function given(
  { invoice, revision }: { readonly invoice: Invoice; readonly revision: number },
  isChanged: boolean,
): ChangedInvoice {
  return { json: encodeInvoice(invoice), revision, isChanged, settlesAt: settlesAt(invoice) };
}

function sooner(a: bigint | null, b: bigint | null): TimestampMs | null {
  const [first] = [a, b].filter((ms) => ms !== null).toSorted((x, y) => (x < y ? -1 : 1));
  return first === undefined ? null : asTimestampMs(first);
}

function earlier(a: TimestampMs | null, b: TimestampMs): TimestampMs {
  return a === null || b < a ? b : a;
}
