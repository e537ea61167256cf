/**
 * The queue of webhooks of all merchants. Of one webhook only a few deliveries are under way at once, so that a receiver that hangs
 * does not take the places of the others; those of one invoice go one after the other.
 */
import { compareBytes } from "@svc/shared/base/bytes.ts";
import type { TimestampMs } from "@svc/shared/base/brand.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { SvcError, type ErrorJson } from "@svc/shared/base/svcError.ts";
import { isLateTry, isOutdated } from "@svc/shared/gateway/greenfield/isOutdated.ts";
import type { WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import type {
  DeliveryContent,
  DeliveryOutcome,
  DeliveryQueue,
  DueDelivery,
} from "../../client/deliveryQueue.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import { GATEWAY_LIMITS } from "../gatewayLimits.ts";
import type { DeliveryPlace, DeliveryRow, PlacedDelivery } from "../store/deliveryTable.ts";
import type { EndpointRow } from "../store/endpointTable.ts";
import type { GatewayStore } from "../store/gatewayStore.ts";
import { toldEventOf } from "./toldEvent.ts";
import { settled } from "./webhookDesk.ts";

/** Dependencies. */
export type DeskDeliveriesParts = {
  readonly store: GatewayStore;
  readonly clock: Pick<Clock, "nowMs">;
  /** How far webhooks reach. */
  readonly reach: WebhookReach;
};

/** The deliveries of a gateway. */
export class DeskDeliveries implements DeliveryQueue {
  readonly #parts: DeskDeliveriesParts;
  /** Deliveries that are not sent, and why: their webhook gets nothing any more, or what they tell is not so any more. */
  readonly #unsent = new Map<string, ErrorJson>();

  /** Place in the queue up to which the last look behind its front came; null for its end. */
  #lookedTo: Uint8Array | null = null;

  constructor(parts: DeskDeliveriesParts) {
    this.#parts = parts;
  }

  /**
   * Those due longest are looked at each time, and behind them another part of the queue, the next part next time: deliveries of a webhook
   * that hangs may stand in front of all others, and hide them for a while, but not for good.
   */
  due(nowMs: TimestampMs, limit: number): readonly DueDelivery[] {
    const { deliveries } = this.#parts.store;
    const most = limit * GATEWAY_LIMITS.deliveryLook;
    const firsts = new Map<string, DueDelivery>();
    const front = deliveries.due(nowMs, most);
    takeFirsts(firsts, front, limit);
    const end = front.at(-1);
    if (firsts.size >= limit || front.length < most || end === undefined)
      return [...firsts.values()];
    const behind = deliveries.due(nowMs, most, laterOf(this.#lookedTo, end.at));
    const looked = takeFirsts(firsts, behind, limit);
    const last = behind[looked - 1];
    this.#lookedTo = looked < most && looked === behind.length ? null : (last?.at ?? null);
    return [...firsts.values()];
  }

  nextMs(): TimestampMs | null {
    return this.#parts.store.deliveries.nextMs();
  }

  content({ key }: DueDelivery): DeliveryContent | null {
    const { store, reach } = this.#parts;
    const place = placeOf(key);
    const row = store.deliveries.get(place);
    if (row === undefined) return null;
    const endpoint = store.endpoints.get(row.merchant, place.endpoint);
    const event = toldEventOf(store, place, row);
    if (endpoint === undefined || endpoint.disabledBy !== null || event === null) {
      this.#unsent.set(key, new SvcError("gateway/no-webhook", {}).toJSON());
      return null;
    }
    const nowMs = asTimestampMs(this.#parts.clock.nowMs());
    const outdated = this.#outdated(row, nowMs);
    if (outdated !== null) {
      this.#unsent.set(key, outdated.toJSON());
      return null;
    }
    const { secret } = settled(endpoint, nowMs);
    const { id, type, body } = event;
    const { form } = endpoint;
    return {
      endpoint: { url: new URL(endpoint.url), reach, secret, form },
      id,
      type,
      body: new TextEncoder().encode(body),
    };
  }

  settle({ key }: DueDelivery, outcome: DeliveryOutcome): void {
    const { store } = this.#parts;
    const place = placeOf(key);
    const unsent = this.#unsent.get(key);
    this.#unsent.delete(key);
    store.commit((batch) => {
      const row = store.deliveries.get(place, batch);
      if (row === undefined) return;
      if (unsent !== undefined) {
        store.deliveries.change(batch, place, { ...row, state: "dead", error: unsent });
        return;
      }
      store.deliveries.change(batch, place, after(row, outcome));
      this.#noteEnd(batch, place, row, outcome);
    });
  }

  /** Why a delivery that comes late is outdated; null for one that is not, and for one that its merchant asked for. */
  #outdated(row: DeliveryRow, nowMs: TimestampMs): SvcError | null {
    const { told, event, again } = row;
    if (told === null || event === null || again !== null || !isLateTry(row, nowMs)) return null;
    const invoice = this.#parts.store.invoices.get(event.invoice);
    if (invoice === undefined || !isOutdated(told.type, invoice, nowMs)) return null;
    return new SvcError("gateway/wrong-state", { status: invoice.told.status });
  }

  /** A webhook whose receiver took nothing since the delivery was made, or is gone, gets nothing any more. */
  #noteEnd(
    batch: StoreBatch,
    place: DeliveryPlace,
    row: DeliveryRow,
    outcome: DeliveryOutcome,
  ): void {
    const { store, clock } = this.#parts;
    const endpoint = store.endpoints.get(row.merchant, place.endpoint, batch);
    if (endpoint === undefined || outcome.kind === "again") return;
    const nowMs = asTimestampMs(clock.nowMs());
    if (outcome.kind === "delivered") {
      const isNews = nowMs - (endpoint.deliveredMs ?? 0n) >= GATEWAY_LIMITS.deliveredNoteMs;
      if (isNews) store.endpoints.put(batch, { ...endpoint, deliveredMs: nowMs });
      return;
    }
    if (tookSince(endpoint, row)) return;
    store.endpoints.put(batch, { ...endpoint, disabledBy: "failures", updatedMs: nowMs });
  }
}

/** Takes the first delivery of each lane, up to so many; returns how many were looked at. */
function takeFirsts(
  firsts: Map<string, DueDelivery>,
  placed: readonly PlacedDelivery[],
  limit: number,
): number {
  for (const [looked, one] of placed.entries()) {
    if (firsts.size >= limit) return looked;
    const due = dueOf(one);
    if (!firsts.has(due.lane)) firsts.set(due.lane, due);
  }
  return placed.length;
}

/** The one that stands further back. */
function laterOf(place: Uint8Array | null, other: Uint8Array): Uint8Array {
  return place === null || compareBytes(place, other) < 0 ? other : place;
}

function tookSince({ deliveredMs }: EndpointRow, { createdMs }: DeliveryRow): boolean {
  return deliveredMs !== null && deliveredMs + GATEWAY_LIMITS.deliveredNoteMs >= createdMs;
}

function after(row: DeliveryRow, outcome: DeliveryOutcome): DeliveryRow {
  const attempts = row.attempts + 1;
  switch (outcome.kind) {
    case "delivered":
      return { ...row, state: "delivered", attempts, error: null };
    case "again":
      return { ...row, attempts, dueMs: outcome.atMs, error: outcome.error };
    case "dead":
      return { ...row, state: "dead", attempts, error: outcome.error };
  }
}

function dueOf({ endpoint, number, row }: PlacedDelivery): DueDelivery {
  const share = row.event === null ? 0n : BigInt(`0x${row.event.invoice.slice(-4)}`);
  return {
    key: `${endpoint}/${number}`,
    lane: `${endpoint}/${share % GATEWAY_LIMITS.lanesPerEndpoint}`,
    attempts: row.attempts,
    createdMs: row.createdMs,
  };
}

function placeOf(key: string): DeliveryPlace {
  const [endpoint = "", number = "0"] = key.split("/");
  return { endpoint, number: BigInt(number) };
}
