/** Rows of the BTCPay interface about webhooks. They are the gateway's own webhooks of another form; those of its own form are not seen here. */
import * as v from "valibot";
import { publicSentenceOf } from "../../base/errors.ts";
import { SvcError } from "../../base/svcError.ts";
import { MERCHANT_LIMITS } from "../../protocol/merchantLimits.ts";
import { isWebUrl } from "../../protocol/gateway/webUrl.ts";
import { parseExactJson } from "../../protocol/contract/numberText.ts";
import { readPart } from "../../protocol/contract/requestParts.ts";
import type { MerchantKey } from "../gatewayPorts.ts";
import { seconds } from "../invoiceRecordOf.ts";
import type { Delivery, Webhook, WebhookPort } from "../webhookPort.ts";
import type { GreenfieldCall, GreenfieldRow } from "./greenfieldCall.ts";
import { isGreenfieldEventType, type GreenfieldEventType } from "./greenfieldEventType.ts";
import { GREENFIELD_LIMITS } from "./greenfieldLimits.ts";
import { isJsonObject, type JsonObject } from "./greenfieldMetadata.ts";

const { greenfieldSecretCharsMin: least, greenfieldSecretCharsMax: most } = GREENFIELD_LIMITS;
const SECRET = new RegExp(`^[\\x21-\\x7e]{${least},${most}}$`);
const COUNT = /^\d{1,9}$/;
const SCOPE = "webhooks";

const url = v.pipe(v.string(), v.check(isWebUrl, "a URL of http or https"));
const form = v.looseObject({
  url: v.nullish(url),
  enabled: v.nullish(v.boolean()),
  secret: v.nullish(v.pipe(v.string(), v.regex(SECRET, `${least} to ${most} visible characters`))),
  authorizedEvents: v.nullish(
    v.looseObject({
      everything: v.nullish(v.boolean()),
      specificEvents: v.nullish(
        v.pipe(v.array(v.string()), v.maxLength(MERCHANT_LIMITS.eventTypesMax)),
      ),
    }),
  ),
});

type Wish = v.InferOutput<typeof form>;

/** Makes them. */
export function greenfieldWebhooks(webhooks: WebhookPort): readonly GreenfieldRow[] {
  return [...hookRows(webhooks), ...deliveryRows(webhooks)];
}

const ALL = "/stores/:storeId/webhooks";
const ONE = `${ALL}/:id`;

function hookRows(webhooks: WebhookPort): readonly GreenfieldRow[] {
  return [
    {
      ...{ method: "GET", path: ALL, scope: SCOPE, rate: "webhooks" },
      answer: async ({ key }) => {
        const all = await webhooks.list(key.merchant.id);
        return all.filter((one) => one.form === "greenfield").map(hookOf);
      },
    },
    {
      ...{ method: "POST", path: ALL, scope: SCOPE, rate: "createWebhook" },
      answer: async ({ key, body }) => {
        const wish = readPart(form, body, "body");
        const target = wish.url ?? null;
        if (target === null) throw new SvcError("api/missing-field", { field: "url" });
        const made = await webhooks.create(
          key.merchant.id,
          { ...changeOf(wish), url: target, form: "greenfield" },
          null,
        );
        return { ...hookOf(made.webhook), secret: made.secret };
      },
    },
    {
      ...{ method: "GET", path: ONE, scope: SCOPE, rate: "webhook" },
      answer: async (call) => hookOf(await ownHook(webhooks, call)),
    },
    {
      ...{ method: "PUT", path: ONE, scope: SCOPE, rate: "updateWebhook" },
      answer: async (call) => {
        const { id } = await ownHook(webhooks, call);
        const wish = changeOf(readPart(form, call.body, "body"));
        return hookOf(await webhooks.update(call.key.merchant.id, id, wish));
      },
    },
    {
      ...{ method: "DELETE", path: ONE, scope: SCOPE, rate: "removeWebhook" },
      answer: async (call) => {
        const { id } = await ownHook(webhooks, call);
        await webhooks.remove(call.key.merchant.id, id);
        return {};
      },
    },
  ];
}

function deliveryRows(webhooks: WebhookPort): readonly GreenfieldRow[] {
  const one = `${ONE}/deliveries/:delivery`;
  const found = async (call: GreenfieldCall) => {
    const { id } = await ownHook(webhooks, call);
    return webhooks.delivery(call.key.merchant.id, id, call.param("delivery"));
  };
  return [
    {
      ...{ method: "GET", path: `${ONE}/deliveries`, scope: SCOPE, rate: "deliveries" },
      answer: async (call) => {
        const { id } = await ownHook(webhooks, call);
        const question = { onlyDead: false, cursor: null, limit: countOf(call.query("count")) };
        const page = await webhooks.deliveries(call.key.merchant.id, id, question);
        return page.rows.map(deliveryOf);
      },
    },
    {
      ...{ method: "GET", path: one, scope: SCOPE, rate: "delivery" },
      answer: async (call) => deliveryOf((await found(call)).delivery),
    },
    {
      ...{ method: "GET", path: `${one}/request`, scope: SCOPE, rate: "delivery" },
      answer: async (call) => {
        const sent = parseExactJson((await found(call)).body);
        return isJsonObject(sent) ? sent : {};
      },
    },
    {
      ...{ method: "POST", path: `${one}/redeliver`, scope: SCOPE, rate: "redeliver" },
      answer: async (call) => {
        const { delivery } = await found(call);
        const { webhookId, id } = delivery;
        return (await webhooks.redeliver(call.key.merchant.id, webhookId, id)).id;
      },
    },
  ];
}

/** A webhook of this form. Rejects with `gateway/no-webhook`. */
async function ownHook(
  webhooks: WebhookPort,
  { key, param }: { readonly key: MerchantKey; readonly param: (name: string) => string },
): Promise<Webhook> {
  const webhook = await webhooks.get(key.merchant.id, param("id"));
  if (webhook.form !== "greenfield") throw new SvcError("gateway/no-webhook", {});
  return webhook;
}

function changeOf(wish: Wish) {
  return {
    url: wish.url ?? undefined,
    enabled: wish.enabled ?? undefined,
    secret: wish.secret ?? undefined,
    greenfieldEvents: typesOf(wish),
  };
}

/** Null where all are wanted, undefined where the request says nothing. Types of theirs that nothing here tells are passed over. */
function typesOf({ authorizedEvents }: Wish): readonly GreenfieldEventType[] | null | undefined {
  if (authorizedEvents === null || authorizedEvents === undefined) return undefined;
  if (authorizedEvents.everything === true) return null;
  return (authorizedEvents.specificEvents ?? []).filter(isGreenfieldEventType);
}

function hookOf({ id, url: target, disabledBy, greenfieldEvents }: Webhook): JsonObject {
  return {
    id,
    url: target,
    enabled: disabledBy === null,
    // Whatever a shop asks for: what is not taken is sent again for three days.
    automaticRedelivery: true,
    authorizedEvents: {
      everything: greenfieldEvents === null,
      specificEvents: greenfieldEvents ?? [],
    },
  };
}

const STATES = { waiting: "Failed", delivered: "HttpSuccess", dead: "Failed" } as const;

function deliveryOf({ id, state, error, createdMs, attempts }: Delivery): JsonObject {
  const code = error?.code === "webhook/refused" ? error.data["status"] : undefined;
  return {
    id,
    timestamp: seconds(createdMs),
    httpCode: code === undefined ? (state === "delivered" ? 200 : null) : Number(code),
    errorMessage: error === null ? null : publicSentenceOf(SvcError.fromJson(error)),
    // One that was not tried yet has no outcome.
    status: attempts === 0 ? null : code === undefined ? STATES[state] : "HttpError",
  };
}

function countOf([text]: readonly string[]): number {
  if (text === undefined) return MERCHANT_LIMITS.rowsDefault;
  const count = COUNT.test(text) ? Number(text) : 0;
  return Math.min(Math.max(count, 1), MERCHANT_LIMITS.rowsMax);
}
