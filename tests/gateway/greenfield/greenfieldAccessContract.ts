/** Contract of the BTCPay interface: whoever has no right, asks for too much, or lies. */
import { expect, it } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import type { ContractScene } from "../contractScene.ts";
import { GreenfieldShop, hooked, type MakeShop } from "./greenfieldShop.ts";

/** Strangers, other merchants, floods, and the page that hands out a key. */
export function strangers(of: ContractScene, shop: MakeShop): void {
  wrongKeys(of, shop);
  otherMerchants(of, shop);
  floods(of, shop);
}

function wrongKeys(of: ContractScene, shop: MakeShop): void {
  it("lets nobody in without a key, with a wrong one, with the gateway's own scheme or a revoked one", async () => {
    const path = "/btcpay/api/v1/stores";
    const revoked = await of.host.issueKey("shop", KEY_SCOPES);
    await of.host.revokeKey("shop", revoked);
    const headers = [
      {},
      { Authorization: "token " },
      { Authorization: `token ${of.key}x` },
      { Authorization: `token ${of.key.slice(0, -1)}` },
      { Authorization: `Bearer ${of.key}` },
      { Authorization: `token ${revoked}` },
    ];
    for (const one of headers) {
      const answer = await of.host.fetch(path, { headers: one });
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
    }
    const inQuery = await of.host.fetch(`${path}?apiKey=${of.key}&token=${of.key}`);
    expect(inQuery.status).toBe(401);
  });

  it("answers a store of another merchant as one that nobody has", async () => {
    await of.host.issueKey("neighbour", KEY_SCOPES);
    const [theirs, nobodys] = await Promise.all(
      ["neighbour", "nobody"].map((store) => shop().ask("GET", `/stores/${store}/invoices`)),
    );
    expect(theirs).toEqual(nobodys);
    expect(theirs).toMatchObject({ status: 403, json: { code: "missing-permission" } });
  });
}

function otherMerchants(of: ContractScene, shop: MakeShop): void {
  it("shows no invoice, delivery or webhook of another merchant", async () => {
    const other = new GreenfieldShop(
      of.host,
      await of.host.issueKey("neighbour", KEY_SCOPES),
      "neighbour",
    );
    const id = await shop().invoice();
    const { id: hook } = await hooked(shop());
    for (const [method, path] of [
      ["GET", `/invoices/${id}`],
      ["GET", `/invoices/${id}/payment-methods`],
      ["POST", `/invoices/${id}/status`],
      ["GET", `/invoices/inv_${"0".repeat(32)}`],
      ["GET", "/invoices/none"],
      ["GET", `/webhooks/${hook}`],
      ["DELETE", `/webhooks/${hook}`],
      ["GET", `/webhooks/${hook}/deliveries`],
    ] as const) {
      const body = method === "POST" ? { status: "Settled" } : undefined;
      const { status } = await other.ask(method, `/stores/neighbour${path}`, body);
      expect(status, path).toBe(404);
    }
    expect(await other.list("/invoices")).toEqual([]);
    expect((await shop().own("GET", `/invoices/${id}`))["status"]).toBe("New");
  });

  it("asks for the scope of each call, and names the permission that is missing", async () => {
    const reader = new GreenfieldShop(of.host, await of.host.issueKey("shop", ["invoices:read"]));
    const refused = await reader.ask("POST", "/stores/shop/invoices", { amount: "1" });
    expect(refused).toMatchObject({
      status: 403,
      json: { missingPermission: "btcpay.store.cancreateinvoice" },
    });
    expect((await reader.ask("GET", "/stores/shop/webhooks")).status).toBe(403);
    expect(await reader.list("/invoices")).toEqual([]);
  });

  it("refuses bodies of 10 MiB, bodies that are no JSON, and deep ones, and goes on", async () => {
    const path = "/stores/shop/invoices";
    const large = JSON.stringify({ amount: "1", metadata: { posData: "x".repeat(10 << 20) } });
    expect((await shop().ask("POST", path, large)).status).toBe(413);
    for (const body of ["{", "[]", "null", '"text"', "\u0000"]) {
      const { status } = await shop().ask("POST", path, body);
      expect(status, body).toBeGreaterThanOrEqual(400);
      expect(status, body).toBeLessThan(500);
    }
    const deep = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
    const { status } = await shop().ask("POST", path, `{"amount":"1","metadata":{"a":${deep}}}`);
    expect(status).toBeLessThan(500);
    expect(await shop().invoice()).toMatch(/^inv_/);
  });
}

function floods(of: ContractScene, shop: MakeShop): void {
  it("stops a flood of invoices at the rate of its key, in the words of that interface", async () => {
    let last = 200;
    for (let count = 0; count < 80 && last === 200; count += 1) {
      last = (await shop().ask("POST", "/stores/shop/invoices", { amount: "1" })).status;
    }
    expect(last).toBe(429);
  });

  it("has a page that hands a key to a shop by a form, never by an address", async () => {
    const back = "https://shop.example/?btcpay-settings-callback";
    const path = "/btcpay/api-keys/authorize";
    const asked = await of.host.fetch(
      `${path}?applicationName=%3Cscript%3E&redirect=${encodeURIComponent(back)}`,
    );
    const first = await asked.text();
    expect(first).toContain("https://shop.example");
    expect(first).not.toContain("<script>");
    expect(asked.headers.get("content-security-policy")).toContain("form-action 'self'");
    const post = async (key: string, redirect: string) =>
      of.host.fetch(path, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: new URLSearchParams({ key, redirect }).toString(),
      });
    expect((await post("svc_test_wrong", back)).status).toBe(401);
    const given = await post(of.key, back);
    const page = await given.text();
    expect(given.headers.get("content-security-policy")).toContain(
      "form-action https://shop.example",
    );
    expect(given.headers.get("cache-control")).toBe("no-store");
    expect(page).toContain(`name="apiKey" type="hidden" value="${of.key}"`);
    expect(page).toContain('value="btcpay.store.canviewinvoices:shop"');
    for (const redirect of [
      "http://shop.example/",
      "javascript:alert(1)",
      "https://a@b.example/",
    ]) {
      expect((await post(of.key, redirect)).status, redirect).toBe(422);
    }
  });

  it("answers a path that it does not have in its own form", async () => {
    expect((await shop().ask("GET", "/stores/shop/lightning")).json).toMatchObject({
      code: "http/not-found",
    });
  });
}
