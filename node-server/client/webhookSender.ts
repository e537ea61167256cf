/**
 * Sends webhooks from a queue: a bounded number at once, of each lane one after the other, again with growing pauses until the
 * receiver takes them, or until it is too late. What was sent and not written down is sent again: a receiver knows events by id.
 */
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { nextTryMs, type RetrySchedule } from "@svc/shared/gateway/retrySchedule.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { deliveryHeaders } from "@svc/shared/protocol/webhook/deliveryHeaders.ts";
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
  /** What signatures name the time by; `clock` when left out. A receiver holds it against its own clock. */
  readonly signClock?: Pick<Clock, "nowMs">;
  /** 32 random bits, for pauses. */
  readonly random: () => number;
  readonly log: Pick<Log, "error">;
  /** Deliveries under way at once; `webhookConcurrency` when left out. */
  readonly concurrency?: number;
  /** That of the wallet daemon when left out. */
  readonly retries?: RetrySchedule;
  /** `postWebhook` unless a test gives another. */
  readonly post?: (post: WebhookPost, signal: AbortSignal) => Promise<void>;
};

/** Receivers that are not there any more say so. */
const GONE = "410";
const GROWTH = 5;

/** The schedule of the wallet daemon: each pause is five times the one before it, up to the longest. */
const DAEMON_RETRIES: RetrySchedule = {
  pausesMs: growingPauses(),
  jitterPercent: CLIENT_LIMITS.webhookJitterPercent,
  giveUpMs: CLIENT_LIMITS.webhookGiveUpMs,
};

function growingPauses(): [number, ...number[]] {
  const { webhookRetryFirstMs, webhookRetryLongestMs } = CLIENT_LIMITS;
  const pauses: [number, ...number[]] = [webhookRetryFirstMs];
  for (let pause: number = webhookRetryFirstMs; pause < webhookRetryLongestMs;) {
    pause = Math.min(pause * GROWTH, webhookRetryLongestMs);
    pauses.push(pause);
  }
  return pauses;
}

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

  /** Sends everything that is due now, and what becomes due meanwhile; for who sends without a loop. Rejects with `store/…`. */
  async drain(): Promise<void> {
    for (;;) {
      this.#begin(this.#life.signal);
      if (this.#busy.size === 0) return;
      await Promise.all(this.#busy.values());
    }
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
    const { queue, clock, concurrency } = this.#parts;
    const most = concurrency ?? CLIENT_LIMITS.webhookConcurrency;
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
    const { clock, signClock = clock, post = postWebhook } = this.#parts;
    const { url, reach, secret, form = "svc" } = endpoint;
    const bound = { waitMs: PROTOCOL_LIMITS.webhookAnswerMs, what: "webhook", signal };
    try {
      const sentAt = signClock.nowMs() / 1_000n;
      const message = { id, sentAt, body };
      const headers = await deliveryHeaders({ form, secret, message, type, attempts });
      await withinMs(clock, bound, (either) => post({ url, reach, headers, body }, either));
      return null;
    } catch (thrown) {
      return SvcError.from(thrown).toJSON();
    }
  }

  #outcome({ attempts, createdMs }: DueDelivery, error: ErrorJson | null): DeliveryOutcome {
    if (error === null) return { kind: "delivered" };
    const { clock, random, retries = DAEMON_RETRIES } = this.#parts;
    const nowMs = asTimestampMs(clock.nowMs());
    const failed = { failedBefore: attempts, createdMs, nowMs, random: random() };
    const atMs = error.data["status"] === GONE ? null : nextTryMs(retries, failed);
    return atMs === null ? { kind: "dead", error } : { kind: "again", atMs, error };
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
