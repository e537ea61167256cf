/** Contract of the gateway API: webhooks and their deliveries. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import {
  verifyStandardWebhook,
  verifySvcSignature,
} from "@svc/shared/protocol/webhook/signature.ts";
import { webhookEvent } from "@svc/shared/protocol/gateway/webhookEvent.ts";
import { payment } from "./gatewayCaller.ts";
import type { ContractScene } from "./contractScene.ts";

const HOOK = "http://127.0.0.1:9/hook";

/** Adds a webhook; returns its id and secret. */
async function added(
  of: ContractScene,
  change: object = {},
): Promise<{ readonly id: string; readonly secret: string }> {
  const answer = await of.shop.ask("POST", "/api/v1/webhooks", { url: HOOK, ...change });
  expect(answer.status, JSON.stringify(answer.json)).toBe(201);
  return { id: String(answer.json["id"]), secret: String(answer.json["secret"]) };
}

/** What webhooks are sent. */
export function sentWebhooks(of: ContractScene): void {
  describe("webhooks", () => {
    it("get each change, signed twice, with the record as it was", async () => {
      const { secret } = await added(of);
      const { id } = await of.shop.create();
      await of.host.tell([await payment(of.host, id, 1_000n, 101n)], 101n);
      await of.host.tell([], 111n);
      const hooks = await of.host.hooks();
      const now = of.host.nowMs() / 1_000n;
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
      expect(await of.host.hooks()).toEqual([]);
    });

    it("are tried again until they are taken, with one id and one body", async () => {
      await added(of, { events: ["invoice.created"] });
      await of.shop.create();
      const [first] = await of.host.hooks(500);
      expect(await of.host.hooks()).toEqual([]);
      await of.host.pass(13_000n);
      const [second] = await of.host.hooks();
      expect(second?.body).toBe(first?.body);
      expect(second?.headers.get("svc-event-id")).toBe(first?.headers.get("svc-event-id"));
      expect(second?.headers.get("svc-delivery-attempt")).toBe("2");
      expect(second?.headers.get("svc-signature")).not.toBe(first?.headers.get("svc-signature"));
    });
  });
}

/** Deliveries that are listed and sent again. */
export function listedDeliveries(of: ContractScene): void {
  describe("deliveries", () => {
    it("list their deliveries, which can be sent again", async () => {
      const { id } = await added(of, { events: ["invoice.created"] });
      await of.shop.create();
      const [sent] = await of.host.hooks();
      const { json } = await of.shop.ask("GET", `/api/v1/webhooks/${id}/deliveries`);
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
      expect((await of.shop.ask("GET", path)).json["body"]).toBe(sent?.body);
      const again = await of.shop.ask("POST", `${path}/redeliver`);
      expect(again.json).toMatchObject({ state: "waiting", eventId: delivery?.eventId });
      const [resent] = await of.host.hooks();
      expect(resent?.body).toBe(sent?.body);
      await of.shop.refused(
        "GET",
        `/api/v1/webhooks/${id}/deliveries/dlv_${"0".repeat(32)}`,
        undefined,
        {
          status: 404,
          code: "gateway/no-delivery",
        },
      );
    });
  });
}

/** Webhooks that are changed, and refused. */
export function changedWebhooks(of: ContractScene): void {
  describe("webhooks, changed,", () => {
    it("are pinged, changed, given another secret, and removed", async () => {
      const { id, secret } = await added(of);
      const path = `/api/v1/webhooks/${id}`;
      await of.shop.ask("POST", `${path}/ping`);
      const [ping] = await of.host.hooks();
      expect(JSON.parse(ping?.body ?? "")).toMatchObject({ type: "ping", invoice: null });
      const rotated = await of.shop.ask("POST", `${path}/secret`, { switchIn: 60 });
      const next = String(rotated.json["secret"]);
      expect(next).not.toBe(secret);
      const signedBy = async (wanted: string): Promise<string> => {
        await of.shop.ask("POST", `${path}/ping`);
        const [hook] = await of.host.hooks();
        if (hook === undefined) return "nothing";
        const bytes = new TextEncoder().encode(hook.body);
        return verifySvcSignature(wanted, hook.headers, bytes, of.host.nowMs() / 1_000n);
      };
      expect(await signedBy(secret)).toBe("ok");
      await of.host.pass(60_000n);
      expect(await signedBy(secret)).toBe("bad-signature");
      expect(await signedBy(next)).toBe("ok");
      const off = await of.shop.ask("PATCH", path, { enabled: false });
      expect(off.json).toMatchObject({ enabled: false, disabledBy: "merchant" });
      await of.shop.create();
      expect(await of.host.hooks()).toEqual([]);
      const gone = await of.shop.ask("DELETE", path);
      expect(gone.json).toEqual({ id, removed: true });
      await of.shop.refused("GET", path, undefined, { status: 404, code: "gateway/no-webhook" });
      expect(JSON.stringify((await of.shop.ask("GET", "/api/v1/webhooks")).json)).not.toContain(
        "whsec_",
      );
    });

    it("are refused for addresses that lead elsewhere, and beyond a number", async () => {
      for (const url of ["http://shop.example/hook", "https://169.254.169.254/", "ftp://a", "x"]) {
        const answer = await of.shop.ask("POST", "/api/v1/webhooks", { url });
        expect(["webhook/bad-target", "api/bad-field"], url).toContain(answer.json["code"]);
      }
      for (let count = 0; count < 16; count += 1) await added(of);
      await of.shop.refused(
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
}
