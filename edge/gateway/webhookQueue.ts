/**
 * Consumer of the webhook queue. A message names a delivery and a try of it; what is sent, whether it is still wanted and when it is
 * due stands in the delivery's row. Each try is written down before the message of the next one is sent, so a message that comes
 * twice, late or early does no harm, and what the queue loses the sweep puts back.
 *
 * A delivery is sent at least once. It ends when the receiver takes it, or as a dead letter: after three days, or at once where the
 * receiver answers 410 or may not be sent to. What one invoice tells one webhook is first tried in the order in which it was told: a
 * delivery waits, not for long, until those before it were tried once.
 */
import * as v from "valibot";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { forEachConcurrent } from "@svc/shared/base/forEachConcurrent.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { GATEWAY_RETRIES, nextTryMs } from "@svc/shared/gateway/retrySchedule.ts";
import { isRedelivery } from "@svc/shared/gateway/greenfield/greenfieldBody.ts";
import { isGreenfieldEventType } from "@svc/shared/gateway/greenfield/greenfieldEventType.ts";
import { isLateTry, isOutdated } from "@svc/shared/gateway/greenfield/isOutdated.ts";
import { PROTOCOL_LIMITS } from "@svc/shared/protocol/protocolLimits.ts";
import { deliveryHeaders } from "@svc/shared/protocol/webhook/deliveryHeaders.ts";
import type { WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import type { SecretBox, SecretPlace } from "../platform/secretBox.ts";
import type {
  Delivery,
  DeliveryStore,
  DeliveryTarget,
  TryOutcome,
  WebhookMessage,
} from "./deliveryStore.ts";
import { hookTarget } from "./hookTarget.ts";
import { postHook } from "./postHook.ts";

/** Dependencies of the consumer. */
export type WebhookQueueParts = {
  readonly deliveries: DeliveryStore;
  readonly secrets: SecretBox;
  /** Where the message of the next try goes. */
  readonly queue: Pick<Queue<WebhookMessage>, "send" | "sendBatch">;
  readonly reach: WebhookReach;
  readonly now: () => TimestampMs;
  /** 32 random bits, for the jitter. */
  readonly random: () => number;
  /** How long a receiver has; `webhookAnswerMs` when left out. */
  readonly patience?: () => AbortSignal;
  /** Sends a POST; `postHook` when left out. */
  readonly post?: typeof postHook;
};

/** A message, as far as it is handled. */
export type QueuedMessage = Pick<Message, "body" | "ack" | "retry">;

/** The most messages that the platform takes at once. */
const SEND_BATCH = 100;
const GONE = "410";
const form = v.object({
  merchant: v.string(),
  endpoint: v.string(),
  delivery: v.string(),
  attempt: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
});

/** What the secret of an endpoint is sealed for. */
export function webhookSecretPlace(merchant: string, endpoint: string): SecretPlace {
  return { merchant, field: `webhook/${endpoint}` };
}

/** Handles messages, a few at a time. Never rejects: a message whose handling fails comes back later, and at last to the dead letters. */
export async function deliverWebhooks(
  messages: readonly QueuedMessage[],
  parts: WebhookQueueParts,
): Promise<void> {
  await forEachConcurrent(messages, EDGE_LIMITS.callsAtOnce, async (message) => {
    try {
      await handle(message.body, parts);
      message.ack();
    } catch (thrown) {
      console.error(`a webhook could not be handled: ${SvcError.from(thrown).code}`);
      message.retry({ delaySeconds: EDGE_LIMITS.queuePauseS });
    }
  });
}

/** Puts deliveries back into the queue whose message it has lost. Resolves with how many; rejects with what D1 and the queue say. */
export async function sweepWebhooks({
  deliveries,
  queue,
  now,
}: Pick<WebhookQueueParts, "deliveries" | "queue" | "now">): Promise<number> {
  const nowMs = now();
  const before = asTimestampMs(nowMs - EDGE_LIMITS.sweepSlackMs);
  const messages = await deliveries.takeOverdue(before, {
    now: nowMs,
    limit: EDGE_LIMITS.sweepRows,
  });
  await queueWebhooks(queue, messages);
  return messages.length;
}

/** Sends messages, as many at once as the platform takes. Rejects with what the queue says. */
export async function queueWebhooks(
  queue: WebhookQueueParts["queue"],
  messages: readonly WebhookMessage[],
): Promise<void> {
  for (let at = 0; at < messages.length; at += SEND_BATCH) {
    await queue.sendBatch(messages.slice(at, at + SEND_BATCH).map((body) => ({ body })));
  }
}

/**
 * Handles what the queue has given up on: a message whose handling failed again and again. A delivery that is as old as a dead letter
 * becomes one; a younger one is left to the sweep.
 */
export async function buryWebhooks(
  messages: readonly QueuedMessage[],
  { deliveries, now }: Pick<WebhookQueueParts, "deliveries" | "now">,
): Promise<void> {
  await forEachConcurrent(messages, EDGE_LIMITS.callsAtOnce, async (message) => {
    try {
      const read = v.safeParse(form, message.body);
      if (read.success) {
        const { merchant, delivery: id } = read.output;
        const delivery = await deliveries.find({ merchant, id }, now());
        const nowMs = now();
        const isOld = delivery !== null && nowMs - delivery.createdMs >= GATEWAY_RETRIES.giveUpMs;
        const error = new SvcError("webhook/unreachable", { reason: "it could not be handled" });
        if (isOld)
          await deliveries.settle(delivery, { kind: "dead", error: error.toJSON() }, nowMs);
      }
      message.ack();
    } catch (thrown) {
      console.error(`a dead letter could not be written down: ${SvcError.from(thrown).code}`);
      message.retry({ delaySeconds: EDGE_LIMITS.queuePauseS });
    }
  });
}

async function handle(body: unknown, parts: WebhookQueueParts): Promise<void> {
  const { deliveries, queue, now } = parts;
  const read = v.safeParse(form, body);
  if (!read.success) {
    console.error("the webhook queue holds a message that is none");
    return;
  }
  const message = read.output;
  const place = { merchant: message.merchant, id: message.delivery };
  const delivery = await deliveries.find(place, now());
  // Ended, or tried in the meantime by another message of the same try.
  if (delivery === null || delivery.dueMs === null || delivery.attempts !== message.attempt) return;
  if (delivery.dueMs > now()) {
    await queue.send(message, { delaySeconds: delayS(delivery.dueMs, now()) });
    return;
  }
  if (delivery.isBehind && now() - delivery.createdMs < EDGE_LIMITS.orderWaitMs) {
    await queue.send(message, { delaySeconds: EDGE_LIMITS.orderPauseS });
    return;
  }
  const outcome = await attempt(delivery, parts);
  const isOurs = await deliveries.settle(delivery, outcome, now());
  if (!isOurs || outcome.kind !== "again") return;
  const next = { ...message, attempt: message.attempt + 1 };
  await queue.send(next, { delaySeconds: delayS(outcome.atMs, now()) });
}

/** Rounded up: a message that comes too early is put back. */
function delayS(dueMs: TimestampMs, now: TimestampMs): number {
  const ms = Math.min(Number(dueMs - now), EDGE_LIMITS.queueDelayMs);
  return Math.max(0, Math.ceil(ms / 1_000));
}

async function attempt(delivery: Delivery, parts: WebhookQueueParts): Promise<TryOutcome> {
  const { target } = delivery;
  if (target === null || !target.enabled) {
    const reason = "its endpoint was removed or switched off";
    return { kind: "dead", error: new SvcError("webhook/bad-target", { reason }).toJSON() };
  }
  const outdated = outdatedBy(delivery, parts.now());
  if (outdated !== null) return { kind: "dropped", error: outdated.toJSON() };
  const error = await send(delivery, target, parts);
  if (error === null) return { kind: "delivered" };
  const isFinal = error.code === "webhook/bad-target" || error.data["status"] === GONE;
  const { createdMs, attempts } = delivery;
  const failed = { createdMs, failedBefore: attempts, nowMs: parts.now(), random: parts.random() };
  const atMs = isFinal ? null : nextTryMs(GATEWAY_RETRIES, failed);
  return atMs === null ? { kind: "dead", error } : { kind: "again", atMs, error };
}

/** Why a delivery that comes late is outdated; null for one that is not, and for one that its merchant asked for. */
function outdatedBy(delivery: Delivery, now: TimestampMs): SvcError | null {
  const { eventType, about, body } = delivery;
  if (about === null || !isLateTry(delivery, now) || isRedelivery(body)) return null;
  if (!isGreenfieldEventType(eventType) || !isOutdated(eventType, about, now)) return null;
  return new SvcError("gateway/wrong-state", { status: about.told.status });
}

/** Sends it; resolves with why it was not taken, or null. */
async function send(
  { merchant, endpoint, eventId, eventType, body, attempts }: Delivery,
  target: DeliveryTarget,
  { secrets, reach, now, patience = defaultPatience, post = postHook }: WebhookQueueParts,
): Promise<ErrorJson | null> {
  try {
    const url = hookTarget(target.url, reach);
    using secret = await secrets.open(webhookSecretPlace(merchant, endpoint), target.secret);
    const message = { id: eventId, sentAt: now() / 1_000n, body: new TextEncoder().encode(body) };
    const { form: kind = "svc" } = target;
    const headers = await secret.reveal((bytes) => {
      const text = new TextDecoder().decode(bytes);
      return deliveryHeaders({ form: kind, secret: text, message, type: eventType, attempts });
    });
    await post({ url, headers, body }, patience());
    return null;
  } catch (thrown) {
    return SvcError.from(thrown).toJSON();
  }
}

function defaultPatience(): AbortSignal {
  return AbortSignal.timeout(PROTOCOL_LIMITS.webhookAnswerMs);
}
