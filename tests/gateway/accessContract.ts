/** Contract of the gateway API: keys, scopes, limits, and requests that are none. */
import { describe, expect, it } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, TERMS } from "./gatewayCaller.ts";
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
      const other = new GatewayCaller(of.host, await of.host.issueKey("shop", KEY_SCOPES));
      expect((await other.ask("POST", "/api/v1/invoices", TERMS)).status).toBe(201);
    });
  });
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
