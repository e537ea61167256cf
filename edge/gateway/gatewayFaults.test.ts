/** What the platform may lose, and what a scanner may tell wrongly, at the level of the whole gateway. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { asAddressText, asInvoiceId, asRawAddress, asTimestampMs } from "@svc/shared/base/brand.ts";
import { API_KEY_BYTES, hashApiKey, makeApiKey } from "@svc/shared/gateway/apiKey.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, TERMS } from "../../tests/gateway/gatewayCaller.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";
import { DeliveryStore } from "./deliveryStore.ts";
import type { GatewayEnv } from "./gatewayEnv.ts";
import { deliverWebhooks } from "./webhookQueue.ts";
import { SecretBox } from "../platform/secretBox.ts";
import type { InvoiceObject } from "./objects/invoiceObject.ts";
import type { MerchantObject } from "./objects/merchantObject.ts";
import type { ScannerObject } from "./objects/scannerObject.ts";

const MINUTE_MS = 60_000n;
const KEYED = { "Idempotency-Key": "order-4711" };

let host: EdgeHost;
let shop: GatewayCaller;
beforeEach(async () => {
  host = await EdgeHost.open();
  shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
});
afterEach(() => host.close());

const stubOf = (id: string) => env.INVOICES.getByName(asInvoiceId(id));
const answer = v.object({ applied: v.boolean(), next: v.string() });
const lowOnes = v.object({ low: v.array(v.object({ key: v.string(), addresses: v.number() })) });
const told = async (body: string, secret?: string) => {
  const response = await host.push(body, secret);
  const json: unknown = await response.json();
  return { status: response.status, json };
};
/** Gives an object another environment, until it is begun anew. */
const given = (object: object, change: Partial<GatewayEnv>) =>
  Reflect.set(object, "env", { ...env, ...change });

describe("an invoice whose alarm is lost", () => {
  it("expires within two minutes all the same, and its merchant is told", async () => {
    await shop.ask("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    const { id } = await shop.create({ expiresIn: 60 });
    await host.hooks();
    const stub = stubOf(id);
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
    await host.passSilently(MINUTE_MS);
    let looks = 0;
    for (; looks < 2; looks += 1) {
      await host.sweep();
      if (await host.ring(stub.id.toString())) break;
      await host.passSilently(MINUTE_MS);
    }
    expect(looks).toBe(1);
    const [event] = await host.hooks();
    expect(JSON.parse(event?.body ?? "")).toMatchObject({ type: "invoice.expired" });
    const { json } = await shop.ask("GET", "/api/v1/invoices?status=expired");
    expect(json["invoices"]).toMatchObject([{ id, status: "expired" }]);
  });
});

describe("a batch of facts", () => {
  it("that comes twice is applied once, and one that leaves a number out is not", async () => {
    const { id } = await shop.create();
    const { key, index, input } = await payment(host, id, 400n, 101n);
    const facts = [{ ...input, key, index }];
    const early = await told(host.batch(3n, facts, 101n));
    expect(early).toMatchObject({ status: 409, json: { applied: false, next: "2" } });
    expect((await shop.invoice(id)).status).toBe("new");
    const first = host.batch(2n, facts, 101n);
    expect(await told(first)).toMatchObject({ status: 200, json: { applied: true, next: "3" } });
    const { version } = await shop.invoice(id);
    const repeated = await told(first);
    expect(v.parse(answer, repeated.json)).toEqual({ applied: true, next: "3" });
    expect(await shop.invoice(id)).toMatchObject({ status: "partial", paidSompi: 400n, version });
  });

  it("of the last number with another content is refused, and does not move the numbers", async () => {
    const { id } = await shop.create();
    const { key, index, input } = await payment(host, id, 400n, 101n);
    const first = host.batch(2n, [{ ...input, key, index }], 101n);
    expect((await told(first)).status).toBe(200);
    const more = { ...(await payment(host, id, 600n, 102n)).input, key, index };
    const conflict = { status: 409, json: { code: "gateway/idempotency-conflict" } };
    expect(await told(host.batch(2n, [more], 150n))).toMatchObject(conflict);
    // It is known after the object has been away, too.
    await evictDurableObject(env.SCANNERS.getByName("scanner"));
    expect(await told(host.batch(2n, [more], 150n))).toMatchObject(conflict);
    expect(await shop.invoice(id)).toMatchObject({ status: "partial", paidSompi: 400n });
    expect(await told(first)).toMatchObject({ status: 200, json: { applied: true, next: "3" } });
    expect((await told(host.batch(3n, [more], 150n))).status).toBe(200);
    expect(await shop.invoice(id)).toMatchObject({ paidSompi: 1_000n });
  });

  it("of an earlier number is refused, too: with another content, and where nobody knows its content any more", async () => {
    const { id } = await shop.create();
    const { key, index, input } = await payment(host, id, 400n, 101n);
    const old = host.batch(2n, [], 101n);
    for (const body of [old, host.batch(3n, [], 101n), host.batch(4n, [], 102n)]) {
      expect((await told(body)).status).toBe(200);
    }
    const conflict = { status: 409, json: { code: "gateway/idempotency-conflict" } };
    expect(await told(host.batch(2n, [{ ...input, key, index }], 101n))).toMatchObject(conflict);
    // The same one, which the network brings late, is not.
    expect(await told(old)).toMatchObject({ status: 200, json: { applied: true, next: "5" } });
    const scanner = env.SCANNERS.getByName("scanner");
    await runInDurableObject(scanner, (_, { storage }) => {
      const far = EDGE_LIMITS.batchHashes + 2;
      storage.sql.exec("UPDATE scanners SET sequence = ?", String(far));
    });
    expect(await told(old)).toMatchObject(conflict);
    expect((await shop.invoice(id)).status).toBe("new");
  });

  it("of a new scanner that is behind the one before settles nothing by the higher tip, and comes to the same end", async () => {
    const [one, two] = [
      await shop.create({ expiresIn: 60 }),
      await shop.create({ expiresIn: 86_400 }),
    ];
    await host.tell([], 200n);
    const scanner = env.SCANNERS.getByName("scanner");
    await runInDurableObject<ScannerObject, void>(scanner, async (object) => {
      given(object, { SVC_SCANNER: "next" });
    });
    const facts = await Promise.all(
      [one, two].map(async ({ id }) => {
        const { key, index, input } = await payment(host, id, 1_000n, 101n);
        return { ...input, key, index };
      }),
    );
    // It gets no further than the first invoice.
    await runInDurableObject<InvoiceObject, void>(stubOf(two.id), async (object) => {
      Reflect.set(object, "setDue", () => Promise.reject(new Error("no database")));
    });
    const behind = host.batch(1n, facts, 101n, "next");
    expect((await told(behind)).status).toBe(500);
    await host.pass(61n * 1_000n);
    expect((await shop.invoice(one.id)).status).toBe("paid");
    await evictDurableObject(stubOf(two.id));
    expect((await told(behind)).status).toBe(200);
    expect((await told(host.batch(2n, [], 200n, "next"))).status).toBe(200);
    for (const { id } of [one, two]) expect((await shop.invoice(id)).status).toBe("confirmed");
  });

  it("is not compared with one that was applied before hashes were kept", async () => {
    const scanner = env.SCANNERS.getByName("scanner");
    await runInDurableObject(scanner, (_, { storage }) => {
      storage.sql.exec("DROP TABLE batches");
    });
    await evictDurableObject(scanner);
    const other = host.batch(1n, [], 150n);
    expect(await told(other)).toMatchObject({ status: 200, json: { applied: true, next: "2" } });
    expect((await told(host.batch(2n, [], 150n))).status).toBe(200);
    expect((await told(host.batch(2n, [], 151n))).status).toBe(409);
  });

  it("with a wrong signature, of a stranger, or of another time is refused", async () => {
    const { id } = await shop.create();
    const { key, index, input } = await payment(host, id, 1_000n, 101n);
    const facts = [{ ...input, key, index }];
    const body = host.batch(2n, facts, 101n);
    const refused = { status: 401, json: { code: "gateway/bad-key" } };
    expect(await told(body, "another secret")).toMatchObject(refused);
    expect(await told(host.batch(2n, facts, 101n, "stranger"))).toMatchObject(refused);
    const unsigned = await host.fetch("/ingest/v1/facts", { method: "POST", body });
    expect(unsigned.status).toBe(401);
    const signed = await host.signed("/ingest/v1/facts", body);
    const changed = await host.fetch("/ingest/v1/facts", {
      ...{ method: "POST", headers: signed, body: body.replace("1000", "9000") },
    });
    expect(changed.status).toBe(401);
    await host.passSilently(6n * MINUTE_MS);
    const late = await host.fetch("/ingest/v1/facts", { method: "POST", headers: signed, body });
    expect(late.status).toBe(401);
    expect((await shop.invoice(id)).status).toBe("new");
  });

  it("is not acknowledged while an invoice does not have it", async () => {
    const [one, two] = [await shop.create(), await shop.create()];
    const facts = await Promise.all(
      [one, two].map(async ({ id }) => {
        const { key, index, input } = await payment(host, id, 1_000n, 101n);
        return { ...input, key, index };
      }),
    );
    await runInDurableObject<InvoiceObject, void>(stubOf(two.id), async (object) => {
      Reflect.set(object, "setDue", () => Promise.reject(new Error("no database")));
    });
    const body = host.batch(2n, facts, 101n);
    expect((await told(body)).status).toBe(500);
    expect((await shop.invoice(two.id)).status).toBe("new");
    await evictDurableObject(stubOf(two.id));
    expect(await told(body)).toMatchObject({ status: 200, json: { applied: true, next: "3" } });
    for (const { id } of [one, two]) {
      expect(await shop.invoice(id)).toMatchObject({ status: "paid", paidSompi: 1_000n });
    }
  });
});

describe("a gateway that fails in the middle of making an invoice", () => {
  const failing = async (isMade: boolean) => {
    const make = async (json: string, id: string) => {
      if (isMade) await stubOf(id).make(json);
      throw new Error("the object is gone");
    };
    const getByName = (id: string) => ({ make: (json: string) => make(json, id) });
    await runInDurableObject<MerchantObject, void>(host.merchantStub(), async (object) => {
      given(object, { INVOICES: Object.assign(Object.create(env.INVOICES), { getByName }) });
    });
    const { status } = await shop.ask("POST", "/api/v1/invoices", TERMS, KEYED);
    expect(status).toBe(500);
    await evictDurableObject(host.merchantStub());
  };

  it.each([false, true])(
    "makes the same one for the same request, also where its object had it: %s",
    async (isMade) => {
      await failing(isMade);
      const first = await shop.ask("POST", "/api/v1/invoices", TERMS, KEYED);
      const again = await shop.ask("POST", "/api/v1/invoices", TERMS, KEYED);
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.json["id"]).toBe(first.json["id"]);
      const { json } = await shop.ask("GET", "/api/v1/invoices");
      expect(json["invoices"]).toMatchObject([{ id: first.json["id"] }]);
      // The first address went to it, and the second to the next one.
      const next = await shop.create();
      const places = [
        await host.addressOf(String(first.json["id"])),
        await host.addressOf(next.id),
      ];
      expect(places.map(({ index }) => index)).toEqual([0x8000_0000, 0x8000_0001]);
    },
  );

  it("makes it when a payment of its address comes", async () => {
    await failing(false);
    const { key } = await host.addressOf((await shop.create()).id);
    const { input } = await payment(host, (await shop.create()).id, 1_000n, 101n);
    await host.tell([{ key, index: 0x8000_0000, input }], 101n);
    const { json } = await shop.ask("GET", "/api/v1/invoices?status=paid");
    expect(json["invoices"]).toHaveLength(1);
  });
});

describe("events that the queue did not hear of", () => {
  it("are told when the invoice is next due, with one delivery for each", async () => {
    await shop.ask("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
    const { id } = await shop.create();
    await host.hooks();
    const sent: unknown[] = [];
    let isDown = true;
    const sendBatch = async (messages: readonly unknown[]) => {
      if (isDown) throw new Error("no queue");
      sent.push(...messages);
    };
    await runInDurableObject<InvoiceObject, void>(stubOf(id), async (object) => {
      given(object, { WEBHOOKS: Object.assign(Object.create(env.WEBHOOKS), { sendBatch }) });
    });
    const marked = await shop.ask("POST", `/api/v1/invoices/${id}/mark`, {
      ...{ as: "settled", reason: "cash" },
    });
    expect(marked.json).toMatchObject({ status: "confirmed" });
    expect(sent).toEqual([]);
    isDown = false;
    await host.pass(5_000n);
    expect(sent).toHaveLength(1);
    expect(await host.hooks()).toHaveLength(1);
  });
});

describe("events of an invoice whose messages come in the wrong order", () => {
  it.each(["svc", "greenfield"])(
    "reach a webhook of the form %s as they were told",
    async (form) => {
      const made = await shop.ask("POST", "/api/v1/webhooks", { url: "http://127.0.0.1:9/hook" });
      const hook = String(made.json["id"]);
      const turned = env.DB.prepare("UPDATE webhook_endpoints SET form = ?1 WHERE id = ?2");
      await turned.bind(form, hook).run();
      const { id } = await shop.create();
      await host.tell([await payment(host, id, 400n, 101n)], 101n);
      await host.tell([await payment(host, id, 600n, 102n)], 150n);
      const { results } = await env.DB.prepare(
        "SELECT merchant, endpoint, id AS delivery, 0 AS attempt, event_id FROM webhook_deliveries WHERE invoice = ?1 ORDER BY place DESC",
      )
        .bind(id)
        .all();
      const came: string[] = [];
      let waiting: unknown[] = results;
      for (let round = 0; waiting.length > 0 && round <= results.length; round += 1) {
        const back: unknown[] = [];
        for (const body of waiting) {
          await deliverWebhooks([{ body, ack: () => undefined, retry: () => undefined }], {
            ...{ deliveries: new DeliveryStore(env.DB), reach: "loopback", random: () => 0 },
            secrets: await SecretBox.of(env.SVC_MASTER_KEY),
            queue: {
              send: (message) => {
                back.push(message);
                return env.WEBHOOKS.send(message);
              },
              sendBatch: (messages) => env.WEBHOOKS.sendBatch(messages),
            },
            now: () => asTimestampMs(host.nowMs()),
            post: async ({ headers }) =>
              void came.push(new Headers(headers).get("webhook-id") ?? ""),
          });
        }
        waiting = back;
      }
      const told = results.map((row) => String(row["event_id"])).toReversed();
      expect(told.length).toBeGreaterThan(3);
      if (form === "svc") expect(came).toEqual(told);
      else expect(came).toHaveLength(told.length);
      expect(waiting).toEqual([]);
    },
  );
});

describe("addresses", () => {
  it("are asked for by every key that has few, however many have fewer that nobody refills", async () => {
    const stock = "INSERT INTO address_stock (viewing_key, addresses) VALUES (?1, ?2)";
    const rows = Array.from({ length: 2 * EDGE_LIMITS.lowKeys + 1 }, (_, place) =>
      env.DB.prepare(stock).bind(`key_${place.toString(16).padStart(8, "0")}`, 0),
    );
    await env.DB.batch(rows);
    await env.DB.prepare(stock)
      .bind("key_ffffffff", EDGE_LIMITS.addressLow - 1)
      .run();
    const named: string[] = [];
    for (const sequence of [2n, 3n, 4n]) {
      const { json } = await told(host.batch(sequence, [], 150n));
      const { low } = v.parse(lowOnes, json);
      expect(low.length).toBeLessThanOrEqual(EDGE_LIMITS.lowKeys);
      named.push(...low.map(({ key }) => key));
    }
    expect(named).toContain("key_ffffffff");
    expect(new Set(named).size).toBe(rows.length + 1);
    expect(named).toHaveLength(rows.length + 1);
  });

  it("are never given twice, whatever the scanner hands out again", async () => {
    const { key } = await host.addressOf((await shop.create()).id);
    const merchant = env.MERCHANTS.getByName("a key of its own");
    const run = (from: number) => {
      const raw = asRawAddress("0".repeat(86));
      const address = { raw, text: asAddressText(`svcsim:${"q".repeat(79)}`) };
      return merchant.addRun({ kind: "addresses", key, from, addresses: [address, address] });
    };
    const create = async () => {
      const made = await merchant.create(host.wish(key));
      return made.ok ? v.parse(place, JSON.parse(made.value.json)) : made.error.code;
    };
    const place = v.pipe(
      v.object({
        invoice: v.object({ terms: v.object({ address: v.object({ index: v.number() }) }) }),
      }),
      v.transform(({ invoice }) => invoice.terms.address.index),
    );
    await run(100);
    await run(100);
    expect([await create(), await create(), await create()]).toEqual([
      100,
      101,
      "gateway/no-address",
    ]);
    await run(100);
    await run(101);
    expect(await create()).toBe("gateway/no-address");
    await run(102);
    expect(await create()).toBe(102);
  });
});

describe("a webhook", () => {
  it("whose receiver took nothing for three days gets nothing any more", async () => {
    const made = await shop.ask("POST", "/api/v1/webhooks", {
      ...{ url: "http://127.0.0.1:9/hook", events: ["invoice.created"] },
    });
    const path = `/api/v1/webhooks/${String(made.json["id"])}`;
    await shop.create();
    for (let tries = 0; tries < 14; tries += 1) {
      await host.hooks(500);
      await host.pass(12n * 60n * MINUTE_MS);
    }
    expect((await shop.ask("GET", path)).json).toMatchObject({ disabledBy: "failures" });
    const dead = await shop.ask("GET", `${path}/deliveries?dead=1`);
    expect(dead.json["deliveries"]).toMatchObject([
      { state: "dead", eventType: "invoice.created" },
    ]);
  });

  it("has one delivery of an event, however often it is written", async () => {
    const deliveries = new DeliveryStore(env.DB);
    const one = { merchant: "shop", id: "dlv_1", endpoint: "wh_1", eventId: "evt_1" };
    const delivery = { ...one, eventType: "ping", body: "{}" };
    const now = asTimestampMs(host.nowMs());
    await deliveries.add(delivery, now);
    await deliveries.settle({ ...one, attempts: 0 }, { kind: "delivered" }, now);
    await deliveries.add(delivery, now);
    expect(await deliveries.find(one, now)).toMatchObject({ dueMs: null });
  });
});

describe("what an operator does", () => {
  it("is signed, and done once", async () => {
    const text = makeApiKey("test", new Uint8Array(API_KEY_BYTES).fill(7));
    const hash = await hashApiKey(text);
    const key = { hash, mode: "test", scopes: ["invoices:read"], label: "", expiresMs: null };
    const body = JSON.stringify({ merchant: "shop", ...key });
    const caller = new GatewayCaller(host, text);
    const ask = async (call: string, json: string, secret?: string) => {
      const response = await host.admin(call, json, secret);
      return [
        response.status,
        v.parse(v.looseObject({ code: v.optional(v.string()) }), await response.json()).code,
      ];
    };
    expect(await ask("keys", body, env.SVC_INGEST_SECRET)).toEqual([401, "gateway/bad-key"]);
    expect((await caller.ask("GET", "/api/v1/key")).status).toBe(401);
    const nobody = JSON.stringify({ merchant: "nobody", ...key });
    expect(await ask("keys", nobody)).toEqual([404, "gateway/no-merchant"]);
    expect(
      await ask("keys", JSON.stringify({ ...key, merchant: "shop", scopes: ["all"] })),
    ).toEqual([422, "api/wrong-type"]);
    expect(await ask("elsewhere", body)).toEqual([404, "http/not-found"]);
    expect(await ask("keys", body)).toEqual([200, undefined]);
    const revoke = JSON.stringify({ merchant: "shop", id: hash.slice(0, 16) });
    expect((await caller.ask("GET", "/api/v1/key")).status).toBe(200);
    expect(await ask("keys/revoke", revoke)).toEqual([200, undefined]);
    // Told again, the key stays revoked.
    expect(await ask("keys", body)).toEqual([200, undefined]);
    expect((await caller.ask("GET", "/api/v1/key")).status).toBe(401);
    expect(await ask("keys/revoke", revoke)).toEqual([404, "gateway/no-key"]);
  });

  it("is good for the call that was signed, and for no other", async () => {
    await host.issueKey("shop", ["invoices:read"]);
    const body = JSON.stringify({ merchant: "shop", id: "0".repeat(16) });
    const headers = await host.signed("/admin/v1/keys/revoke", body, env.SVC_ADMIN_SECRET);
    const ask = async (path: string) =>
      (await host.fetch(path, { method: "POST", headers, body })).status;
    expect(await ask("/admin/v1/keys/revoke")).toBe(404);
    expect(await ask("/admin/v1/keys/list")).toBe(401);
  });

  it("lists merchants and keys, and no text or hash of a key", async () => {
    const text = await host.issueKey("shop", ["invoices:read"]);
    await host.issueKey("another", ["refunds"]);
    const ask = async (call: string, body: object): Promise<unknown> =>
      (await host.admin(call, JSON.stringify(body))).json();
    const all = await ask("merchants/list", { after: null });
    expect(all).toMatchObject({ merchants: [{ id: "another" }, { id: "shop" }], next: null });
    expect(await ask("merchants/list", { after: "another" })).toMatchObject({
      merchants: [{ id: "shop", name: "The shop" }],
    });
    const hash = await hashApiKey(text);
    const keys = JSON.stringify(await ask("keys/list", { merchant: "shop" }));
    expect(keys).toContain(hash.slice(0, 16));
    expect(keys).not.toContain(hash);
    expect(keys).not.toContain(text);
    expect(await ask("keys/list", { merchant: "nobody" })).toMatchObject({
      code: "gateway/no-merchant",
    });
  });
});
