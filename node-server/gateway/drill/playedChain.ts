/**
 * The chain of a drill, and the shop's line to it: payments that nobody made, blocks that nobody mined, time that did not pass, and
 * webhooks that do not come through. The gateway over it is the real one.
 */
import { abortable } from "@svc/shared/base/abort.ts";
import {
  asBlockHash,
  asBlueScore,
  asDaaScore,
  asNoteCommitment,
  asSompi,
  asTimestampMs,
  asTxId,
  type InvoiceId,
} from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { eventBodyOf } from "@svc/shared/gateway/eventBodyOf.ts";
import type { AcceptingBlock, Invoice, PaymentOutput } from "@svc/shared/invoice/invoice.ts";
import type { PaymentInput } from "@svc/shared/invoice/applyToPayments.ts";
import type { RecordPlace } from "@svc/shared/gateway/invoiceRecordOf.ts";
import { reduceInvoice } from "@svc/shared/invoice/reduceInvoice.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { deliveryHeaders } from "@svc/shared/protocol/webhook/deliveryHeaders.ts";
import { webhookUrl, type WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { postWebhook, type WebhookPost } from "../../client/webhookPost.ts";
import type { WebhookSender } from "../../client/webhookSender.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { withinMs } from "../../platform/time/withinMs.ts";
import { applyFacts } from "../desk/applyScan.ts";
import { deliveryIdOf } from "../desk/deliveryId.ts";
import type { DeskLooks } from "../desk/deskLooks.ts";
import type { InvoiceDesk } from "../desk/invoiceDesk.ts";
import type { InvoiceWatch } from "../desk/invoiceWatch.ts";
import type { ConfiguredWebhook, WebhookDesk } from "../desk/webhookDesk.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import type { OffsetClock } from "./offsetClock.ts";

/** The desks that the chain is played to. */
export type PlayedDesks = {
  readonly store: GatewayStore;
  readonly desk: InvoiceDesk;
  readonly looks: DeskLooks;
  readonly watch: InvoiceWatch;
  readonly webhooks: WebhookDesk;
  readonly sender: WebhookSender;
  readonly place: () => RecordPlace;
};

/** What else it needs. */
export type PlayedChainParts = {
  /** That of the desks. */
  readonly clock: OffsetClock;
  /** The machine's: shops hold signatures against theirs. */
  readonly realClock: Clock;
  readonly webhook: ConfiguredWebhook;
  readonly reach: WebhookReach;
  readonly randomBytes: (length: number) => Uint8Array;
};

/** A payment and the block that accepted it. */
export type PlayedPayment = { readonly output: PaymentOutput; readonly block: AcceptingBlock };

/** What is wrong with a webhook that the gateway did not send. */
export type Forgery = "secret" | "time";

/** What became of one: the shop refused it, took it, or did not answer. */
export type ForgeryEnd = "refused" | "taken" | "unanswered";

const FIRST_SCORE = 1_000_000n;
const ID_BYTES = 32;
const MS_PER_SECOND = 1_000n;
/** Beyond what a shop may take as the time of now. */
const OLD_S = PROTOCOL_LIMITS.webhookToleranceS + 60n;
const HANDED_OVER_FOR: readonly string[] = ["invoice.confirmed", "invoice.overpaid"];

/** The chain. */
export class PlayedChain {
  readonly #parts: PlayedChainParts;
  #desks: PlayedDesks | null = null;
  #score = FIRST_SCORE;
  #isDown = false;
  #made: PromiseWithResolvers<InvoiceId> | null = null;

  constructor(parts: PlayedChainParts) {
    this.#parts = parts;
  }

  /** Begins, with the desks of the gateway. */
  begin(desks: PlayedDesks): void {
    this.#desks = desks;
    desks.looks.moveTip(asBlueScore(this.#score));
  }

  /** An invoice was made. */
  made(id: InvoiceId): void {
    this.#made?.resolve(id);
  }

  /** Sends a webhook, where the line to the shop is not down. Rejects with `webhook/…`. */
  async post(post: WebhookPost, signal: AbortSignal): Promise<void> {
    if (this.#isDown)
      throw new SvcError("webhook/unreachable", { reason: "the drill holds it back" });
    return postWebhook(post, signal);
  }

  /** The next invoice that the shop makes. Rejects with `run/aborted`. */
  async nextInvoice(signal: AbortSignal): Promise<InvoiceId> {
    const made = Promise.withResolvers<InvoiceId>();
    const end = (): void => made.reject(new SvcError("run/aborted", {}));
    this.#made = made;
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
    try {
      return await made.promise;
    } finally {
      signal.removeEventListener("abort", end);
      this.#made = null;
    }
  }

  /** The invoice as it is. Throws `gateway/no-invoice`. */
  invoice(id: InvoiceId): Invoice {
    const invoice = this.#at().store.invoices.get(id);
    if (invoice === undefined) throw new SvcError("gateway/no-invoice", {});
    return invoice;
  }

  /** The next block accepts a payment of so many sompi. */
  mine(id: InvoiceId, amount: bigint): PlayedPayment {
    const payment = { output: this.#output(amount), block: this.#nextBlock() };
    this.#apply(id, { kind: "mined", ...payment });
    return payment;
  }

  /** Another block accepts a payment that lost its own. */
  mineAgain(id: InvoiceId, { output }: PlayedPayment): void {
    this.#apply(id, { kind: "mined", output, block: this.#nextBlock() });
  }

  /** A reorganisation takes away the block of a payment. */
  orphan(id: InvoiceId, { output, block }: PlayedPayment): void {
    this.#apply(id, { kind: "orphaned", output, block: block.hash });
  }

  /** So many blocks come as an invoice asks for. */
  bury(id: InvoiceId): void {
    this.#score += this.invoice(id).terms.policy.requiredBlueScore + 1n;
    this.#at().looks.moveTip(asBlueScore(this.#score));
  }

  /** Time passes. */
  pass(ms: bigint): void {
    this.#parts.clock.pass(ms);
    this.#at().looks.wake();
  }

  /** Lets no webhook through for so long. */
  async holdWebhooks(ms: bigint, signal: AbortSignal): Promise<void> {
    this.#isDown = true;
    const step = GATEWAY_LIMITS.drillStepMs;
    for (let left = ms; left > 0n; left -= step) {
      await this.#sendDue(signal);
      this.pass(left < step ? left : step);
    }
    await this.#sendDue(signal);
  }

  /** Lets webhooks through again, and passes the time until those that failed are sent again. */
  async freeWebhooks(signal: AbortSignal): Promise<void> {
    this.#isDown = false;
    await this.#sendAgain(GATEWAY_LIMITS.drillCatchUps, null, signal);
  }

  /** Looks at the invoices and sends what is due, and again soon what the shop did not take. */
  async settle(signal: AbortSignal): Promise<void> {
    await this.#sendDue(signal);
    const { drillRetries, drillRetryMs } = GATEWAY_LIMITS;
    if (!this.#isDown) await this.#sendAgain(drillRetries, drillRetryMs, signal);
  }

  /** Tells once more that goods may leave for an invoice: each such delivery a second time. */
  async tellAgain(id: InvoiceId, signal: AbortSignal): Promise<void> {
    const { store, webhooks } = this.#at();
    const { merchant } = this.#parts.webhook;
    for (const { id: endpoint } of store.endpoints.of(merchant)) {
      for (const { row, ...place } of store.deliveries.list(
        endpoint,
        null,
        GATEWAY_LIMITS.drillDeliveries,
      )) {
        const { event } = row;
        if (event === null || event.invoice !== id) continue;
        const told = store.events.get(event.invoice, event.version);
        if (told === undefined || !HANDED_OVER_FOR.includes(told.type)) continue;
        await webhooks.redeliver(merchant, endpoint, deliveryIdOf(place));
      }
    }
    await this.#sendDue(signal);
  }

  /** Tells the shop of a payment that there is none of, as somebody could who is not the gateway. */
  async forge(id: InvoiceId, forgery: Forgery, signal: AbortSignal): Promise<ForgeryEnd> {
    const { realClock, webhook, reach } = this.#parts;
    const { id: event, type, body } = this.#forgedEvent(id);
    const isOld = forgery === "time";
    const secret = isOld ? webhook.secret : encodeHex(this.#parts.randomBytes(ID_BYTES));
    const sentAt = realClock.nowMs() / MS_PER_SECOND - (isOld ? OLD_S : 0n);
    const message = { id: event, sentAt, body };
    const headers = await deliveryHeaders({ form: "svc", secret, message, type, attempts: 0 });
    const url = webhookUrl(webhook.url, reach);
    const bound = { waitMs: PROTOCOL_LIMITS.webhookAnswerMs, what: "webhook", signal };
    try {
      await withinMs(realClock, bound, (either) =>
        postWebhook({ url, reach, headers, body }, either),
      );
      return "taken";
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return SvcError.is(thrown, "webhook/refused") ? "refused" : "unanswered";
    }
  }

  #at(): PlayedDesks {
    if (this.#desks === null)
      throw new SvcError("internal/unexpected", { message: "the drill has no desks yet" });
    return this.#desks;
  }

  #apply(id: InvoiceId, input: PaymentInput): void {
    const { store, desk, looks, watch } = this.#at();
    const { key, index } = this.invoice(id).terms.address;
    store.commit((batch) => applyFacts({ store, desk }, batch, [{ key, index, input }]));
    looks.moveTip(asBlueScore(this.#score));
    watch.moved();
  }

  async #sendDue(signal: AbortSignal): Promise<void> {
    const { looks, watch, sender } = this.#at();
    await looks.look(signal);
    watch.moved();
    await abortable(sender.drain(), signal);
  }

  /** Moves the clock to what is sent next, so often at most; not where that is further away than `mostMs`. */
  async #sendAgain(times: number, mostMs: bigint | null, signal: AbortSignal): Promise<void> {
    const { store } = this.#at();
    for (let tries = 0; tries < times; tries += 1) {
      const next = store.deliveries.nextMs();
      if (next === null) return;
      const leftMs = next - this.#parts.clock.nowMs();
      if (mostMs !== null && leftMs > mostMs) return;
      this.pass(leftMs);
      await this.#sendDue(signal);
    }
  }

  #output(amount: bigint): PaymentOutput {
    return {
      txid: asTxId(this.#digits()),
      outputIndex: 0,
      cmx: asNoteCommitment(this.#digits()),
      amount: asSompi(amount),
    };
  }

  #nextBlock(): AcceptingBlock {
    this.#score += 1n;
    return {
      hash: asBlockHash(this.#digits()),
      blueScore: asBlueScore(this.#score),
      daaScore: asDaaScore(this.#score),
      timestampMs: asTimestampMs(this.#parts.clock.nowMs()),
    };
  }

  #digits(): string {
    return encodeHex(this.#parts.randomBytes(ID_BYTES));
  }

  /** The event that a payment would have made; the invoice stays as it is. */
  #forgedEvent(id: InvoiceId) {
    const invoice = this.invoice(id);
    const { amount, policy } = invoice.terms;
    const block = this.#nextBlock();
    const tip = asBlueScore(block.blueScore + policy.requiredBlueScore + 1n);
    const nowMs = asTimestampMs(this.#parts.clock.nowMs());
    const input = { kind: "mined", output: this.#output(amount), block } as const;
    const { events } = reduceInvoice(invoice, [input], { nowMs, tip });
    const event = events.find(({ type }) => HANDED_OVER_FOR.includes(type));
    if (event === undefined)
      throw new SvcError("gateway/wrong-state", { status: invoice.told.status });
    const body = new TextEncoder().encode(eventBodyOf(event, this.#at().place()));
    return { id: event.id, type: event.type, body };
  }
}
