/**
 * The queue of webhooks of all feeds. A delivery is written in the commit of its entry; what it sends is made from the entry when
 * it goes out.
 */
import { asTimestampMs, type RawAddress, type TimestampMs } from "@svc/shared/base/brand.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { CLIENT_LIMITS } from "../../client/clientLimits.ts";
import type {
  DeliveryContent,
  DeliveryOutcome,
  DeliveryQueue,
  DueDelivery,
  WebhookEndpoint,
} from "../../client/deliveryQueue.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { asWalletToken, walletLabel, type WalletToken } from "../keys/walletToken.ts";
import type { DeliveryPlace, DeliveryRow, PlacedDelivery } from "../store/deliveryTable.ts";
import type { FeedEntry } from "../store/eventTable.ts";
import { numberKey, readNumberKey } from "../../storage/rows/storeKeys.ts";
import type { StoreBatch } from "../../storage/rows/storeBatch.ts";
import type { WalletStore } from "../store/walletStore.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import { feedEntryJson } from "./feedJson.ts";

/** Dependencies of the queue. */
export type FeedDeliveriesParts = {
  readonly store: Pick<WalletStore, "commit" | "events" | "deliveries">;
  readonly endpoint: WebhookEndpoint;
  readonly clock: Pick<Clock, "nowMs">;
  /** 12 bytes from the system's generator. */
  readonly randomBytes: (length: number) => Uint8Array;
  readonly addressText: (recipient: RawAddress) => string;
};

const ID_FORM = /^evt_([0-9a-f]{16})[0-9a-f]{24}$/;
const ID_RANDOM_BYTES = 12;

/** The deliveries of a daemon with one webhook. */
export class FeedDeliveries implements DeliveryQueue {
  readonly #parts: FeedDeliveriesParts;

  constructor(parts: FeedDeliveriesParts) {
    this.#parts = parts;
  }

  /** Adds the delivery of an entry to the commit that writes it. */
  add(batch: StoreBatch, token: WalletToken, { cursor, event }: FeedEntry): void {
    const { store, randomBytes } = this.#parts;
    const id = `evt_${encodeHex(numberKey(cursor))}${encodeHex(randomBytes(ID_RANDOM_BYTES))}`;
    const { createdMs } = event;
    const times = { createdMs, dueMs: createdMs };
    const row: DeliveryRow = { id, state: "waiting", attempts: 0, ...times, error: null };
    store.deliveries.add(batch, { token, cursor }, row);
  }

  /** Deliveries that wait and dead letters, of all feeds; each up to `webhooksCounted`. */
  counts(): { readonly waiting: number; readonly dead: number } {
    return this.#parts.store.deliveries.counts(WALLETD_LIMITS.webhooksCounted);
  }

  /** Sends an event again that this wallet's feed has, by its id, and returns the delivery. Throws `webhook/no-delivery`. */
  redeliver(token: WalletToken, id: string): PlacedDelivery {
    const { store, clock } = this.#parts;
    const [, hex] = ID_FORM.exec(id) ?? [];
    const cursor = hex === undefined ? null : readNumberKey(decodeHex(hex));
    const place = cursor === null ? null : { token, cursor };
    const isOurs = place !== null && store.deliveries.get(place)?.id === id;
    if (!isOurs) throw new SvcError("webhook/no-delivery", {});
    const nowMs = asTimestampMs(clock.nowMs());
    return store.commit((batch) => {
      store.deliveries.again(batch, place, nowMs);
      const row = store.deliveries.get(place, batch);
      if (row === undefined) throw new SvcError("webhook/no-delivery", {});
      return { ...place, row };
    });
  }

  due(nowMs: TimestampMs, limit: number): readonly DueDelivery[] {
    const jitter = BigInt(100 + CLIENT_LIMITS.webhookJitterPercent);
    const pauseMs = (BigInt(CLIENT_LIMITS.webhookRetryLongestMs) * jitter) / 100n;
    return this.#parts.store.deliveries.due(nowMs, pauseMs, limit).map(dueOf);
  }

  nextMs(): TimestampMs | null {
    return this.#parts.store.deliveries.nextMs();
  }

  content(delivery: DueDelivery): DeliveryContent | null {
    const { store, endpoint, addressText } = this.#parts;
    const place = placeOf(delivery);
    const row = store.deliveries.get(place);
    const event = store.events.at(place.token, place.cursor);
    if (row?.id !== place.id || event === undefined) return null;
    const type = `deposit.${event.kind}`;
    // Receivers that were written for the reference look at `eventType`.
    const content = {
      id: row.id,
      type,
      eventType: type,
      createdAt: Number(event.createdMs / 1_000n),
      apiVersion: "v1",
      data: {
        wallet: walletLabel(asWalletToken(place.token)),
        event: feedEntryJson({ cursor: place.cursor, event }, addressText),
      },
    };
    return { endpoint, id: row.id, type, body: new TextEncoder().encode(JSON.stringify(content)) };
  }

  settle(delivery: DueDelivery, outcome: DeliveryOutcome): void {
    const { store } = this.#parts;
    const place = placeOf(delivery);
    store.commit((batch) => {
      const row = store.deliveries.get(place, batch);
      if (row?.id === place.id) store.deliveries.change(batch, place, settled(row, outcome));
    });
  }
}

function settled(row: DeliveryRow, outcome: DeliveryOutcome): DeliveryRow {
  switch (outcome.kind) {
    case "delivered":
      return { ...row, state: "delivered", error: null };
    case "again":
      return { ...row, attempts: row.attempts + 1, dueMs: outcome.atMs, error: outcome.error };
    case "dead":
      return { ...row, state: "dead", attempts: row.attempts + 1, error: outcome.error };
  }
}

function dueOf({ token, cursor, row }: PlacedDelivery): DueDelivery {
  const { attempts, createdMs } = row;
  // A wallet that takes another's place begins its feed anew: a cursor alone would name an event of either.
  return { key: `${token}.${cursor}.${row.id}`, lane: token, attempts, createdMs };
}

function placeOf({ key, lane }: DueDelivery): DeliveryPlace & { readonly id: string } {
  const [cursor = "0", id = ""] = key.slice(lane.length + 1).split(".");
  return { token: lane, cursor: BigInt(cursor), id };
}
