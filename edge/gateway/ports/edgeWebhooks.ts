/** Webhooks of merchants in D1, their secrets sealed, and their deliveries. */
import { asTimestampMs, type MerchantId, type TimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Page, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import { seconds } from "@svc/shared/gateway/invoiceRecordOf.ts";
import { greenfieldBody, greenfieldTest } from "@svc/shared/gateway/greenfield/greenfieldBody.ts";
import type {
  Delivery,
  NewWebhook,
  Webhook,
  WebhookPort,
  WebhookSecret,
  WebhookWish,
} from "@svc/shared/gateway/webhookPort.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { answered } from "../../platform/objectAnswer.ts";
import type { SecretBox } from "../../platform/secretBox.ts";
import { DeliveryList, type DeliveryQuestion, type ListedDelivery } from "../deliveryList.ts";
import { DeliveryStore } from "../deliveryStore.ts";
import { EndpointStore, settled, type EndpointRow } from "../endpointStore.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";
import type { MerchantStore } from "../merchantStore.ts";
import { webhookSecretPlace } from "../webhookQueue.ts";

/** Dependencies. */
export type EdgeWebhooksParts = {
  readonly env: Pick<GatewayEnv, "DB" | "MERCHANTS" | "WEBHOOKS">;
  readonly merchants: Pick<MerchantStore, "row">;
  readonly secrets: () => Promise<SecretBox>;
  /** Checks an address. Throws `webhook/bad-target`. */
  readonly checkUrl: (url: string) => void;
  readonly now: () => TimestampMs;
};

const ID_BYTES = 16;
const SECRET_BYTES = 32;

/** The webhooks of a hosted gateway. What D1 and the platform say reaches the caller as `internal/unexpected`. */
export class EdgeWebhooks implements WebhookPort {
  readonly #parts: EdgeWebhooksParts;
  readonly #endpoints: EndpointStore;
  readonly #deliveries: DeliveryStore;
  readonly #list: DeliveryList;

  constructor(parts: EdgeWebhooksParts) {
    this.#parts = parts;
    this.#endpoints = new EndpointStore(parts.env.DB);
    this.#deliveries = new DeliveryStore(parts.env.DB);
    this.#list = new DeliveryList(parts.env.DB);
  }

  async list(merchant: MerchantId): Promise<readonly Webhook[]> {
    const now = this.#parts.now();
    return (await this.#endpoints.of(merchant)).map((row) => webhookOf(row, now));
  }

  /** The idempotency key is given to an id first: whoever repeats the request makes the webhook of that id, or finds it. */
  async create(
    merchant: MerchantId,
    wish: NewWebhook,
    request: RequestKey | null,
  ): Promise<WebhookSecret> {
    this.#parts.checkUrl(wish.url);
    const fresh = `wh_${randomHex(ID_BYTES)}`;
    const id = request === null ? fresh : await this.#claim(merchant, request, fresh);
    const known = id === fresh ? null : await this.#endpoints.get(merchant, id);
    if (known !== null) return this.#secretOf(merchant, known, true);
    const nowMs = this.#parts.now();
    const row: EndpointRow = {
      ...{ id, url: wish.url, description: wish.description ?? "", events: wish.events ?? null },
      ...{ form: wish.form ?? "svc", greenfieldEvents: wish.greenfieldEvents ?? null },
      ...{ nextSecret: null, switchMs: null, createdMs: nowMs, updatedMs: nowMs },
      disabledBy: wish.enabled === false ? "merchant" : null,
      secret: await this.#seal(merchant, id, wish.secret ?? newSecret()),
    };
    const max = EDGE_LIMITS.merchantEndpoints;
    if (!(await this.#endpoints.add(merchant, row, max))) {
      throw new SvcError("gateway/too-many-webhooks", { max });
    }
    return this.#secretOf(merchant, await this.#get(merchant, id), false);
  }

  async get(merchant: MerchantId, id: string): Promise<Webhook> {
    return webhookOf(await this.#get(merchant, id), this.#parts.now());
  }

  async update(merchant: MerchantId, id: string, wish: WebhookWish): Promise<Webhook> {
    const { url, description, events, greenfieldEvents, enabled, secret } = wish;
    if (url !== undefined) this.#parts.checkUrl(url);
    const before = await this.#get(merchant, id);
    const sealed = secret === undefined ? null : await this.#seal(merchant, id, secret);
    return this.#put(merchant, {
      ...before,
      ...(sealed === null ? {} : { secret: sealed, nextSecret: null, switchMs: null }),
      greenfieldEvents: greenfieldEvents === undefined ? before.greenfieldEvents : greenfieldEvents,
      url: url ?? before.url,
      description: description ?? before.description,
      events: events === undefined ? before.events : events,
      disabledBy: enabled === undefined ? before.disabledBy : enabled ? null : "merchant",
    });
  }

  async remove(merchant: MerchantId, id: string): Promise<void> {
    if (!(await this.#endpoints.remove(merchant, id))) throw new SvcError("gateway/no-webhook", {});
  }

  async ping(merchant: MerchantId, id: string): Promise<Delivery> {
    const { form } = await this.#get(merchant, id);
    const mark = randomHex(ID_BYTES);
    const [deliveryId, eventId] = [`dlv_${mark}`, `evt_${mark}`];
    const now = this.#parts.now();
    if (form === "svc") {
      const event = { eventId, eventType: "ping", body: pingBody(eventId, now), invoice: null };
      return this.#send(merchant, id, deliveryId, event);
    }
    const test = greenfieldTest(merchant, mark, seconds(now));
    const body = greenfieldBody(test, { deliveryId, webhookId: id, original: null });
    const event = { eventId, eventType: "InvoiceCreated", body, invoice: null };
    return this.#send(merchant, id, deliveryId, event);
  }

  async rotate(merchant: MerchantId, id: string, switchInMs: bigint): Promise<WebhookSecret> {
    const nowMs = this.#parts.now();
    const before = settled(await this.#get(merchant, id), nowMs);
    const secret = newSecret();
    const sealed = await this.#seal(merchant, id, secret);
    const times =
      switchInMs === 0n
        ? { secret: sealed, nextSecret: null, switchMs: null }
        : { nextSecret: sealed, switchMs: asTimestampMs(nowMs + switchInMs) };
    const webhook = await this.#put(merchant, { ...before, ...times });
    return { webhook, secret, isReplay: false };
  }

  async deliveries(
    merchant: MerchantId,
    id: string,
    question: DeliveryQuestion,
  ): Promise<Page<Delivery>> {
    await this.#get(merchant, id);
    return this.#list.page(merchant, id, question);
  }

  async delivery(merchant: MerchantId, id: string, delivery: string): Promise<ListedDelivery> {
    await this.#get(merchant, id);
    const found = await this.#list.find(merchant, id, delivery);
    if (found === null) throw new SvcError("gateway/no-delivery", {});
    return found;
  }

  async redeliver(merchant: MerchantId, id: string, delivery: string): Promise<Delivery> {
    const { delivery: before, body } = await this.delivery(merchant, id, delivery);
    const { form } = await this.#get(merchant, id);
    const { eventId, eventType, invoiceId } = before;
    const deliveryId = `dlv_${randomHex(ID_BYTES)}`;
    const names = { deliveryId, webhookId: id, original: delivery };
    const again = form === "svc" ? body : greenfieldBody(body, names);
    const event = { eventId, eventType, body: again, invoice: invoiceId };
    return this.#send(merchant, id, deliveryId, event);
  }

  /** Written before the queue hears of it; where the queue does not, the sweep tells it. */
  async #send(
    merchant: MerchantId,
    endpoint: string,
    id: string,
    event: { eventId: string; eventType: string; body: string; invoice: string | null },
  ): Promise<Delivery> {
    const { env, now } = this.#parts;
    const message = await this.#deliveries.add({ merchant, endpoint, id, ...event }, now());
    try {
      await env.WEBHOOKS.send(message);
    } catch (thrown) {
      console.error(`the queue took no delivery: ${SvcError.from(thrown).code}`);
    }
    return (await this.delivery(merchant, endpoint, id)).delivery;
  }

  async #claim(merchant: MerchantId, request: RequestKey, made: string): Promise<string> {
    const { env, merchants } = this.#parts;
    const row = await merchants.row(merchant);
    if (row === null) throw new SvcError("gateway/bad-key", {});
    return answered(await env.MERCHANTS.getByName(row.key).claim(merchant, request, made));
  }

  async #get(merchant: MerchantId, id: string): Promise<EndpointRow> {
    const row = await this.#endpoints.get(merchant, id);
    if (row === null) throw new SvcError("gateway/no-webhook", {});
    return row;
  }

  async #put(merchant: MerchantId, change: EndpointRow): Promise<Webhook> {
    const row = { ...change, updatedMs: this.#parts.now() };
    if (!(await this.#endpoints.put(merchant, row))) throw new SvcError("gateway/no-webhook", {});
    return webhookOf(row, row.updatedMs);
  }

  async #seal(merchant: MerchantId, id: string, text: string): Promise<string> {
    const box = await this.#parts.secrets();
    using secret = new Secret(new TextEncoder().encode(text));
    return await box.seal(webhookSecretPlace(merchant, id), secret);
  }

  async #secretOf(
    merchant: MerchantId,
    row: EndpointRow,
    isReplay: boolean,
  ): Promise<WebhookSecret> {
    const box = await this.#parts.secrets();
    const sealed = row.nextSecret ?? row.secret;
    using secret = await box.open(webhookSecretPlace(merchant, row.id), sealed);
    const text = secret.reveal((bytes) => new TextDecoder().decode(bytes));
    return { webhook: webhookOf(row, this.#parts.now()), secret: text, isReplay };
  }
}

function webhookOf(row: EndpointRow, now: TimestampMs): Webhook {
  const { id, url, description, form, events, greenfieldEvents, disabledBy } = row;
  const { createdMs, updatedMs } = row;
  const secretSwitchMs = settled(row, now).switchMs;
  const said = { id, url, description, form, events, greenfieldEvents, disabledBy };
  return { ...said, secretSwitchMs, createdMs, updatedMs };
}

/** In the form of Standard Webhooks. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return `whsec_${btoa(String.fromCharCode(...bytes))}`;
}

function randomHex(length: number): string {
  return encodeHex(crypto.getRandomValues(new Uint8Array(length)));
}

/** The event that tries a webhook: it carries no invoice. */
function pingBody(id: string, createdMs: TimestampMs): string {
  return JSON.stringify({
    ...{ id, type: "ping", eventType: "ping", createdAt: seconds(createdMs), apiVersion: "v1" },
    ...{ previousStatus: null, invoice: null, data: { invoice: null } },
  });
}
