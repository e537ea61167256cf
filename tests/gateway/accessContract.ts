/** Contract of the gateway API: keys, scopes, limits, and requests that are none. */
import { describe, expect, it } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { GatewayCaller, TERMS, type Answer } from "./gatewayCaller.ts";
import type { ContractScene } from "./contractScene.ts";

/** API keys. */
export function apiKeys(of: ContractScene): void {
  describe("API keys", () => {
    it("are refused when they are missing, mistyped, unknown or revoked", async () => {
      const refused = { status: 401, code: "gateway/bad-key" };
      const path = "/api/v1/invoices";
      const mistyped = of.key.slice(0, -1) + (of.key.endsWith("a") ? "b" : "a");
      for (const other of [null, "x", mistyped, of.key.replace("svc_", "svd_")]) {
        await new GatewayCaller(of.host, other).refused("GET", path, undefined, refused);
      }
      const basic = await of.shop.ask("GET", path, undefined, { Authorization: `Basic ${of.key}` });
      expect(basic.status).toBe(401);
      await of.host.revokeKey("shop", of.key);
      await of.shop.refused("GET", path, undefined, refused);
    });

    it("do what their scopes allow, and nothing else", async () => {
      const reader = new GatewayCaller(of.host, await of.host.issueKey("shop", ["invoices:read"]));
      const refused = { status: 403, code: "gateway/scope" };
      expect((await reader.ask("GET", "/api/v1/invoices")).status).toBe(200);
      await reader.refused("POST", "/api/v1/invoices", TERMS, refused);
      await reader.refused("GET", "/api/v1/webhooks", undefined, refused);
      const own = await reader.ask("GET", "/api/v1/key");
      expect(own.json).toMatchObject({ scopes: ["invoices:read"], merchant: { id: "shop" } });
    });

    it("may make so many invoices in a minute", async () => {
      for (let count = 0; count < 60; count += 1) await of.shop.create();
      const over = await of.shop.refused("POST", "/api/v1/invoices", TERMS, {
        status: 429,
        code: "http/too-many-requests",
      });
      expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(shareIn(over)).toEqual(["60", "0"]);
      expect(Number(over.headers.get("ratelimit-reset"))).toBeGreaterThan(0);
      const other = new GatewayCaller(of.host, await of.host.issueKey("shop", KEY_SCOPES));
      expect((await other.ask("POST", "/api/v1/invoices", TERMS)).status).toBe(201);
    });
  });
}

/** Calls without a key. */
export function strangersRates(of: ContractScene): void {
  const { checkoutReadsPerMinute: perInvoice, publicCallsPerMinute: perHost } = MERCHANT_LIMITS;
  const refused = { status: 429, code: "http/too-many-requests" };

  describe("one host without a key", () => {
    it("may ask so often about one checkout, and is told what is left; another checkout has its own share", async () => {
      const [one, other] = [await of.shop.create(), await of.shop.create()];
      const stranger = new GatewayCaller(of.host, null);
      const first = await stranger.ask("GET", `/api/v1/checkout/${one.id}`);
      expect([first.status, ...shareIn(first)]).toEqual([200, "30", "29"]);
      for (let count = 1; count < perInvoice; count += 1) {
        expect((await stranger.ask("GET", `/api/v1/checkout/${one.id}`)).status).toBe(200);
      }
      const over = await stranger.refused("GET", `/api/v1/checkout/${one.id}`, undefined, refused);
      expect(shareIn(over)).toEqual(["30", "0"]);
      expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
      expect((await stranger.ask("GET", `/api/v1/checkout/${other.id}`)).status).toBe(200);
    });

    it("does not get further by asking for ever other invoices", async () => {
      const stranger = new GatewayCaller(of.host, null);
      const pathOf = (count: number) =>
        `/api/v1/checkout/inv_${count.toString(16).padStart(32, "0")}`;
      for (let count = 0; count < perHost; count += 1) {
        expect((await stranger.ask("GET", pathOf(count))).status).toBe(404);
      }
      const over = await stranger.refused("GET", pathOf(perHost), undefined, refused);
      expect(shareIn(over)).toEqual(["300", "0"]);
    });
  });
}

function shareIn({ headers }: Answer): readonly (string | null)[] {
  return [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")];
}

/** Requests that are refused. */
export function refusedRequests(of: ContractScene): void {
  describe("requests", () => {
    it("that are too large, no JSON or of no type are refused, with one form of error", async () => {
      const path = "/api/v1/invoices";
      const large = JSON.stringify({ ...TERMS, metadata: { a: "x".repeat(10 * 1024 * 1024) } });
      await of.shop.refused("POST", path, large, { status: 413, code: "http/body-too-large" });
      await of.shop.refused("POST", path, "{", { status: 400, code: "codec/bad-json" });
      await of.shop.refused("POST", path, "[]", { status: 422, code: "api/wrong-type" });
      const form = await of.shop.ask("POST", path, "a=b", { "Content-Type": "text/plain" });
      expect([form.status, form.json["code"]]).toEqual([415, "api/not-json"]);
    });

    it("to other paths and methods are refused", async () => {
      await of.shop.refused("GET", "/api/v1/nowhere", undefined, {
        status: 404,
        code: "http/not-found",
      });
      const wrong = await of.shop.ask("DELETE", "/api/v1/invoices");
      expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST, GET"]);
    });
  });
}
