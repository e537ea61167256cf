/** Routes of endpoints for webhooks, and of their deliveries. */
import * as v from "valibot";
import { flag, text } from "../../contract/answerFields.ts";
import { formOf } from "../../contract/fieldForm.ts";
import { flagField, queryFlag, requestObject } from "../../contract/requestFields.ts";
import { MERCHANT_LIMITS } from "../../merchantLimits.ts";
import { EVENT_ID, INVOICE_ID, NEW_INVOICE } from "../exampleRecords.ts";
import { idField, printableField, urlField, wholeField } from "../gatewayFields.ts";
import { route } from "../route.ts";
import { EXAMPLE_EVENT, INVOICE_EVENT_TYPES } from "../webhookEvent.ts";
import { delivery, deliveryWithBody, webhook, webhookWithSecret } from "../webhookRecord.ts";
import { listQuery, nextCursor } from "./invoiceRoutes.ts";

const webhookParams = v.object({ id: idField("a webhook") });
const deliveryParams = v.object({
  id: idField("a webhook"),
  delivery: idField("a delivery"),
});

const EVENT_WORDS = ["*", ...INVOICE_EVENT_TYPES] as const;

const eventTypes = v.pipe(
  v.array(v.picklist(EVENT_WORDS, "a type of events or *"), "a list"),
  formOf({
    type: "array",
    items: { type: "string", enum: EVENT_WORDS },
    minItems: 1,
    maxItems: MERCHANT_LIMITS.eventTypesMax,
    description: "The events that are sent; `*` stands for all of them, later ones too.",
  }),
  v.minLength(1, "a list that is not empty"),
  v.maxLength(MERCHANT_LIMITS.eventTypesMax, `a list of at most ${MERCHANT_LIMITS.eventTypesMax}`),
);

const url = urlField("Where events are sent: https, and no address of a private network.");
const description = printableField(MERCHANT_LIMITS.reasonChars, "For the merchant.");

const WEBHOOK_ID = `wh_${"2c".repeat(16)}`;
const DELIVERY_ID = `dlv_${"6f".repeat(16)}`;
const AT = NEW_INVOICE.createdAt;

const EXAMPLE_WEBHOOK = {
  id: WEBHOOK_ID,
  url: "https://shop.example.com/webhooks/svc",
  description: "shop",
  format: "svc",
  events: ["invoice.confirmed", "invoice.overpaid", "invoice.expired", "invoice.invalid"],
  enabled: true,
  disabledBy: null,
  secretSwitchAt: null,
  createdAt: AT - 86_400,
  updatedAt: AT - 86_400,
} as const;

/** Stands for 32 random bytes. */
const SECRET = `whsec_${"c2Vj".repeat(10)}cmU=`;

const EXAMPLE_DELIVERY = {
  id: DELIVERY_ID,
  webhookId: WEBHOOK_ID,
  eventId: EVENT_ID,
  eventType: "invoice.confirmed",
  invoiceId: INVOICE_ID,
  state: "waiting",
  attempts: 1,
  status: 500,
  createdAt: AT + 135,
  dueAt: AT + 145,
  error: { error: "The receiver of the webhook answered 500.", code: "webhook/refused" },
} as const;

const PING = {
  ...EXAMPLE_DELIVERY,
  eventId: `evt_${"8b".repeat(16)}`,
  eventType: "ping",
  invoiceId: null,
  attempts: 0,
  status: null,
  dueAt: AT + 135,
  error: null,
} as const;

/** What every row here has. */
const COMMON = {
  group: "webhooks",
  credential: "key",
  scope: "webhooks",
  timeoutMs: MERCHANT_LIMITS.callMs,
} as const;

const ENDPOINT_ROUTES = {
  webhooks: route({
    ...COMMON,
    method: "GET",
    path: "/api/v1/webhooks",
    answer: v.object({ webhooks: v.array(webhook) }),
    about: "Lists the endpoints for webhooks, without their secrets.",
    example: { answer: { webhooks: [EXAMPLE_WEBHOOK] } },
  }),
  createWebhook: route({
    ...COMMON,
    method: "POST",
    path: "/api/v1/webhooks",
    body: requestObject({
      url,
      events: v.nullish(eventTypes),
      description: v.nullish(description),
    }),
    answer: webhookWithSecret,
    refusals: ["webhook/bad-target", "gateway/too-many-webhooks"],
    about:
      "Adds an endpoint for all events, or for some, and makes its secret, which this answer alone shows.",
    example: {
      body: { url: EXAMPLE_WEBHOOK.url, events: EXAMPLE_WEBHOOK.events, description: "shop" },
      answer: { ...EXAMPLE_WEBHOOK, secret: SECRET },
    },
    status: 201,
    takesKey: true,
    endsWithCaller: false,
  }),
  webhook: route({
    ...COMMON,
    method: "GET",
    path: "/api/v1/webhooks/{id}",
    params: webhookParams,
    answer: webhook,
    refusals: ["gateway/no-webhook"],
    about: "Gives an endpoint, without its secret.",
    example: { path: `/api/v1/webhooks/${WEBHOOK_ID}`, answer: EXAMPLE_WEBHOOK },
  }),
  updateWebhook: route({
    ...COMMON,
    method: "PATCH",
    path: "/api/v1/webhooks/{id}",
    params: webhookParams,
    body: requestObject({
      url: v.nullish(url),
      events: v.nullish(eventTypes),
      description: v.nullish(description),
      enabled: v.nullish(flagField),
    }),
    answer: webhook,
    refusals: ["gateway/no-webhook", "webhook/bad-target"],
    about:
      "Changes what is given of an endpoint. One that was switched off after failures is switched on with `enabled`.",
    example: {
      path: `/api/v1/webhooks/${WEBHOOK_ID}`,
      body: { enabled: true },
      answer: EXAMPLE_WEBHOOK,
    },
    endsWithCaller: false,
  }),
  removeWebhook: route({
    ...COMMON,
    method: "DELETE",
    path: "/api/v1/webhooks/{id}",
    params: webhookParams,
    answer: v.object({ id: text, removed: flag }),
    refusals: ["gateway/no-webhook"],
    about: "Removes an endpoint and its deliveries; nothing more is sent to it.",
    example: {
      path: `/api/v1/webhooks/${WEBHOOK_ID}`,
      answer: { id: WEBHOOK_ID, removed: true },
    },
    endsWithCaller: false,
  }),
  pingWebhook: route({
    ...COMMON,
    method: "POST",
    path: "/api/v1/webhooks/{id}/ping",
    params: webhookParams,
    answer: delivery,
    refusals: ["gateway/no-webhook"],
    about:
      "Sends an event of the type `ping`, which carries no invoice, for a receiver to be tried.",
    example: { path: `/api/v1/webhooks/${WEBHOOK_ID}/ping`, answer: PING },
    endsWithCaller: false,
  }),
  rotateSecret: route({
    ...COMMON,
    method: "POST",
    path: "/api/v1/webhooks/{id}/secret",
    params: webhookParams,
    body: v.optional(
      requestObject({
        switchIn: v.nullish(
          wholeField(
            0,
            MERCHANT_LIMITS.secretSwitchSecondsMax,
            "Seconds for which the old secret still signs; 0 when left out.",
          ),
        ),
      }),
      {},
    ),
    answer: webhookWithSecret,
    refusals: ["gateway/no-webhook"],
    about:
      "Makes a new secret, which this answer alone shows. Every delivery is signed with one secret: the old one until the switch, the new one from then on.",
    example: {
      path: `/api/v1/webhooks/${WEBHOOK_ID}/secret`,
      body: { switchIn: 3_600 },
      answer: { ...EXAMPLE_WEBHOOK, secretSwitchAt: AT + 3_600, updatedAt: AT, secret: SECRET },
    },
    endsWithCaller: false,
  }),
} as const;

const DELIVERY_ROUTES = {
  deliveries: route({
    ...COMMON,
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries",
    params: webhookParams,
    query: v.object({
      /** Only those that were given up. */
      dead: queryFlag,
      ...listQuery,
    }),
    answer: v.object({ deliveries: v.array(delivery), next: nextCursor }),
    refusals: ["gateway/no-webhook"],
    about:
      "Lists the deliveries to an endpoint, the newest first; with `dead=1` those that were given up.",
    example: {
      path: `/api/v1/webhooks/${WEBHOOK_ID}/deliveries`,
      answer: { deliveries: [EXAMPLE_DELIVERY], next: null },
    },
  }),
  delivery: route({
    ...COMMON,
    method: "GET",
    path: "/api/v1/webhooks/{id}/deliveries/{delivery}",
    params: deliveryParams,
    answer: deliveryWithBody,
    refusals: ["gateway/no-webhook", "gateway/no-delivery"],
    about: "Gives a delivery with its body.",
    example: {
      path: `/api/v1/webhooks/${WEBHOOK_ID}/deliveries/${DELIVERY_ID}`,
      answer: { ...EXAMPLE_DELIVERY, body: JSON.stringify(EXAMPLE_EVENT) },
    },
  }),
  redeliver: route({
    ...COMMON,
    method: "POST",
    path: "/api/v1/webhooks/{id}/deliveries/{delivery}/redeliver",
    params: deliveryParams,
    answer: delivery,
    refusals: ["gateway/no-webhook", "gateway/no-delivery"],
    about: "Sends a delivery again, one that arrived too, with the same event.",
    example: {
      path: `/api/v1/webhooks/${WEBHOOK_ID}/deliveries/${DELIVERY_ID}/redeliver`,
      answer: { ...EXAMPLE_DELIVERY, attempts: 0, status: null, dueAt: AT + 200, error: null },
    },
    endsWithCaller: false,
  }),
} as const;

/** The rows. */
export const WEBHOOK_ROUTES = { ...ENDPOINT_ROUTES, ...DELIVERY_ROUTES } as const;
