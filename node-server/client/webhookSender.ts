/**
 * Sends webhooks from a queue: a bounded number at once, of each lane one after the other, again with growing pauses until the
 * receiver takes them, or until it is too late. What was sent and not written down is sent again: a receiver knows events by id.
 */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { signWebhook } from "@svc/shared/protocol/webhook/signature.ts";
import type { Log } from "../platform/log/log.ts";
import type { Clock } from "../platform/time/clock.ts";
import { withinMs } from "../platform/time/withinMs.ts";
import { CLIENT_LIMITS } from "./clientLimits.ts";
import type {
  DeliveryContent,
  DeliveryOutcome,
  DeliveryQueue,
  DueDelivery,
} from "./deliveryQueue.ts";
import { postWebhook, type WebhookPost } from "./webhookPost.ts";

/** Dependencies of a sender. */
export type WebhookSenderParts = {
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
  /** 32 random bits, for pauses. */
  readonly random: () => number;
  readonly log: Log;
  /** `postWebhook` unless a test gives another. */
  readonly post?: (post: WebhookPost, signal: AbortSignal) => Promise<void>;
};

/** Receivers that are not there any more say so. */
const GONE = "410";
const RANDOM_RANGE = 2 ** 32;
const GROWTH = 5;

/** A sender of webhooks. */
export class WebhookSender {
  readonly #parts: WebhookSenderParts;
  readonly #life = new AbortController();
  /** Lanes with a delivery under way. */
  readonly #busy = new Map<string, Promise<void>>();
  #run: Promise<void> | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor(parts: WebhookSenderParts) {
    this.#parts = parts;
  }

  /** Deliveries under way. */
  get underWay(): number {
    return this.#busy.size;
  }

  /** Begins to send. */
  start(): void {
    this.#run ??= this.#loop(this.#life.signal);
  }

  /** There is something new in the queue. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Breaks off what is under way, without counting it as a try, and ends. */
  async stop(): Promise<void> {
    this.#life.abort();
    await this.#run;
    await Promise.all(this.#busy.values());
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        this.#begin(signal);
      } catch (thrown) {
        this.#parts.log.error({ err: SvcError.from(thrown) }, "the queue of webhooks failed");
      }
      await this.#untilWoken(signal);
    }
  }

  /** Begins with what is due and has a place. */
  #begin(signal: AbortSignal): void {
    const { queue, clock } = this.#parts;
    const most = CLIENT_LIMITS.webhookConcurrency;
    const now = asTimestampMs(clock.nowMs());
    for (const delivery of queue.due(now, most + this.#busy.size)) {
      if (this.#busy.size >= most) return;
      if (this.#busy.has(delivery.lane)) continue;
      const run = this.#deliver(delivery, signal).finally(() => {
        this.#busy.delete(delivery.lane);
        this.wake();
      });
      this.#busy.set(delivery.lane, run);
    }
  }

  /** Never rejects. A lane whose outcome cannot be written down waits as after a try that failed. */
  async #deliver(delivery: DueDelivery, signal: AbortSignal): Promise<void> {
    const { queue, clock, log } = this.#parts;
    try {
      const content = queue.content(delivery);
      const error = content === null ? null : await this.#try(content, delivery, signal);
      if (signal.aborted) return;
      queue.settle(delivery, this.#outcome(delivery, error));
    } catch (thrown) {
      log.error({ err: SvcError.from(thrown) }, "a delivery could not be written down");
      await clock.sleep(CLIENT_LIMITS.webhookRetryFirstMs, signal).catch(() => undefined);
    }
  }

  /** Sends it; resolves with why it was not taken, or null. */
  async #try(
    { endpoint, id, type, body }: DeliveryContent,
    { attempts }: DueDelivery,
    signal: AbortSignal,
  ): Promise<ErrorJson | null> {
    const { clock, post = postWebhook } = this.#parts;
    const { url, reach, secret } = endpoint;
    const bound = { waitMs: CLIENT_LIMITS.webhookAnswerMs, what: "webhook", signal };
    try {
      const sentAt = clock.nowMs() / 1_000n;
      const headers = {
        ...(await signWebhook(secret, { id, sentAt, body })),
        "svc-event-id": id,
        "svc-event-type": type,
        "svc-delivery-attempt": String(attempts + 1),
      };
      await withinMs(clock, bound, (either) => post({ url, reach, headers, body }, either));
      return null;
    } catch (thrown) {
      return SvcError.from(thrown).toJSON();
    }
  }

  #outcome({ attempts, createdMs }: DueDelivery, error: ErrorJson | null): DeliveryOutcome {
    if (error === null) return { kind: "delivered" };
    const now = this.#parts.clock.nowMs();
    const isOver = now - createdMs >= CLIENT_LIMITS.webhookGiveUpMs;
    if (isOver || error.data["status"] === GONE) return { kind: "dead", error };
    return { kind: "again", atMs: asTimestampMs(now + this.#pauseMs(attempts)), error };
  }

  #pauseMs(attempts: number): bigint {
    const { webhookRetryFirstMs, webhookRetryLongestMs, webhookJitterPercent } = CLIENT_LIMITS;
    const grown = webhookRetryFirstMs * GROWTH ** Math.min(attempts, 16);
    const share = (2 * this.#parts.random()) / RANDOM_RANGE - 1;
    const factor = 1 + (share * webhookJitterPercent) / 100;
    return BigInt(Math.round(Math.min(grown, webhookRetryLongestMs) * factor));
  }

  async #untilWoken(signal: AbortSignal): Promise<void> {
    if (!this.#woken) {
      const over = new AbortController();
      this.#wake = () => over.abort();
      signal.addEventListener("abort", this.#wake, { once: true });
      if (signal.aborted) over.abort();
      await this.#parts.clock.sleep(this.#idleMs(), over.signal).catch(() => undefined);
      signal.removeEventListener("abort", this.#wake);
      this.#wake = () => undefined;
    }
    this.#woken = false;
  }

  /** Until the next delivery is due; with all places taken, or where the due ones have their lanes busy, until one ends. */
  #idleMs(): number {
    const { queue, clock } = this.#parts;
    const longest = CLIENT_LIMITS.webhookLookMs;
    if (this.#busy.size > 0) return longest;
    try {
      const next = queue.nextMs();
      const left = next === null ? longest : Number(next - clock.nowMs());
      return Math.min(longest, Math.max(1, left));
    } catch {
      return longest;
    }
  }
}
