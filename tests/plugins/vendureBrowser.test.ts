/** The whole way of an order in Chromium: a Vendure shop, the checkout page of its gateway, a wallet in the browser, a real node. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser, openPage } from "../e2e/browser.ts";
import { LocalNode } from "../e2e/localNode.ts";
import { openWallet } from "../e2e/openWallet.ts";
import { NodeGateway } from "./nodeGateway.ts";
import { lastPayment, VendureOrder } from "./vendureOrder.ts";
import { hasVendure, VendureShop, WITHOUT } from "./vendureShop.ts";

/** ms. A payment needs some ten blocks above it, two a second. */
const CONFIRMED = { timeout: 120_000, interval: 500 };
const MINUTES = 10 * 60_000;

describe.skipIf(!hasVendure())(`an order in a browser${WITHOUT}`, { timeout: MINUTES }, () => {
  let node: LocalNode;
  let browser: Browser;
  let gateway: NodeGateway;
  let shop: VendureShop;
  beforeAll(async () => {
    node = await LocalNode.createWithGrpc();
    await node.start();
    gateway = await NodeGateway.start(node.grpcAddress);
    const { id, secret } = await gateway.addWebhook();
    shop = await VendureShop.start(
      {
        ...{ gatewayUrl: gateway.url, apiKey: gateway.key, webhookSecret: secret },
        conversion: { USD: "0.1" },
      },
      null,
    );
    await gateway.pointWebhook(id, `${shop.url}/svc-gateway/webhook`);
    browser = await launchBrowser();
  }, MINUTES);
  afterAll(async () => {
    await browser?.close();
    await shop?.stop();
    await gateway?.stop();
    await node?.dispose();
  });

  it("goes from the shop to the checkout page, is paid from a wallet, and is settled by the webhook", async () => {
    const wallet = await openWallet({ browser, node }, "a passphrase of the customer");
    await wallet.create();
    await wallet.earn();

    const order = await VendureOrder.place(shop);
    const { checkoutUrl } = lastPayment(await order.pay());
    const { page, watch } = await openPage(
      await browser.newContext({ locale: "en-US" }),
      checkoutUrl,
    );
    const uri = await page.locator('a[href^="svcsim:"]').getAttribute("href");
    const [to = "", query = ""] = (uri ?? "").split("?");
    const amount = new URLSearchParams(query).get("amount") ?? "";
    expect(amount).toBe("1.25");

    await wallet.beginPayment({ to, amount, memo: "" });
    await wallet.sent();
    await expect.poll(() => order.states(), CONFIRMED).toEqual(["PaymentSettled", "Settled"]);
    await page.getByRole("heading", { level: 1, name: "Paid", exact: true }).waitFor();
    expect((await order.notes()).at(-1)).toContain("Paid and confirmed: 1.25 of 1.25 coins");
    expect(lastPayment(await order.seen())).toMatchObject({ status: "confirmed" });
    for (const { faults, strangers } of [watch, wallet.watch]) {
      expect({ faults, strangers }).toEqual({ faults: [], strangers: [] });
    }
  });
});
