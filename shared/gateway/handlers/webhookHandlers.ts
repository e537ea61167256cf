/** Handlers of webhooks and their deliveries. */
import { SvcError } from "../../base/svcError.ts";
import { publicSentenceOf } from "../../base/errors.ts";
import { INVOICE_EVENT_TYPES, type InvoiceEventType } from "../../protocol/gateway/webhookEvent.ts";
import { ReplayedAnswer, type GatewayHandlers } from "../gatewayHandlers.ts";
import { seconds } from "../invoiceRecordOf.ts";
import type { Delivery, Webhook, WebhookPort, WebhookSecret } from "../webhookPort.ts";

type Rows =
  | "webhooks"
  | "createWebhook"
  | "webhook"
  | "updateWebhook"
  | "removeWebhook"
  | "pingWebhook"
  | "rotateSecret"
  | "deliveries"
  | "delivery"
  | "redeliver";

/** Stands for all types of events. */
const ALL = "*";

/** Makes the handlers. */
export function webhookHandlers(webhooks: WebhookPort): Pick<GatewayHandlers, Rows> {
  return {
    webhooks: async ({ key }) => ({
      webhooks: (await webhooks.list(key.merchant.id)).map(webhookOf),
    }),
    createWebhook: async ({ key, body, request }) => {
      const wish = {
        url: body.url,
        description: body.description ?? "",
        events: typesOf(body.events ?? [ALL]),
      };
      const made = await webhooks.create(key.merchant.id, wish, request);
      return made.isReplay ? new ReplayedAnswer(withSecret(made)) : withSecret(made);
    },
    webhook: async ({ key, params }) => webhookOf(await webhooks.get(key.merchant.id, params.id)),
    updateWebhook: async ({ key, params, body }) => {
      const events = body.events ?? null;
      const wish = {
        url: body.url ?? undefined,
        description: body.description ?? undefined,
        events: events === null ? undefined : typesOf(events),
        enabled: body.enabled ?? undefined,
      };
      return webhookOf(await webhooks.update(key.merchant.id, params.id, wish));
    },
    removeWebhook: async ({ key, params }) => {
      await webhooks.remove(key.merchant.id, params.id);
      return { id: params.id, removed: true };
    },
    pingWebhook: async ({ key, params }) =>
      deliveryOf(await webhooks.ping(key.merchant.id, params.id)),
    rotateSecret: async ({ key, params, body }) => {
      const switchInMs = BigInt(body.switchIn ?? 0) * 1_000n;
      return withSecret(await webhooks.rotate(key.merchant.id, params.id, switchInMs));
    },
    deliveries: async ({ key, params, query }) => {
      const question = {
        onlyDead: query.dead,
        cursor: query.cursor ?? null,
        limit: query.limit,
      };
      const page = await webhooks.deliveries(key.merchant.id, params.id, question);
      return { deliveries: page.rows.map(deliveryOf), next: page.next };
    },
    delivery: async ({ key, params }) => {
      const found = await webhooks.delivery(key.merchant.id, params.id, params.delivery);
      return { ...deliveryOf(found.delivery), body: found.body };
    },
    redeliver: async ({ key, params }) =>
      deliveryOf(await webhooks.redeliver(key.merchant.id, params.id, params.delivery)),
  };
}

/** Null where all are wanted. */
function typesOf(words: readonly string[]): readonly InvoiceEventType[] | null {
  if (words.includes(ALL)) return null;
  return INVOICE_EVENT_TYPES.filter((type) => words.includes(type));
}

function webhookOf(webhook: Webhook) {
  const { id, url, description, form, events, disabledBy, secretSwitchMs } = webhook;
  return {
    id,
    url,
    description,
    format: form,
    events: webhook.greenfieldEvents ?? events ?? [ALL],
    enabled: disabledBy === null,
    disabledBy,
    secretSwitchAt: secretSwitchMs === null ? null : seconds(secretSwitchMs),
    createdAt: seconds(webhook.createdMs),
    updatedAt: seconds(webhook.updatedMs),
  };
}

function withSecret({ webhook, secret }: WebhookSecret) {
  return { ...webhookOf(webhook), secret };
}

function deliveryOf(delivery: Delivery) {
  const { id, webhookId, eventId, eventType, invoiceId, state, attempts, error } = delivery;
  return {
    id,
    webhookId,
    eventId,
    eventType,
    invoiceId,
    state,
    attempts,
    status: statusOf(delivery),
    createdAt: seconds(delivery.createdMs),
    dueAt: state === "waiting" ? seconds(delivery.dueMs) : null,
    error:
      error === null
        ? null
        : { error: publicSentenceOf(SvcError.fromJson(error)), code: error.code },
  };
}

/** What the receiver answered last, where it answered. */
function statusOf({ error, state }: Delivery): number | null {
  const status = error?.code === "webhook/refused" ? error.data["status"] : undefined;
  if (status !== undefined) return Number(status);
  return state === "delivered" ? 200 : null;
}
