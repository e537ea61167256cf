/** Contract of the checkout pages: what a payer's browser is given, over every host of the gateway. */
import { describe, expect, it } from "vitest";
import { CHECKOUT_ASSETS, HELPER_FILE } from "@svc/shared/gateway/page/checkoutAssets.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { claimPageContract } from "./claimPageContract.ts";
import { contractScene, type ContractScene } from "./contractScene.ts";
import { payment } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";
import { PAGE_FILES, PAGE_SCRIPT_FILE } from "./pageFiles.ts";

const SCRIPT = `${CHECKOUT_ASSETS}${PAGE_SCRIPT_FILE}`;
const NEVER = `inv_${"0".repeat(32)}`;

/** Runs it over hosts that have `PAGE_FILES`. */
export function pageContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`the checkout pages of ${name}`, () => {
    const of = contractScene(make);
    shownPages(of);
    pushedPages(of);
    pageForms(of);
    claimPageContract(of);
  });
}

/** What a payer reads, and the files of the page. */
function shownPages(of: ContractScene): void {
  it("ask for what is due, under a policy that allows their own style and script alone", async () => {
    const metadata = { note: "for the shop alone" };
    const { id, address } = await of.shop.create({ orderId: "order seven", metadata });
    const page = await of.host.fetch(`/checkout/${id}`);
    const html = await page.text();
    expect(page.status).toBe(200);
    const policy = page.headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'nonce-([0-9a-f]{32})'/.exec(policy)?.[1] ?? "none";
    expect(policy.split("; ").toSorted()).toEqual([
      "base-uri 'none'",
      "connect-src 'self'",
      "default-src 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "img-src data:",
      `script-src 'nonce-${nonce}'`,
      `style-src 'nonce-${nonce}'`,
    ]);
    expect(html).toContain(address);
    expect(html).toContain(SCRIPT);
    expect(html.match(/<script/g)).toHaveLength(1);
    expect(html.split(nonce).length - 1).toBeGreaterThanOrEqual(2);
    expect(/order seven|for the shop alone/.test(html)).toBe(false);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "cache-control": "no-store",
      "content-type": "text/html; charset=utf-8",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
    });
    const again = await of.host.fetch(`/checkout/${id}`);
    expect(again.headers.get("content-security-policy")).not.toBe(policy);
    expect(await again.text()).not.toContain(nonce);
  });

  it("have their script beside them, which never changes, and no other file", async () => {
    const script = await of.host.fetch(SCRIPT);
    expect(await script.text()).toBe(PAGE_FILES.get(PAGE_SCRIPT_FILE));
    expect(Object.fromEntries(script.headers)).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "content-type": "text/javascript; charset=utf-8",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff",
    });
    const helper = await of.host.fetch(`${CHECKOUT_ASSETS}${HELPER_FILE}`);
    expect([helper.status, helper.headers.get("cache-control")]).toEqual([200, "no-cache"]);
    for (const path of ["files.json", "nothing.js", "..%2f..%2fwrangler.toml"]) {
      expect((await of.host.fetch(`${CHECKOUT_ASSETS}${path}`)).status, path).toBe(404);
    }
  });
}

/** How a page hears of changes. */
function pushedPages(of: ContractScene): void {
  it("say whether their host opens a WebSocket, and it is so", async () => {
    const { id } = await of.shop.create();
    const page = await (await of.host.fetch(`/checkout/${id}`)).text();
    const headers = { Upgrade: "websocket" };
    const answer = await of.host.fetch(`/api/v1/checkout/${id}/ws`, { headers });
    expect(page).toMatch(/ data-live="(?:socket|stream)"/);
    expect(answer.status).toBe(page.includes('data-live="socket"') ? 101 : 404);
  });
}

/** Pages without an invoice, languages, and the form that works without script. */
function pageForms(of: ContractScene): void {
  it("are one share with the API: who asks too often about an invoice reads that it is busy", async () => {
    const [one, other] = [await of.shop.create(), await of.shop.create()];
    const { checkoutReadsPerMinute: share } = MERCHANT_LIMITS;
    for (let count = 0; count < share; count += 1) {
      const path = count % 2 === 0 ? "/api/v1/checkout/" : "/checkout/";
      expect((await of.host.fetch(path + one.id)).status).toBe(200);
    }
    const over = await of.host.fetch(`/checkout/${one.id}`);
    expect([over.status, over.headers.get("ratelimit-remaining")]).toEqual([429, "0"]);
    expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await of.host.fetch(`/checkout/${other.id}`)).status).toBe(200);
  });

  it("say in words that there is no such invoice", async () => {
    for (const id of [NEVER, "x", "inv_%00"]) {
      const page = await of.host.fetch(`/checkout/${id}`);
      expect(page.status, id).toBe(404);
      expect(page.headers.get("content-security-policy"), id).toContain("default-src 'none'");
      expect(await page.text(), id).toMatch(/^<!doctype html>/i);
    }
  });

  it("are in the language of the invoice, else of the browser", async () => {
    const [own, open] = [await of.shop.create({ language: "de" }), await of.shop.create()];
    const languageOf = async (id: string, wanted: string): Promise<string | undefined> => {
      const headers = { "Accept-Language": wanted };
      const html = await (await of.host.fetch(`/checkout/${id}`, { headers })).text();
      return /<html lang="(\w+)"/.exec(html)?.[1];
    };
    expect(await languageOf(own.id, "es")).toBe("de");
    expect(await languageOf(open.id, "es-MX, en;q=0.5")).toBe("es");
    expect(await languageOf(open.id, "xx")).toBe("en");
  });

  it("give more time by a form to who has paid a part, and stay what they are to others", async () => {
    const [part, unpaid] = [await of.shop.create(), await of.shop.create()];
    await of.host.tell([await payment(of.host, part.id, 400n, 101n)], 101n);
    await of.host.pass(901_000n);
    const ask = async (id: string, headers: Record<string, string> = {}): Promise<Response> =>
      of.host.fetch(`/checkout/${id}/topup`, { method: "POST", redirect: "manual", headers });
    const foreign = await ask(part.id, { Origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    expect((await of.shop.invoice(part.id)).expired).toBe(true);
    expect(await (await of.host.fetch(`/checkout/${part.id}`)).text()).toContain("<form");
    for (const id of [part.id, unpaid.id, part.id]) {
      const answer = await ask(id);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, `/checkout/${id}`]);
    }
    expect((await ask(NEVER)).status).toBe(404);
    const { dueSompi, status } = await of.shop.invoice(part.id);
    expect([dueSompi, status]).toEqual([600n, "partial"]);
    const again = await (await of.host.fetch(`/checkout/${part.id}`)).text();
    expect(again).toContain(part.address);
    expect(again).not.toContain("<form");
    expect(await (await of.host.fetch(`/checkout/${unpaid.id}`)).text()).not.toContain("<form");
  });
}
