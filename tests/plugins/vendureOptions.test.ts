/** The Vendure plugin: what its options change, its own unit tests, and what it is made of. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { lastPayment, VendureOrder } from "./vendureOrder.ts";
import { VendureScene, type SceneOptions } from "./vendureScene.ts";
import { hasVendure, pluginFile, WITHOUT } from "./vendureShop.ts";

const TEA = 5_000_000_000n;
const plugin = fileURLToPath(new URL("../../edge/plugin/vendure/", import.meta.url));

/** Runs a test with a scene of its own. */
async function inScene(
  options: SceneOptions,
  test: (scene: VendureScene) => Promise<void>,
): Promise<void> {
  const scene = await VendureScene.open(options);
  try {
    await test(scene);
  } finally {
    await scene.close();
  }
}

describe.skipIf(!hasVendure())(`the options of the Vendure plugin${WITHOUT}`, () => {
  it("let late payments count, where they are complete and deep enough", () =>
    inScene({ latePayments: "accept" }, async (scene) => {
      const order = await VendureOrder.place(scene.shop);
      const { invoiceId } = lastPayment(await order.pay());
      await scene.pass(901n);
      await scene.deliver();
      await scene.pay(invoiceId, TEA, 3n);
      await scene.deliver();
      expect(await order.states()).toEqual(["ArrangingPayment"]);
      await scene.grow(7n);
      await scene.deliver();
      expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    }));

  it("take the gateway's prices, and refund at the rate that the invoice had", () => {
    const rate = {
      ...{ currency: "USD", rate: "0.125", source: "test", isStale: false },
      toldMs: asTimestampMs(1_785_100_000_000n),
    };
    const prices = { rate: async () => rate, rates: async () => [rate] };
    return inScene({ conversion: "gateway", prices }, async (scene) => {
      const order = await VendureOrder.place(scene.shop);
      const { amountSompi, invoiceId } = lastPayment(await order.pay());
      expect(amountSompi).toBe("10000000000");
      await scene.pay(invoiceId, 2n * TEA, 10n);
      await scene.deliver();
      expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
      expect(await order.refund(333, "")).toMatchObject({ state: "Pending" });
      const { json } = await scene.gateway.ask("GET", "/api/v1/refunds");
      expect(json["refunds"]).toMatchObject([{ amountSompi: "2664000000" }]);
    });
  });

  it("refuse a currency that has no rate, with nothing but a plain word for the customer", () =>
    inScene({ conversion: { EUR: "4" } }, async (scene) => {
      const order = await VendureOrder.place(scene.shop);
      expect(await order.tryToPay()).toMatchObject({
        errorCode: "PAYMENT_FAILED_ERROR",
        paymentErrorMessage: expect.stringContaining("could not be started"),
      });
      expect(await scene.shop.log()).toContain("12.50 USD is no amount by the plugin's conversion");
    }));

  it("set the depth, and the page to which the checkout leads back", () =>
    inScene(
      { requiredBlueScore: 3, redirectUrl: "https://shop.example/thanks/{OrderId}" },
      async (scene) => {
        const order = await VendureOrder.place(scene.shop);
        const { invoiceId } = lastPayment(await order.pay());
        await scene.pay(invoiceId, TEA, 3n);
        await scene.deliver();
        expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
        const shown = await scene.host.fetch(`/api/v1/checkout/${invoiceId}`);
        expect(await shown.json()).toMatchObject({
          redirectUrl: `https://shop.example/thanks/${order.code}`,
        });
      },
    ));

  it("send no customer to a page that is not the gateway's", () =>
    inScene({ checkoutOrigin: "https://elsewhere.example" }, async (scene) => {
      const order = await VendureOrder.place(scene.shop);
      expect(await order.tryToPay()).toMatchObject({ errorCode: "PAYMENT_FAILED_ERROR" });
      expect(await scene.shop.log()).toContain("the payment page is not at the gateway");
    }));
});

describe("the Vendure plugin", () => {
  it.skipIf(!hasVendure())(`passes its own unit tests${WITHOUT}`, () => {
    const files = readdirSync(`${plugin}dist/test`).filter((name) => name.endsWith(".test.js"));
    const paths = files.map((name) => `${plugin}dist/test/${name}`);
    const { status, stdout } = spawnSync(process.execPath, ["--test", ...paths], {
      encoding: "utf8",
    });
    expect(files.length).toBeGreaterThan(0);
    expect(status, stdout.slice(-4_000)).toBe(0);
  });

  it("has Vendure's licence, and no part of the main tree in it", () => {
    expect(JSON.parse(pluginFile("package.json"))).toMatchObject({ license: "GPL-3.0-or-later" });
    expect(pluginFile("LICENSE")).toContain("GNU GENERAL PUBLIC LICENSE");
    const files = readdirSync(plugin, { recursive: true, encoding: "utf8" });
    const sources = files.filter((path) => /^(src|test|testkit)\/.*\.ts$/.test(path));
    expect(sources.length).toBeGreaterThan(20);
    for (const path of sources) {
      const from = [...pluginFile(path).matchAll(/from "([^"]+)"/g)].map(([, name = ""]) => name);
      expect(
        from.filter((name) => /@svc\/|^\.\.\/\.\./.test(name)),
        path,
      ).toEqual([]);
    }
  });
});
