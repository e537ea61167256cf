/** The contract of the BTCPay interface: one suite over every host of the gateway. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { contractScene, type ContractScene } from "../contractScene.ts";
import type { GatewayHost } from "../gatewayHost.ts";
import { webhooks } from "./greenfieldHookContract.ts";
import { orders } from "./greenfieldOrderContract.ts";
import { GreenfieldShop, type MakeShop } from "./greenfieldShop.ts";
import { strangers } from "./greenfieldAccessContract.ts";

/** Runs the suite over the hosts that `make` makes. */
export function greenfieldContract(name: string, make: () => Promise<GatewayHost>): void {
  describe(`the BTCPay interface of ${name}`, () => {
    const of = contractScene(make);
    const shop = (): GreenfieldShop => new GreenfieldShop(of.host, of.key);
    storesAndKeys(of, shop);
    invoices(of, shop);
    orders(of, shop);
    webhooks(of, shop);
    strangers(of, shop);
  });
}

function storesAndKeys(of: ContractScene, shop: MakeShop): void {
  it("shows a key its permissions for one store, and never the key", async () => {
    const { status, json } = await shop().ask("GET", "/api-keys/current");
    expect(status).toBe(200);
    const permissions = [
      "btcpay.store.canviewstoresettings",
      "btcpay.store.canviewinvoices",
      "btcpay.store.cancreateinvoice",
      "btcpay.store.canmodifyinvoices",
      "btcpay.store.webhooks.canmodifywebhooks",
    ];
    const all = v.parse(v.looseObject({ permissions: v.array(v.string()) }), json).permissions;
    const refunds = "btcpay.store.cancreatenonapprovedpullpayments:shop";
    expect(all.filter((word) => word !== refunds)).toEqual(
      permissions.map((word) => `${word}:shop`),
    );
    expect(JSON.stringify(json)).not.toContain(of.key);
  });

  it("shows the server, the one store of the key and its one way to pay", async () => {
    expect((await shop().ask("GET", "/server/info")).json).toMatchObject({
      version: "1.13.0",
      supportedPaymentMethods: ["SVCSIM"],
    });
    const store = { id: "shop", name: "The shop" };
    expect((await shop().ask("GET", "/stores")).json).toMatchObject([store]);
    expect(await shop().own("GET", "")).toMatchObject(store);
    expect(await shop().own("GET", "/payment-methods")).toEqual({
      SVCSIM: { enabled: true, cryptoCode: "SVCSIM", data: {} },
    });
  });
}

function invoices(of: ContractScene, shop: MakeShop): void {
  madeInvoices(of, shop);
  refusedInvoices(shop);
}

function madeInvoices(of: ContractScene, shop: MakeShop): void {
  it("makes an invoice of what the plugin sends, passing over what it does not know", async () => {
    const made = await shop().own("POST", "/invoices", {
      amount: "12.5",
      currency: "svcsim",
      metadata: { orderId: "4711", taxIncluded: 1.1, posData: '{"WooCommerce":{"Order ID":4711}}' },
      checkout: {
        ...{ speedPolicy: "HighSpeed", paymentMethods: ["SVCSIM"], expirationMinutes: 20 },
        ...{ paymentTolerance: 1, redirectURL: "https://shop.example/done", unheardOf: [1] },
      },
      receipt: null,
      unheardOf: { a: 1 },
    });
    expect(made).toMatchObject({
      storeId: "shop",
      amount: "12.5",
      currency: "SVCSIM",
      type: "Standard",
      status: "New",
      additionalStatus: "None",
      metadata: { orderId: "4711", taxIncluded: 1.1, posData: '{"WooCommerce":{"Order ID":4711}}' },
      checkout: { expirationMinutes: 20, paymentTolerance: 1, speedPolicy: null },
      checkoutLink: `https://pay.example/checkout/${String(made["id"])}`,
    });
    expect(await shop().own("GET", `/invoices/${String(made["id"])}`)).toEqual(made);
    expect(await of.shop.invoice(String(made["id"]))).toMatchObject({
      orderId: "4711",
      amountSompi: 1_250_000_000n,
      requiredBlueScore: 10,
    });
  });

  it("lists invoices by order and state", async () => {
    const [first, second] = [await shop().invoice(), await shop().invoice()];
    await shop().invoice({ metadata: { orderId: "4712" } });
    const ids = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => id);
    expect(new Set(ids(await shop().list("/invoices?orderId=4711")))).toEqual(
      new Set([first, second]),
    );
    expect(ids(await shop().list("/invoices?orderId=4711&orderId=4712"))).toHaveLength(3);
    expect(await shop().list("/invoices?skip=1&take=1")).toHaveLength(1);
    expect(await shop().list("/invoices?status=Settled")).toEqual([]);
    expect(await shop().list("/invoices?status=New")).toHaveLength(3);
  });

  it("sends a payer on to an invoice by the path that plugins know", async () => {
    const id = await shop().invoice();
    const answer = await of.host.fetch(`/btcpay/i/${id}`, { redirect: "manual" });
    expect(answer.status).toBe(302);
    expect(answer.headers.get("location")).toBe(`https://pay.example/checkout/${id}`);
    expect((await of.host.fetch("/btcpay/i/..%2f..%2fevil")).status).toBe(404);
  });
}

function refusedInvoices(shop: MakeShop): void {
  it("refuses fields that are wrong by their names", async () => {
    const wrong: readonly (readonly [string, object])[] = [
      ["amount", { amount: null }],
      ["amount", { amount: "1e3" }],
      ["amount", { amount: "0" }],
      ["currency", { currency: "EUR" }],
      ["metadata", { metadata: { posData: "x".repeat(9_000) } }],
      ["metadata.orderId", { metadata: { orderId: "x".repeat(200) } }],
      ["checkout.expirationMinutes", { checkout: { expirationMinutes: 0 } }],
      ["checkout.paymentTolerance", { checkout: { paymentTolerance: 100 } }],
      ["checkout.redirectURL", { checkout: { redirectURL: "javascript:alert(1)" } }],
      ["checkout.paymentMethods", { checkout: { paymentMethods: ["BTC"] } }],
    ];
    for (const [path, change] of wrong) {
      const body = { amount: "1", currency: "SVCSIM", ...change };
      const { status, json } = await shop().ask("POST", "/stores/shop/invoices", body);
      expect({ status, json }, path).toMatchObject({ status: 422, json: [{ path }] });
    }
  });
}
