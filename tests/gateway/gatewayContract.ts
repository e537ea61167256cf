/** The contract of the gateway API: one suite over every host of it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import {
  verifyStandardWebhook,
  verifySvcSignature,
} from "@svc/shared/protocol/webhook/signature.ts";
import { checkoutRecord } from "@svc/shared/protocol/gateway/checkoutRecord.ts";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment, takenBack, TERMS } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";

const NEVER = `inv_${"0".repeat(32)}`;
const HOOK = "http://127.0.0.1:9/hook";

/** Runs the suite over the hosts that `make` makes. */
export function gatewayContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`the gateway API of ${name}`, () => {
    let host: GatewayHost;
    let shop: GatewayCaller;
    let key: string;

    beforeEach(async () => {
      host = await make();
      key = await host.issueKey("shop", KEY_SCOPES);
      shop = new GatewayCaller(host, key);
    });
    afterEach(() => host.close());

    describe("invoices", () => {
      it("are made with an address of their own, and found again", async () => {
        const [one, two] = [await shop.create(), await shop.create()];
        expect(one).toMatchObject({ orderId: "4711", amountSompi: 1_000n, status: "new" });
        expect(one.address).not.toBe(two.address);
        expect(one.paymentUri).toBe(`${one.address}?amount=0.00001`);
        expect(one.expiresAt - one.createdAt).toBe(900);
        expect(await shop.invoice(one.id)).toEqual(one);
      });

      it("are made once for one key, as long as they exist", async () => {
        const headers = { "Idempotency-Key": "order-4711" };
        const first = await shop.ask("POST", "/api/v1/invoices", TERMS, headers);
        await host.pass(40n * 86_400_000n);
        const again = await shop.ask("POST", "/api/v1/invoices", TERMS, headers);
        expect([first.status, again.status]).toEqual([201, 201]);
        expect(first.headers.get("idempotent-replayed")).toBeNull();
        expect(again.headers.get("idempotent-replayed")).toBe("true");
        expect(again.json["id"]).toBe(first.json["id"]);
        const other = await shop.ask(
          "POST",
          "/api/v1/invoices",
          { ...TERMS, orderId: "9" },
          headers,
        );
        expect([other.status, other.json["code"]]).toEqual([409, "gateway/idempotency-conflict"]);
        const elsewhere = new GatewayCaller(host, await host.issueKey("elsewhere", KEY_SCOPES));
        const theirs = await elsewhere.ask("POST", "/api/v1/invoices", TERMS, headers);
        expect([theirs.status, theirs.json["id"] === first.json["id"]]).toEqual([201, false]);
      });

      it("with one key at once are one invoice", async () => {
        const headers = { "Idempotency-Key": "k" };
        const all = await Promise.all(
          Array.from({ length: 8 }, () => shop.ask("POST", "/api/v1/invoices", TERMS, headers)),
        );
        const made = all.filter(({ status }) => status === 201);
        expect(new Set(made.map(({ json }) => json["id"])).size).toBe(1);
        for (const { status } of all) expect([201, 409]).toContain(status);
      });

      it("of another merchant are answered as those that do not exist", async () => {
        const { id } = await shop.create();
        const elsewhere = new GatewayCaller(host, await host.issueKey("elsewhere", KEY_SCOPES));
        const missing = { status: 404, code: "gateway/no-invoice" };
        for (const path of [`/api/v1/invoices/${id}`, `/api/v1/invoices/${NEVER}`]) {
          await elsewhere.refused("GET", path, undefined, missing);
          await elsewhere.refused("POST", `${path}/archive`, undefined, missing);
          await elsewhere.refused("GET", `${path}/events`, undefined, missing);
        }
        const list = await elsewhere.ask("GET", "/api/v1/invoices");
        expect(list.json["invoices"]).toEqual([]);
      });

      it.each([
        [{ amountSompi: "0" }, 400],
        [{ amountSompi: "01" }, 400],
        [{ amountSompi: "9223372036854775808" }, 400],
        [{ amountSompi: undefined }, 400],
        [{ orderId: "" }, 400],
        [{ orderId: "x".repeat(129) }, 400],
        [{ orderId: undefined }, 422],
        [{ orderId: 1 }, 422],
        [{ expiresIn: 59 }, 400],
        [{ requiredBlueScore: 0 }, 400],
        [{ requiredBlueScore: 10_001 }, 400],
        [{ redirectUrl: "javascript:alert(1)" }, 400],
        [{ metadata: { a: 1 } }, 400],
        [{ toleranceUnderSompi: "1000" }, 400],
      ])("are refused with %j", async (change, status) => {
        const answer = await shop.ask("POST", "/api/v1/invoices", { ...TERMS, ...change });
        expect(answer.status, JSON.stringify(answer.json)).toBe(status);
        const [field = ""] = Object.keys(change);
        expect(String(answer.json["field"]).split(".")[0]).toBe(field);
      });

      it("ignore fields that nobody knows", async () => {
        expect((await shop.create({ unknown: { deep: [1] } })).status).toBe("new");
      });

      it("are listed, searched, and put away", async () => {
        const [one, two] = [
          await shop.create({ orderId: "a", metadata: { table: "Window" } }),
          await shop.create({ orderId: "b" }),
        ];
        const ids = async (query: string): Promise<unknown> => {
          const { json } = await shop.ask("GET", `/api/v1/invoices${query}`);
          return v
            .parse(v.array(v.looseObject({ id: v.string() })), json["invoices"])
            .map(({ id }) => id);
        };
        expect(await ids("?orderId=b")).toEqual([two.id]);
        expect(await ids("?text=window")).toEqual([one.id]);
        expect(await ids("?status=paid&status=confirmed")).toEqual([]);
        await shop.ask("POST", `/api/v1/invoices/${one.id}/archive`);
        expect(await ids("")).toEqual([two.id]);
        expect(new Set(Array.from([await ids("?archived=1")].flat()))).toEqual(
          new Set([one.id, two.id]),
        );
        const part = await shop.ask("GET", "/api/v1/invoices?limit=1&archived=1");
        const rest = await shop.ask(
          "GET",
          `/api/v1/invoices?limit=1&archived=1&cursor=${String(part.json["next"])}`,
        );
        expect(part.json["invoices"]).not.toEqual(rest.json["invoices"]);
        await shop.refused("GET", "/api/v1/invoices?cursor=x", undefined, {
          status: 400,
          code: "api/bad-field",
        });
      });
    });

    describe("payments", () => {
      it("make an invoice partial, paid and confirmed, each told once", async () => {
        const { id } = await shop.create();
        const first = await payment(host, id, 400n, 101n);
        await host.tell([first], 101n);
        expect(await shop.invoice(id)).toMatchObject({ status: "partial", dueSompi: 600n });
        await host.tell([await payment(host, id, 600n, 102n)], 105n);
        expect(await shop.invoice(id)).toMatchObject({ status: "paid", confirmations: 3 });
        await host.tell([], 112n);
        const done = await shop.invoice(id);
        expect(done).toMatchObject({ status: "confirmed", confirmations: 10, settled: true });
        expect(done.payments).toHaveLength(2);
        const { json } = await shop.ask("GET", `/api/v1/invoices/${id}/events`);
        const events = v.parse(
          v.array(v.looseObject({ type: v.string(), version: v.number() })),
          json["events"],
        );
        expect(
          events
            .map(({ type }) => type)
            .toReversed()
            .slice(0, 3),
        ).toEqual(["invoice.created", "invoice.payment_received", "invoice.partial"]);
        expect(events.map(({ version }) => version)).toEqual(
          Array.from({ length: events.length }, (_, place) => events.length - place),
        );
      });

      it("that are taken back by a reorganisation are no longer there, and may come again", async () => {
        const { id } = await shop.create();
        const fact = await payment(host, id, 1_000n, 101n);
        await host.tell([fact], 111n);
        expect((await shop.invoice(id)).status).toBe("confirmed");
        await host.tell([takenBack(fact)], 112n);
        expect(await shop.invoice(id)).toMatchObject({ status: "new", reorged: true });
        await host.tell([fact], 113n);
        expect(await shop.invoice(id)).toMatchObject({ status: "confirmed", reorged: false });
      });

      it("are late after the expiry, and the invoice expires without them", async () => {
        const { id } = await shop.create({ expiresIn: 60 });
        await host.pass(60_000n);
        expect(await shop.invoice(id)).toMatchObject({ status: "expired", expired: true });
        await host.pass(60_000n);
        await host.tell([await payment(host, id, 1_000n, 101n)], 111n);
        expect(await shop.invoice(id)).toMatchObject({
          status: "paidLate",
          late: true,
          settled: true,
        });
      });

      it("beyond the amount are told", async () => {
        const { id } = await shop.create();
        await host.tell([await payment(host, id, 1_001n, 101n)], 101n);
        expect(await shop.invoice(id)).toMatchObject({ status: "paid", overpaidSompi: 1n });
        await host.tell([], 111n);
        expect((await shop.invoice(id)).status).toBe("overpaid");
      });

      it("of old addresses are recognised, however late", async () => {
        const { id } = await shop.create({ expiresIn: 60, monitorSeconds: 0 });
        await host.pass(60_000n);
        expect((await shop.invoice(id)).archived).toBe(true);
        await host.pass(400n * 86_400_000n);
        await host.tell([await payment(host, id, 1_000n, 101n)], 101n);
        expect(await shop.invoice(id)).toMatchObject({ status: "paidLate", archived: false });
        await host.tell([], 111n);
        expect(await shop.invoice(id)).toMatchObject({ settled: true, archived: true });
      });
    });

    describe("changes", () => {
      it("replace the metadata, mark by hand, and give more time", async () => {
        const { id } = await shop.create({ metadata: { a: "1" } });
        const path = `/api/v1/invoices/${id}`;
        const changed = await shop.ask("PATCH", path, { metadata: { b: "2" } });
        expect(changed.json["metadata"]).toEqual({ b: "2" });
        await shop.refused(
          "POST",
          `${path}/extend`,
          {},
          { status: 409, code: "gateway/wrong-state" },
        );
        await host.pass(900_000n);
        const extended = await shop.ask("POST", `${path}/extend`, { expiresIn: 120 });
        expect(extended.json).toMatchObject({ status: "new", expired: false });
        const marked = await shop.ask("POST", `${path}/mark`, { as: "settled", reason: "cash" });
        expect(marked.json).toMatchObject({ status: "confirmed", marked: { as: "settled" } });
      });

      it("let a payer top an expired part up", async () => {
        const { id } = await shop.create();
        const payer = new GatewayCaller(host, null);
        const path = `/api/v1/checkout/${id}`;
        await host.tell([await payment(host, id, 400n, 101n)], 101n);
        await payer.refused("POST", `${path}/topup`, undefined, {
          status: 409,
          code: "gateway/wrong-state",
        });
        await host.pass(900_000n);
        const open = await payer.ask("POST", `${path}/topup`);
        expect(open.json).toMatchObject({ status: "partial", expired: false, dueSompi: "600" });
        await host.tell([await payment(host, id, 600n, 102n)], 112n);
        expect((await shop.invoice(id)).status).toBe("confirmed");
      });
    });

    describe("the checkout", () => {
      it("shows a payer what to pay, and nothing of the order", async () => {
        const redirectUrl = "https://shop.example/thanks?i={InvoiceId}";
        const { id, address } = await shop.create({ metadata: { secret: "m" }, redirectUrl });
        await host.tell([await payment(host, id, 400n, 101n)], 101n);
        const payer = new GatewayCaller(host, null);
        const { json, status } = await payer.ask("GET", `/api/v1/checkout/${id}`);
        expect(status).toBe(200);
        expect(v.parse(checkoutRecord, json)).toMatchObject({
          dueSompi: 600n,
          paymentUri: `${address}?amount=0.000006`,
          redirectUrl: null,
        });
        const shown = JSON.stringify(json);
        for (const hidden of ["4711", "secret", "txid", "payments", "orderId", "metadata"]) {
          expect(shown, hidden).not.toContain(hidden);
        }
        await host.tell([await payment(host, id, 600n, 102n)], 112n);
        const done = await payer.ask("GET", `/api/v1/checkout/${id}`);
        expect(done.json["redirectUrl"]).toBe(`https://shop.example/thanks?i=${id}`);
        await payer.refused("GET", `/api/v1/checkout/${NEVER}`, undefined, {
          status: 404,
          code: "gateway/no-invoice",
        });
      });
    });

    describe("API keys", () => {
      it("are refused when they are missing, mistyped, unknown or revoked", async () => {
        const refused = { status: 401, code: "gateway/bad-key" };
        const path = "/api/v1/invoices";
        const mistyped = key.slice(0, -1) + (key.endsWith("a") ? "b" : "a");
        for (const other of [null, "x", mistyped, key.replace("svc_", "svd_")]) {
          await new GatewayCaller(host, other).refused("GET", path, undefined, refused);
        }
        const basic = await shop.ask("GET", path, undefined, { Authorization: `Basic ${key}` });
        expect(basic.status).toBe(401);
        await host.revokeKey("shop", key);
        await shop.refused("GET", path, undefined, refused);
      });

      it("do what their scopes allow, and nothing else", async () => {
        const reader = new GatewayCaller(host, await host.issueKey("shop", ["invoices:read"]));
        const refused = { status: 403, code: "gateway/scope" };
        expect((await reader.ask("GET", "/api/v1/invoices")).status).toBe(200);
        await reader.refused("POST", "/api/v1/invoices", TERMS, refused);
        await reader.refused("GET", "/api/v1/webhooks", undefined, refused);
        const own = await reader.ask("GET", "/api/v1/key");
        expect(own.json).toMatchObject({ scopes: ["invoices:read"], merchant: { id: "shop" } });
      });

      it("may make so many invoices in a minute", async () => {
        for (let count = 0; count < 60; count += 1) await shop.create();
        const over = await shop.refused("POST", "/api/v1/invoices", TERMS, {
          status: 429,
          code: "http/too-many-requests",
        });
        expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
        const other = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
        expect((await other.ask("POST", "/api/v1/invoices", TERMS)).status).toBe(201);
      });
    });

    describe("requests", () => {
      it("that are too large, no JSON or of no type are refused, with one form of error", async () => {
        const path = "/api/v1/invoices";
        const large = JSON.stringify({ ...TERMS, metadata: { a: "x".repeat(10 * 1024 * 1024) } });
        await shop.refused("POST", path, large, { status: 413, code: "http/body-too-large" });
        await shop.refused("POST", path, "{", { status: 400, code: "codec/bad-json" });
        await shop.refused("POST", path, "[]", { status: 422, code: "api/wrong-type" });
        const form = await shop.ask("POST", path, "a=b", { "Content-Type": "text/plain" });
        expect([form.status, form.json["code"]]).toEqual([415, "api/not-json"]);
      });

      it("to other paths and methods are refused", async () => {
        await shop.refused("GET", "/api/v1/nowhere", undefined, {
          status: 404,
          code: "http/not-found",
        });
        const wrong = await shop.ask("DELETE", "/api/v1/invoices");
        expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, GET"]);
      });
    });

    describe("webhooks", () => {
      const added = async (change: object = {}) => {
        const answer = await shop.ask("POST", "/api/v1/webhooks", { url: HOOK, ...change });
        expect(answer.status, JSON.stringify(answer.json)).toBe(201);
        return { id: String(answer.json["id"]), secret: String(answer.json["secret"]) };
      };

      it("get each change, signed twice, with the record as it was", async () => {
        const { secret } = await added();
        const { id } = await shop.create();
        await host.tell([await payment(host, id, 1_000n, 101n)], 101n);
        await host.tell([], 111n);
        const hooks = await host.hooks();
        const now = host.nowMs() / 1_000n;
        for (const { headers, body } of hooks) {
          const bytes = new TextEncoder().encode(body);
          expect(await verifySvcSignature(secret, headers, bytes, now)).toBe("ok");
          expect(await verifyStandardWebhook(secret, headers, bytes, now)).toBe("ok");
        }
        const events = hooks.map(({ body }) => v.parse(webhookEvent, JSON.parse(body)));
        expect(events.map(({ type, eventType }) => [type, eventType])).toEqual([
          ["invoice.created", "invoice.created"],
          ["invoice.payment_received", "invoice.payment_received"],
          ["invoice.paid", "invoice.paid"],
          ["invoice.confirmed", "invoice.confirmed"],
        ]);
        expect(events.map(({ invoice }) => invoice?.version)).toEqual([1, 2, 3, 4]);
        expect(events.at(-1)?.invoice).toEqual(events.at(-1)?.data.invoice);
        expect(events.at(-1)?.invoice).toMatchObject({
          id,
          status: "confirmed",
          paidSompi: 1_000n,
        });
        expect(await host.hooks()).toEqual([]);
      });

      it("are tried again until they are taken, with one id and one body", async () => {
        await added({ events: ["invoice.created"] });
        await shop.create();
        const [first] = await host.hooks(500);
        expect(await host.hooks()).toEqual([]);
        await host.pass(13_000n);
        const [second] = await host.hooks();
        expect(second?.body).toBe(first?.body);
        expect(second?.headers.get("svc-event-id")).toBe(first?.headers.get("svc-event-id"));
        expect(second?.headers.get("svc-delivery-attempt")).toBe("2");
        expect(second?.headers.get("svc-signature")).not.toBe(first?.headers.get("svc-signature"));
      });

      it("list their deliveries, which can be sent again", async () => {
        const { id } = await added({ events: ["invoice.created"] });
        await shop.create();
        const [sent] = await host.hooks();
        const { json } = await shop.ask("GET", `/api/v1/webhooks/${id}/deliveries`);
        const [delivery] = v.parse(
          v.array(v.looseObject({ id: v.string(), state: v.string(), eventId: v.string() })),
          json["deliveries"],
        );
        expect(delivery).toMatchObject({
          state: "delivered",
          attempts: 1,
          eventType: "invoice.created",
        });
        const path = `/api/v1/webhooks/${id}/deliveries/${delivery?.id ?? ""}`;
        expect((await shop.ask("GET", path)).json["body"]).toBe(sent?.body);
        const again = await shop.ask("POST", `${path}/redeliver`);
        expect(again.json).toMatchObject({ state: "waiting", eventId: delivery?.eventId });
        const [resent] = await host.hooks();
        expect(resent?.body).toBe(sent?.body);
        await shop.refused(
          "GET",
          `/api/v1/webhooks/${id}/deliveries/dlv_${"0".repeat(32)}`,
          undefined,
          {
            status: 404,
            code: "gateway/no-delivery",
          },
        );
      });

      it("are pinged, changed, given another secret, and removed", async () => {
        const { id, secret } = await added();
        const path = `/api/v1/webhooks/${id}`;
        await shop.ask("POST", `${path}/ping`);
        const [ping] = await host.hooks();
        expect(JSON.parse(ping?.body ?? "")).toMatchObject({ type: "ping", invoice: null });
        const rotated = await shop.ask("POST", `${path}/secret`, { switchIn: 60 });
        const next = String(rotated.json["secret"]);
        expect(next).not.toBe(secret);
        const signedBy = async (wanted: string): Promise<string> => {
          await shop.ask("POST", `${path}/ping`);
          const [hook] = await host.hooks();
          if (hook === undefined) return "nothing";
          const bytes = new TextEncoder().encode(hook.body);
          return verifySvcSignature(wanted, hook.headers, bytes, host.nowMs() / 1_000n);
        };
        expect(await signedBy(secret)).toBe("ok");
        await host.pass(60_000n);
        expect(await signedBy(secret)).toBe("bad-signature");
        expect(await signedBy(next)).toBe("ok");
        const off = await shop.ask("PATCH", path, { enabled: false });
        expect(off.json).toMatchObject({ enabled: false, disabledBy: "merchant" });
        await shop.create();
        expect(await host.hooks()).toEqual([]);
        const gone = await shop.ask("DELETE", path);
        expect(gone.json).toEqual({ id, removed: true });
        await shop.refused("GET", path, undefined, { status: 404, code: "gateway/no-webhook" });
        expect(JSON.stringify((await shop.ask("GET", "/api/v1/webhooks")).json)).not.toContain(
          "whsec_",
        );
      });

      it("are refused for addresses that lead elsewhere, and beyond a number", async () => {
        for (const url of [
          "http://shop.example/hook",
          "https://169.254.169.254/",
          "ftp://a",
          "x",
        ]) {
          const answer = await shop.ask("POST", "/api/v1/webhooks", { url });
          expect(["webhook/bad-target", "api/bad-field"], url).toContain(answer.json["code"]);
        }
        for (let count = 0; count < 16; count += 1) await added();
        await shop.refused(
          "POST",
          "/api/v1/webhooks",
          { url: HOOK },
          {
            status: 409,
            code: "gateway/too-many-webhooks",
          },
        );
      });
    });

    it("tells how it is, and describes itself", async () => {
      const payer = new GatewayCaller(host, null);
      expect((await payer.ask("GET", "/health")).json).toEqual({
        ok: true,
        service: "svc-gateway",
      });
      expect((await payer.ask("GET", "/openapi.json")).json["openapi"]).toBe("3.1.0");
    });
  });
}
