import { createMessageBatch, createExecutionContext, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import {
  verifyStandardWebhook,
  verifySvcSignature,
} from "@svc/shared/protocol/webhook/signature.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { SecretBox } from "../platform/secretBox.ts";
import { migrate } from "../testkit/database.ts";
import { DeliveryStore, type WebhookMessage } from "./deliveryStore.ts";
import gatewayWorker from "./gatewayWorker.ts";
import {
  buryWebhooks,
  deliverWebhooks,
  sweepWebhooks,
  webhookSecretPlace,
  type WebhookQueueParts,
} from "./webhookQueue.ts";

const T0 = 1_700_000_000_000n;
const HOUR = 3_600_000n;
const SECRET = "whsec_plJ3nmyCDGBKInavdOK15jsl";
const BODY = '{"id":"evt_1","type":"invoice.confirmed"}';
/** The middle of the jitter. */
const MIDDLE = 2 ** 31;
const receiver = inject("receiver");

let db: D1Database;
let deliveries: DeliveryStore;
let secrets: SecretBox;
let merchant = "";
let number = 0;
beforeEach(async () => {
  db = await migrate();
  deliveries = new DeliveryStore(db);
  secrets = await SecretBox.of(env.SVC_MASTER_KEY);
  number += 1;
  merchant = `mer_${number}_${crypto.randomUUID()}`;
});

// Messages for later tries lie in the real queue, and are to find nothing to do.
afterEach(() =>
  db.prepare("DELETE FROM webhook_deliveries WHERE merchant = ?1").bind(merchant).run(),
);

type Sent = { readonly body: unknown; readonly delaySeconds: number };

/** A consumer at a time of its own, in front of the real database and the real queue; what it puts into the queue is noted. */
function consumer(change: Partial<WebhookQueueParts> = {}) {
  const sent: Sent[] = [];
  const clock = { now: asTimestampMs(T0) };
  const parts: WebhookQueueParts = {
    ...{ deliveries, secrets, reach: "loopback", now: () => clock.now, random: () => MIDDLE },
    queue: {
      send: async (body, { delaySeconds = 0 } = {}) => {
        sent.push({ body, delaySeconds });
        return env.WEBHOOKS.send(body, { delaySeconds });
      },
      sendBatch: async (messages) => {
        for (const { body } of messages) sent.push({ body, delaySeconds: 0 });
        return env.WEBHOOKS.sendBatch(messages);
      },
    },
    ...change,
  };
  return { parts, sent, clock };
}

async function endpoint(path: string, target: { enabled?: boolean; url?: string } = {}) {
  const place = webhookSecretPlace(merchant, "we_1");
  const secret = await secrets.seal(place, new Secret(new TextEncoder().encode(SECRET)));
  const { enabled = true, url = `${receiver}${path}?key=${merchant}` } = target;
  await deliveries.putEndpoint({ merchant, id: "we_1" }, { url, secret, enabled });
}

const delivery = (id = "whd_1") => ({
  ...{ merchant, id, endpoint: "we_1", eventId: "evt_1", eventType: "invoice.confirmed" },
  body: BODY,
});
const add = (now: bigint = T0, id?: string) => deliveries.add(delivery(id), asTimestampMs(now));

/** Hands a message to a consumer as the platform does, and tells whether it was taken. */
async function handle(body: unknown, parts: WebhookQueueParts) {
  const batch = createMessageBatch("svc-webhooks", [
    { id: "m1", timestamp: new Date(Number(T0)), attempts: 1, body },
  ]);
  await deliverWebhooks(batch.messages, parts);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return { taken: explicitAcks.length, back: retryMessages };
}
const TAKEN = { taken: 1, back: [] };
const rowOf = (id = "whd_1") =>
  db
    .prepare(
      "SELECT attempts, due_ms, outcome, error FROM webhook_deliveries WHERE merchant = ?1 AND id = ?2",
    )
    .bind(merchant, id)
    .first();

type Came = { path: string; headers: Record<string, string>; body: string };
const came = async (): Promise<Came[]> => (await fetch(`${receiver}/came/${merchant}`)).json();

describe("a webhook in the queue", () => {
  it("is sent once, signed twice, and done", async () => {
    await endpoint("/status/204");
    const { parts, sent } = consumer();
    expect(await handle(await add(), parts)).toEqual(TAKEN);
    const all = await came();
    const [{ headers, body } = expect.unreachable()] = all;
    expect([all.length, body]).toEqual([1, BODY]);
    const source = { get: (name: string) => headers[name] };
    const bytes = new TextEncoder().encode(body);
    expect(await verifySvcSignature(SECRET, source, bytes, T0 / 1_000n)).toBe("ok");
    expect(await verifyStandardWebhook(SECRET, source, bytes, T0 / 1_000n)).toBe("ok");
    expect(headers).toMatchObject({
      "content-type": "application/json",
      "svc-event-id": "evt_1",
      "svc-event-type": "invoice.confirmed",
      "svc-delivery-attempt": "1",
    });
    expect(await rowOf()).toEqual({ attempts: 0, due_ms: null, outcome: "delivered", error: null });
    expect(sent).toEqual([]);
  });

  it("is tried again by the schedule until three days have passed, then it is a dead letter", async () => {
    await endpoint("/status/500");
    const { parts, sent, clock } = consumer();
    let message: unknown = await add();
    const pauses: number[] = [];
    for (;;) {
      expect(await handle(message, parts)).toEqual(TAKEN);
      const next = sent.shift();
      if (next === undefined) break;
      message = next.body;
      pauses.push(next.delaySeconds);
      clock.now = asTimestampMs(clock.now + BigInt(next.delaySeconds) * 1_000n);
    }
    const long = Array.from({ length: 6 }, () => 43_200);
    expect(pauses).toEqual([10, 60, 300, 1_800, 7_200, 21_600, ...long]);
    const all = await came();
    expect(all.map(({ headers }) => headers["svc-delivery-attempt"])).toEqual(
      Array.from({ length: 13 }, (_, place) => String(place + 1)),
    );
    // A time of its own for each try, one event id for all.
    expect(new Set(all.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(13);
    expect(new Set(all.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set(["evt_1"]));
    expect(await rowOf()).toMatchObject({ attempts: 13, due_ms: null, outcome: "dead" });
    expect((await rowOf())?.["error"]).toContain("webhook/refused");
  });

  it("stops at once where the receiver says 410", async () => {
    await endpoint("/status/410");
    const { parts, sent } = consumer();
    await handle(await add(), parts);
    expect(await rowOf()).toMatchObject({ attempts: 1, due_ms: null, outcome: "dead" });
    expect(sent).toEqual([]);
  });

  it("follows no redirect", async () => {
    await endpoint("/redirect");
    const { parts, sent } = consumer();
    await handle(await add(), parts);
    expect((await came()).map(({ path }) => path)).toEqual(["/redirect"]);
    expect((await rowOf())?.["error"]).toContain('"status":"307"');
    expect(sent).toHaveLength(1);
  });

  it("counts the status of a receiver that floods, and cuts it off", async () => {
    await endpoint("/flood");
    const { parts } = consumer();
    await handle(await add(), parts);
    expect(await rowOf()).toMatchObject({ outcome: "delivered" });
    const flooded: number = await (await fetch(`${receiver}/flooded`)).json();
    expect(flooded).toBeLessThan(64 * 1_048_576);
  });

  it("gives up on a receiver that hangs", async () => {
    await endpoint("/hang");
    const over = new AbortController();
    const { parts } = consumer({ patience: () => over.signal });
    const message = await add();
    const handled = handle(message, parts);
    await came();
    over.abort(new DOMException("too long", "TimeoutError"));
    expect(await handled).toEqual(TAKEN);
    expect((await rowOf())?.["error"]).toContain("run/timeout");
  });

  it.each(["/cut", "nobody"])("is tried again where nobody answers: %s", async (path) => {
    await endpoint(path, path === "nobody" ? { url: "http://127.0.0.1:9/" } : {});
    const { parts, sent } = consumer();
    await handle(await add(), parts);
    expect((await rowOf())?.["error"]).toContain("webhook/unreachable");
    expect(sent).toHaveLength(1);
  });

  it("goes nowhere but to the open Internet, over HTTPS", async () => {
    for (const url of ["http://shop.test/", "https://10.0.0.1/", "https://nas.local/"]) {
      await endpoint("", { url });
      const { parts, sent } = consumer({ reach: "public" });
      await handle(await add(T0, url), parts);
      expect(await rowOf(url)).toMatchObject({ outcome: "dead" });
      expect((await rowOf(url))?.["error"]).toContain("webhook/bad-target");
      expect(sent).toEqual([]);
    }
  });

  it("is a dead letter where its endpoint is gone or switched off", async () => {
    const { parts } = consumer();
    await handle(await add(T0, "gone"), parts);
    await endpoint("/status/200", { enabled: false });
    await handle(await add(T0, "off"), parts);
    expect(await rowOf("gone")).toMatchObject({ outcome: "dead" });
    expect(await rowOf("off")).toMatchObject({ outcome: "dead" });
  });

  it("is tried again where its secret does not open", async () => {
    await endpoint("/status/200");
    const { parts, sent } = consumer({ secrets: await SecretBox.of(`x:${"99".repeat(32)}`) });
    await handle(await add(), parts);
    expect((await rowOf())?.["error"]).toContain("store/corrupt");
    expect(sent).toHaveLength(1);
  });
});

describe("a message", () => {
  it("that comes a second time sends nothing, before and behind the end of a delivery", async () => {
    await endpoint("/status/500");
    const { parts, sent, clock } = consumer();
    const first = await add();
    await handle(first, parts);
    expect(await handle(first, parts)).toEqual(TAKEN);
    expect(
      [await came(), sent.length].map((one) => (Array.isArray(one) ? one.length : one)),
    ).toEqual([1, 1]);
    await endpoint("/status/200");
    clock.now = asTimestampMs(T0 + HOUR);
    const second = sent[0]?.body;
    await handle(second, parts);
    await handle(second, parts);
    await handle(first, parts);
    expect((await came()).map(({ path }) => path)).toEqual(["/status/500", "/status/200"]);
  });

  it("that comes too early is put back for the rest of the time, at most what the platform takes", async () => {
    await endpoint("/status/500");
    const { parts, sent, clock } = consumer({ random: () => 2 ** 32 - 1 });
    const message = await add();
    await db
      .prepare("UPDATE webhook_deliveries SET attempts = 8 WHERE merchant = ?1")
      .bind(merchant)
      .run();
    await handle({ ...message, attempt: 8 }, parts);
    const next = sent.shift();
    // 14.4 hours, of which the queue takes 12.
    expect(next).toEqual({ body: { ...message, attempt: 9 }, delaySeconds: 43_200 });
    clock.now = asTimestampMs(T0 + 12n * HOUR);
    await handle(next?.body, parts);
    expect(sent).toEqual([{ body: { ...message, attempt: 9 }, delaySeconds: 8_640 }]);
    expect(await came()).toHaveLength(1);
  });

  it.each([
    null,
    7,
    "x",
    {},
    { merchant: 1 },
    { merchant: "m", endpoint: "e", delivery: "d", attempt: -1 },
  ])("that is none is taken out of the queue: %j", async (body) => {
    const { parts } = consumer();
    expect(await handle(body, parts)).toEqual(TAKEN);
  });

  it("of a delivery that nobody knows is taken out of the queue", async () => {
    const { parts } = consumer();
    const message: WebhookMessage = { merchant, endpoint: "we_1", delivery: "x", attempt: 0 };
    expect(await handle(message, parts)).toEqual(TAKEN);
  });

  it("comes back where the database is away", async () => {
    await endpoint("/status/200");
    const message = await add();
    await db.prepare("ALTER TABLE webhook_deliveries RENAME TO away").run();
    try {
      const { parts } = consumer();
      const { taken, back } = await handle(message, parts);
      expect([taken, back.length]).toEqual([0, 1]);
    } finally {
      await db.prepare("ALTER TABLE away RENAME TO webhook_deliveries").run();
    }
  });

  it("holds no secret, no address and no content", async () => {
    await endpoint("/status/200");
    const text = JSON.stringify(await add());
    for (const word of [SECRET, receiver, "confirmed"]) expect(text).not.toContain(word);
  });
});

describe("what one invoice tells one webhook", () => {
  const told = (place: number, of: { invoice?: string; endpoint?: string } = {}) => {
    const { invoice = "inv_1", endpoint: to = "we_1" } = of;
    const id = `whd_${invoice}_${to}_${place}`;
    const content = { ...delivery(id), endpoint: to, eventId: `evt_${place}`, invoice, place };
    return deliveries.add(content, asTimestampMs(T0));
  };
  /** A consumer whose messages wait in the test alone. */
  const alone = (change: Partial<WebhookQueueParts> = {}) => {
    const sent: Sent[] = [];
    const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
    const queue: WebhookQueueParts["queue"] = {
      send: async (body, { delaySeconds = 0 } = {}) => {
        sent.push({ body, delaySeconds });
        return { metadata };
      },
      sendBatch: async () => ({ metadata }),
    };
    return { ...consumer({ queue, ...change }), sent };
  };
  const ids = async () => (await came()).map(({ headers }) => headers["svc-event-id"]);

  it("waits until the one before was tried once, and no longer, also where that failed", async () => {
    await endpoint("/status/500");
    const { parts, sent, clock } = alone();
    const [first, second, third] = [await told(1), await told(2), await told(3)];
    for (const early of [third, second]) {
      expect(await handle(early, parts)).toEqual(TAKEN);
      expect(sent.splice(0)).toEqual([{ body: early, delaySeconds: 1 }]);
    }
    await handle(first, parts);
    await handle(third, parts);
    await handle(second, parts);
    await handle(third, parts);
    expect(await ids()).toEqual(["evt_1", "evt_2", "evt_3"]);
    // Later tries wait for nobody.
    clock.now = asTimestampMs(T0 + HOUR);
    await handle({ ...third, attempt: 1 }, parts);
    expect(await ids()).toHaveLength(4);
  });

  it("waits while the one before is under way", async () => {
    await endpoint("/hang");
    const over = new AbortController();
    const { parts, sent } = alone({ patience: () => over.signal });
    const [first, second] = [await told(1), await told(2)];
    const hanging = handle(first, parts);
    await came();
    await handle(second, parts);
    expect(sent.splice(0)).toEqual([{ body: second, delaySeconds: 1 }]);
    over.abort(new DOMException("too long", "TimeoutError"));
    await hanging;
    await endpoint("/status/200");
    await handle(second, alone().parts);
    expect(await ids()).toEqual(["evt_1", "evt_2"]);
  });

  it("waits for no more than two minutes for one that nobody tries", async () => {
    await endpoint("/status/200");
    const { parts, sent, clock } = alone();
    const [first, second] = [await told(1), await told(2)];
    clock.now = asTimestampMs(T0 + EDGE_LIMITS.orderWaitMs - 1n);
    await handle(second, parts);
    expect(sent).toHaveLength(1);
    clock.now = asTimestampMs(T0 + EDGE_LIMITS.orderWaitMs);
    await handle(second, parts);
    await handle(first, parts);
    expect(await ids()).toEqual(["evt_2", "evt_1"]);
  });

  it("keeps no other invoice, no other webhook and no ping", async () => {
    await endpoint("/status/200");
    const { parts } = alone();
    await told(1);
    await told(1, { endpoint: "we_2" });
    await handle(await told(2, { invoice: "inv_2" }), parts);
    await handle(await add(), parts);
    expect(await ids()).toEqual(["evt_2", "evt_1"]);
  });
});

describe("the sweep of webhooks", () => {
  it("puts back what the queue has lost, once in a while, and nothing that is done", async () => {
    await endpoint("/status/200");
    const { parts, sent, clock } = consumer();
    const message = await add();
    const mine = () => sent.splice(0).filter(({ body }) => JSON.stringify(body).includes(merchant));
    clock.now = asTimestampMs(T0 + 30_000n);
    await sweepWebhooks(parts);
    expect(mine()).toEqual([]);
    clock.now = asTimestampMs(T0 + 60_000n);
    await sweepWebhooks(parts);
    expect(mine()).toEqual([{ body: message, delaySeconds: 0 }]);
    await sweepWebhooks(parts);
    expect(mine()).toEqual([]);
    await handle(message, parts);
    clock.now = asTimestampMs(T0 + HOUR);
    await sweepWebhooks(parts);
    expect(mine()).toEqual([]);
  });
});

describe("what the queue has given up on", () => {
  it("is a dead letter when it is old enough, and left to the sweep when it is not", async () => {
    const bury = async (message: WebhookMessage, now: TimestampMs) => {
      const batch = createMessageBatch("svc-webhooks-dead", [
        { id: "m", timestamp: new Date(0), attempts: 1, body: message },
      ]);
      await buryWebhooks(batch.messages, { deliveries, now: () => now });
      return getQueueResult(batch, createExecutionContext());
    };
    const message = await add();
    expect((await bury(message, asTimestampMs(T0 + HOUR))).explicitAcks).toEqual(["m"]);
    expect(await rowOf()).toMatchObject({ outcome: "waiting", due_ms: Number(T0) });
    await bury(message, asTimestampMs(T0 + 72n * HOUR));
    expect(await rowOf()).toMatchObject({ outcome: "dead", due_ms: null });
  });
});

describe("the Worker", () => {
  it("takes both queues, by their names", async () => {
    await endpoint("/status/200");
    const message = await add();
    const old = await add(T0, "whd_old");
    for (const [queue, body] of [
      ["svc-webhooks", message],
      ["svc-webhooks-dead", old],
    ] as const) {
      const batch = createMessageBatch(queue, [
        { id: "m", timestamp: new Date(0), attempts: 1, body },
      ]);
      await gatewayWorker.queue(batch, env);
      const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
      expect(explicitAcks).toEqual(["m"]);
    }
    expect(await rowOf()).toMatchObject({ outcome: "delivered" });
    expect(await rowOf("whd_old")).toMatchObject({ outcome: "dead" });
  });

  it("is brought a message by the platform's own queue", async () => {
    await endpoint("/status/200");
    await env.WEBHOOKS.send(await add());
    expect(await came()).toHaveLength(1);
    await expect.poll(async () => (await rowOf())?.["outcome"]).toBe("delivered");
  });
});
