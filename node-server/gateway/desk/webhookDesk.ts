/** Webhooks in the gateway's database. */
import { asTimestampMs, type MerchantId, type TimestampMs } from "@svc/shared/base/brand.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Page, RequestKey } from "@svc/shared/gateway/gatewayPorts.ts";
import { greenfieldTest } from "@svc/shared/gateway/greenfield/greenfieldBody.ts";
import type { GreenfieldEvent } from "@svc/shared/gateway/greenfield/greenfieldEvents.ts";
import { seconds } from "@svc/shared/gateway/invoiceRecordOf.ts";
import type {
  Delivery,
  NewWebhook,
  Webhook,
  WebhookPort,
  WebhookSecret,
  WebhookWish,
} from "@svc/shared/gateway/webhookPort.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { DeliveryPlace, DeliveryRow } from "../store/deliveryTable.ts";
import type { EndpointRow } from "../store/endpointTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import { deliveryIdOf, deliveryPlaceOf } from "./deliveryId.ts";
import { toldEventOf } from "./toldEvent.ts";

/** Dependencies. */
export type WebhookDeskParts = {
  readonly store: GatewayStore;
  readonly clock: Pick<Clock, "nowMs">;
  readonly randomBytes: (length: number) => Uint8Array;
  /** Checks an address. Throws `webhook/bad-target`. */
  readonly checkUrl: (url: string) => void;
  /** Deliveries were added. */
  readonly onDeliveries: () => void;
};

/** A webhook of the operator's configuration. */
export type ConfiguredWebhook = {
  readonly merchant: MerchantId;
  readonly url: string;
  readonly secret: string;
};

/** The id of that webhook. */
const CONFIGURED_ID = `wh_${"0".repeat(32)}`;
const ID_BYTES = 16;
const SECRET_BYTES = 32;

/** The webhooks of a gateway. */
export class WebhookDesk implements WebhookPort {
  readonly #parts: WebhookDeskParts;

  constructor(parts: WebhookDeskParts) {
    this.#parts = parts;
  }

  async list(merchant: MerchantId): Promise<readonly Webhook[]> {
    return this.#parts.store.endpoints.of(merchant).map((row) => webhookOf(row, this.#nowMs()));
  }

  async create(
    merchant: MerchantId,
    wish: NewWebhook,
    request: RequestKey | null,
  ): Promise<WebhookSecret> {
    const { store, checkUrl } = this.#parts;
    checkUrl(wish.url);
    return store.run((batch) => {
      const made = request === null ? null : store.idempotency.madeBy(batch, merchant, request);
      if (made !== null) return this.#secretOf(this.#get(merchant, made, batch), true);
      const max = GATEWAY_LIMITS.merchantEndpoints;
      if (store.endpoints.of(merchant, batch).length >= max) {
        throw new SvcError("gateway/too-many-webhooks", { max });
      }
      const row = this.#newRow(merchant, wish);
      store.endpoints.put(batch, row);
      if (request !== null) {
        const { key, bodyHash } = request;
        const use = { bodyHash, made: row.id, createdMs: row.createdMs };
        store.idempotency.put(batch, merchant, key, use);
      }
      return this.#secretOf(row, false);
    });
  }

  /**
   * Keeps the webhook that the operator configured: it has an id of its own, all events, and the operator's secret. Null forgets it, whoever
   * had it.
   */
  async keepConfigured(webhook: ConfiguredWebhook | null): Promise<void> {
    const { store, checkUrl } = this.#parts;
    if (webhook !== null) checkUrl(webhook.url);
    await store.run((batch) => {
      const before = store.endpoints.configured(CONFIGURED_ID, batch);
      for (const row of before) {
        if (row.merchant === webhook?.merchant) continue;
        store.endpoints.delete(batch, row.merchant, row.id);
        store.deliveries.deleteEndpoint(batch, row.id);
      }
      if (webhook === null) return;
      const { merchant, url, secret } = webhook;
      const known = before.find((row) => row.merchant === merchant);
      if (known?.url === url && known.secret === secret) return;
      const row = known ?? { ...this.#newRow(merchant, { url }), id: CONFIGURED_ID };
      const fresh = { url, secret, nextSecret: null, switchMs: null, disabledBy: null };
      store.endpoints.put(batch, { ...row, ...fresh, updatedMs: this.#nowMs() });
    });
  }

  async get(merchant: MerchantId, id: string): Promise<Webhook> {
    return webhookOf(this.#get(merchant, id), this.#nowMs());
  }

  async update(merchant: MerchantId, id: string, wish: WebhookWish): Promise<Webhook> {
    const { store, checkUrl } = this.#parts;
    if (wish.url !== undefined) checkUrl(wish.url);
    return store.run((batch) => {
      const before = this.#get(merchant, id, batch);
      const { url, description, events, enabled, secret, greenfieldEvents } = wish;
      const row: EndpointRow = {
        ...before,
        ...(secret === undefined ? {} : { secret, nextSecret: null, switchMs: null }),
        greenfieldEvents:
          greenfieldEvents === undefined ? before.greenfieldEvents : greenfieldEvents,
        url: url ?? before.url,
        description: description ?? before.description,
        events: events === undefined ? before.events : events,
        disabledBy: enabled === undefined ? before.disabledBy : enabled ? null : "merchant",
        updatedMs: this.#nowMs(),
      };
      store.endpoints.put(batch, row);
      return webhookOf(row, row.updatedMs);
    });
  }

  async remove(merchant: MerchantId, id: string): Promise<void> {
    const { store } = this.#parts;
    await store.run((batch) => {
      this.#get(merchant, id, batch);
      store.endpoints.delete(batch, merchant, id);
      store.deliveries.deleteEndpoint(batch, id);
    });
  }

  async ping(merchant: MerchantId, id: string): Promise<Delivery> {
    const added = await this.#parts.store.run((batch) => {
      const { form } = this.#get(merchant, id, batch);
      const told = form === "svc" ? null : this.#testOf(merchant);
      return this.#add(batch, id, { merchant, event: null, again: null, told });
    });
    this.#parts.onDeliveries();
    return added;
  }

  async rotate(merchant: MerchantId, id: string, switchInMs: bigint): Promise<WebhookSecret> {
    const { store } = this.#parts;
    return store.run((batch) => {
      const nowMs = this.#nowMs();
      const before = settled(this.#get(merchant, id, batch), nowMs);
      const secret = this.#newSecret();
      const times =
        switchInMs === 0n
          ? { secret, nextSecret: null, switchMs: null }
          : { nextSecret: secret, switchMs: asTimestampMs(nowMs + switchInMs) };
      const row: EndpointRow = { ...before, ...times, updatedMs: nowMs };
      store.endpoints.put(batch, row);
      return { webhook: webhookOf(row, nowMs), secret, isReplay: false };
    });
  }

  async deliveries(
    merchant: MerchantId,
    id: string,
    question: {
      readonly onlyDead: boolean;
      readonly cursor: string | null;
      readonly limit: number;
    },
  ): Promise<Page<Delivery>> {
    const { store } = this.#parts;
    this.#get(merchant, id);
    const { onlyDead, cursor, limit } = question;
    const below = cursor === null ? null : deliveryPlaceOf(cursor, [id])?.number;
    if (below === undefined) {
      throw new SvcError("api/bad-field", { field: "cursor", expected: "one of an answer before" });
    }
    const look = onlyDead ? GATEWAY_LIMITS.listLook : limit;
    const placed = store.deliveries.list(id, below, look);
    const wanted = placed.filter(({ row }) => !onlyDead || row.state === "dead").slice(0, limit);
    // An event goes with an invoice that was put away.
    const rows = wanted.flatMap(({ row, ...place }) =>
      toldEventOf(store, place, row) === null ? [] : [this.#deliveryOf(place, row)],
    );
    const isWhole = placed.length < look && wanted.length < limit;
    const last = wanted.at(-1);
    return { rows, next: isWhole || last === undefined ? null : deliveryIdOf(last) };
  }

  async delivery(merchant: MerchantId, id: string, delivery: string) {
    const { place, row } = this.#find(merchant, id, delivery);
    const { body } = this.#eventOf(place, row);
    return { delivery: this.#deliveryOf(place, row), body };
  }

  async redeliver(merchant: MerchantId, id: string, delivery: string): Promise<Delivery> {
    const { place, row } = this.#find(merchant, id, delivery);
    const { event, told } = row;
    const again = event === null ? null : place.number;
    const added = await this.#parts.store.run((batch) =>
      this.#add(batch, id, { merchant, event, again, told }),
    );
    this.#parts.onDeliveries();
    return added;
  }

  #add(
    batch: StoreBatch,
    endpoint: string,
    of: Pick<DeliveryRow, "merchant" | "event" | "again" | "told">,
  ): Delivery {
    const nowMs = this.#nowMs();
    const times = { createdMs: nowMs, dueMs: nowMs };
    const row: DeliveryRow = { ...of, state: "waiting", attempts: 0, ...times, error: null };
    const place = this.#parts.store.deliveries.add(batch, endpoint, row);
    return this.#deliveryOf(place, row);
  }

  #find(merchant: MerchantId, id: string, delivery: string) {
    this.#get(merchant, id);
    const place = deliveryPlaceOf(delivery, [id]);
    const row = place === null ? undefined : this.#parts.store.deliveries.get(place);
    if (place === null || row === undefined) throw new SvcError("gateway/no-delivery", {});
    return { place, row };
  }

  #get(merchant: MerchantId, id: string, batch?: StoreBatch): EndpointRow {
    const row = this.#parts.store.endpoints.get(merchant, id, batch);
    if (row === undefined) throw new SvcError("gateway/no-webhook", {});
    return row;
  }

  #testOf(merchant: MerchantId): GreenfieldEvent {
    const mark = encodeHex(this.#parts.randomBytes(ID_BYTES));
    const json = greenfieldTest(merchant, mark, seconds(this.#nowMs()));
    return { part: 0, type: "InvoiceCreated", json };
  }

  #newRow(merchant: MerchantId, wish: NewWebhook): EndpointRow {
    const nowMs = this.#nowMs();
    return {
      merchant,
      id: `wh_${encodeHex(this.#parts.randomBytes(ID_BYTES))}`,
      url: wish.url,
      description: wish.description ?? "",
      form: wish.form ?? "svc",
      secret: wish.secret ?? this.#newSecret(),
      nextSecret: null,
      switchMs: null,
      events: wish.events ?? null,
      greenfieldEvents: wish.greenfieldEvents ?? null,
      disabledBy: wish.enabled === false ? "merchant" : null,
      deliveredMs: null,
      createdMs: nowMs,
      updatedMs: nowMs,
    };
  }

  /** In the form of Standard Webhooks. */
  #newSecret(): string {
    const bytes = this.#parts.randomBytes(SECRET_BYTES);
    return `whsec_${Buffer.from(bytes).toString("base64")}`;
  }

  #secretOf(row: EndpointRow, isReplay: boolean): WebhookSecret {
    return {
      webhook: webhookOf(row, this.#nowMs()),
      secret: row.nextSecret ?? row.secret,
      isReplay,
    };
  }

  #deliveryOf(place: DeliveryPlace, row: DeliveryRow): Delivery {
    const { id, type } = this.#eventOf(place, row);
    return {
      id: deliveryIdOf(place),
      webhookId: place.endpoint,
      eventId: id,
      eventType: type,
      invoiceId: row.event?.invoice ?? null,
      state: row.state,
      attempts: row.attempts,
      createdMs: row.createdMs,
      dueMs: row.dueMs,
      error: row.error,
    };
  }

  #eventOf(place: DeliveryPlace, row: DeliveryRow) {
    const event = toldEventOf(this.#parts.store, place, row);
    if (event === null) throw new SvcError("gateway/no-delivery", {});
    return event;
  }

  #nowMs(): TimestampMs {
    return asTimestampMs(this.#parts.clock.nowMs());
  }
}

/** A webhook whose new secret signs from now on, where its time has come. */
export function settled(row: EndpointRow, nowMs: TimestampMs): EndpointRow {
  const { nextSecret, switchMs } = row;
  if (nextSecret === null || switchMs === null || nowMs < switchMs) return row;
  return { ...row, secret: nextSecret, nextSecret: null, switchMs: null };
}

function webhookOf(row: EndpointRow, nowMs: TimestampMs): Webhook {
  const { id, url, description, form, events, greenfieldEvents, disabledBy } = row;
  const { createdMs, updatedMs } = row;
  const { switchMs } = settled(row, nowMs);
  return {
    id,
    url,
    description,
    form,
    events,
    greenfieldEvents,
    disabledBy,
    secretSwitchMs: switchMs,
    createdMs,
    updatedMs,
  };
}
