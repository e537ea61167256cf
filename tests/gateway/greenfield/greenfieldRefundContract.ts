/** The contract of refunds in the BTCPay interface, for hosts that pay back. */
import { describe, expect, it } from "vitest";
import { contractScene, type ContractScene } from "../contractScene.ts";
import { payment } from "../gatewayCaller.ts";
import type { GatewayHost } from "../gatewayHost.ts";
import { GreenfieldShop, type MakeShop, type ShopAnswer } from "./greenfieldShop.ts";

/** Runs the suite over the hosts that `make` makes. */
export function greenfieldRefunds(name: string, make: () => Promise<GatewayHost>): void {
  describe(`refunds in the BTCPay interface of ${name}`, () => {
    const of = contractScene(make);
    const shop = (): GreenfieldShop => new GreenfieldShop(of.host, of.key);
    pullPayments(of, shop);
    invoiceRefunds(of, shop);
  });
}

type Paid = (orderId: string, amount?: bigint) => Promise<string>;

/** Makes paid orders; each gives the id of its invoice. */
function paying(of: ContractScene, shop: MakeShop): Paid {
  return async (orderId, amount = 1_000n) => {
    const id = await shop().invoice({ metadata: { orderId } });
    await of.host.tell([await payment(of.host, id, amount, 101n)], 111n);
    return id;
  };
}

function pullPayments(of: ContractScene, shop: MakeShop): void {
  const paid = paying(of, shop);
  const pull = (name: string, amount = "0.000004"): Promise<ShopAnswer> =>
    shop().ask("POST", "/stores/shop/pull-payments", {
      ...{ name, amount, currency: "SVCSIM", autoApproveClaims: false },
      ...{ period: null, paymentMethods: ["SVCSIM"] },
    });

  it("makes a claim of a pull payment whose name has the number of one order", async () => {
    const id = await paid("4711");
    await paid("4712");
    const { status, json } = await pull("Refund of order 4711; as 4712 came twice");
    expect({ status, json }).toMatchObject({
      status: 200,
      json: { amount: "0.000004", currency: "SVCSIM", autoApproveClaims: false },
    });
    const { json: own } = await of.shop.ask("GET", "/api/v1/refunds");
    expect(own["refunds"]).toMatchObject([
      { invoiceId: id, state: "requested", amountSompi: "400", amount: "custom" },
    ]);
    expect(JSON.stringify(own)).toContain(String(Reflect.get(Object(json), "viewLink")));
  });

  it("refuses one that names no order, an unpaid one or two, and more than was paid", async () => {
    await paid("4711");
    await paid("4712");
    await shop().invoice({ metadata: { orderId: "4713" } });
    for (const name of ["", "a refund", "Refund of order 4713", "Orders 4711 4712"]) {
      expect(await pull(name), name).toMatchObject({ status: 422, json: [{ path: "name" }] });
    }
    expect(await pull("Refund of order 4711", "1")).toMatchObject({
      json: { code: "gateway/refund-too-large" },
    });
    expect((await pull("Refund of order 4711", "0")).status).toBe(422);
  });
}

function invoiceRefunds(of: ContractScene, shop: MakeShop): void {
  const paid = paying(of, shop);

  it("pays back all of an invoice, what was too much, or an amount of its own", async () => {
    const path = `/invoices/${await paid("4711", 1_500n)}/refund`;
    const over = await shop().own("POST", path, { refundVariant: "OverpaidAmount" });
    expect(over["amount"]).toBe("0.000005");
    const custom = {
      refundVariant: "Custom",
      customAmount: "0.000002",
      customCurrency: "SVCSIM",
    };
    expect((await shop().own("POST", path, custom))["amount"]).toBe("0.000002");
    const rest = await shop().own("POST", path, { refundVariant: "RateThen" });
    expect(rest["amount"]).toBe("0.000008");
    for (const wrong of [{ refundVariant: "Fiat" }, { ...custom, customCurrency: "EUR" }, {}]) {
      expect((await shop().ask("POST", `/stores/shop${path}`, wrong)).status).toBe(422);
    }
  });

  it("names the permission for it where a key has the scope", async () => {
    const { json } = await shop().ask("GET", "/api-keys/current");
    expect(JSON.stringify(json)).toContain("btcpay.store.cancreatenonapprovedpullpayments:shop");
    const seller = new GreenfieldShop(of.host, await of.host.issueKey("shop", ["invoices:write"]));
    expect((await seller.ask("POST", "/stores/shop/pull-payments", {})).status).toBe(403);
  });
}
