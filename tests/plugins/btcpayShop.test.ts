/**
 * Orders of a shop in PHP that speaks as BTCPay's WooCommerce plugin does, against the gateway's own server on loopback, with webhooks sent
 * over sockets. Chain and clock are the test's.
 */
import { createHmac } from "node:crypto";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { GatewayMetrics } from "@svc/node-server/gateway/http/gatewayMetrics.ts";
import { startGatewayServer } from "@svc/node-server/gateway/http/gatewayServer.ts";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { OWN_PAGES } from "@svc/node-server/platform/http/accessCheck.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { payment, takenBack } from "../gateway/gatewayCaller.ts";
import { BtcpayShop } from "./btcpayShop.ts";
import { hasPhp } from "./phpTests.ts";

const HOUR_MS = 3_600_000n;
const ORDER = "4711";

let host: DeskHost;
let shop: BtcpayShop;
let gateway: string;
let key: string;

async function open(): Promise<void> {
  host = await DeskHost.open(folderOfTest());
  const { address, stop } = await startGatewayServer({
    ...host.served,
    ...{ host: "127.0.0.1", port: 0, option: "--gateway-listen", rules: OWN_PAGES },
    ...{ hasLimits: true, clock: systemClock, log: createLog("silent") },
    metrics: new GatewayMetrics(systemClock),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
  });
  onTestFinished(async () => {
    await stop();
    await host.close();
  });
  gateway = address;
  key = await host.issueKey("shop", KEY_SCOPES);
  shop = await BtcpayShop.start();
}

/** Pays so much of an invoice, in a block at a blue score, with the sink at another one. */
async function pays(id: string, amount: bigint, at: bigint, tip: bigint) {
  const fact = await payment(host, id, amount, at);
  await host.tell([fact], tip);
  await host.deliver();
  return fact;
}

describe.skipIf(!hasPhp())("a shop with BTCPay's WooCommerce plugin", () => {
  beforeEach(open);

  it("connects: key, server, store, payment methods and webhook are as the plugin wants them", async () => {
    const connected = await shop.connect(gateway, key);
    expect(connected).toMatchObject({
      server: { version: "1.13.0", fullySynched: true },
      methods: ["SVCSIM"],
      webhook: { url: `${shop.url}/wc-api/btcpaygf_default/`, enabled: true },
    });
    const seller = await host.issueKey("shop", ["invoices:read"]);
    expect(await shop.connect(gateway, seller)).toEqual({ fault: "a key without a permission" });
    await expect(shop.connect(gateway, `${key}x`)).rejects.toThrow("401");
    await expect(shop.connect(gateway, key, "neighbour")).resolves.toEqual({
      fault: "a key of several stores",
    });
  });

  it("completes an order when its payment is confirmed, once, and not before", async () => {
    await shop.connect(gateway, key);
    const id = await shop.orders(ORDER);
    expect(await shop.does("again", { number: ORDER })).toEqual({ redirect: `/i/${id}` });
    await pays(id, 1_000n, 101n, 101n);
    expect(await shop.order(ORDER)).toMatchObject({
      ...{
        status: "on-hold",
        completed: 0,
        events: ["InvoiceReceivedPayment", "InvoiceProcessing"],
      },
      payments: [{ value: "0.00001", status: "Processing" }],
    });
    await host.tell([], 111n);
    await host.deliver();
    expect(await shop.order(ORDER)).toMatchObject({
      ...{ status: "processing", completed: 1, overPaid: false },
      payments: [{ value: "0.00001", status: "Settled" }],
    });
    expect(await shop.refused()).toBe(0);
  });

  it("cancels an order that nobody pays, fails one that is paid in part, and lets customers begin anew", async () => {
    await shop.connect(gateway, key);
    await shop.orders(ORDER);
    await pays(await shop.orders("4712"), 400n, 101n, 111n);
    await host.pass(HOUR_MS);
    await host.deliver();
    expect((await shop.order(ORDER)).status).toBe("cancelled");
    expect(await shop.order("4712")).toMatchObject({ status: "failed", completed: 0 });
    expect(await shop.does("again", { number: ORDER })).toEqual({ redirect: null });
    const second = await shop.orders(ORDER);
    const found = Object.values(await shop.does("find", { number: ORDER }));
    expect(found).toMatchObject([{ id: second, status: "New" }, { status: "Expired" }]);
    await pays(second, 1_000n, 120n, 130n);
    expect((await shop.order(ORDER)).status).toBe("processing");
  });

  it("completes an order that is paid twice in part, and says what was too much", async () => {
    await shop.connect(gateway, key);
    const id = await shop.orders(ORDER);
    await pays(id, 400n, 101n, 101n);
    expect((await shop.order(ORDER)).status).toBe("pending");
    await pays(id, 800n, 102n, 120n);
    expect(await shop.order(ORDER)).toMatchObject({
      ...{ status: "processing", completed: 1, overPaid: true },
      payments: [{ status: "Settled" }, { status: "Settled" }],
    });
  });

  it("holds an order whose payment came too late, until its merchant says that it is good", async () => {
    await shop.connect(gateway, key);
    const id = await shop.orders(ORDER);
    await host.pass(HOUR_MS);
    await pays(id, 1_000n, 101n, 120n);
    expect(await shop.order(ORDER)).toMatchObject({ status: "failed", completed: 0 });
    await shop.does("mark", { number: ORDER, status: "Settled" });
    await host.deliver();
    expect(await shop.order(ORDER)).toMatchObject({ status: "processing", completed: 1 });
  });

  it("is told when a reorganisation takes a payment, before and after the order was completed", async () => {
    await shop.connect(gateway, key);
    const id = await shop.orders(ORDER);
    const early = await pays(id, 1_000n, 101n, 105n);
    await host.tell([takenBack(early)], 106n);
    await host.tell([], 120n);
    await host.deliver();
    expect(await shop.order(ORDER)).toMatchObject({ status: "on-hold", completed: 0 });
    const fact = await pays(id, 1_000n, 121n, 131n);
    expect((await shop.order(ORDER)).status).toBe("processing");
    await host.tell([takenBack(fact)], 132n);
    await host.deliver();
    expect((await shop.order(ORDER)).events.at(-1)).toBe("InvoiceInvalid");
    await pays(id, 1_000n, 133n, 143n);
    expect(await shop.order(ORDER)).toMatchObject({ status: "processing", completed: 1 });
    expect((await shop.order(ORDER)).events.at(-1)).toBe("InvoiceSettled");
  });

  it("is told how its orders stand, each once, after it was down for an hour", async () => {
    await shop.connect(gateway, key);
    const id = await shop.orders(ORDER);
    await shop.does("down", { down: true });
    await pays(id, 1_000n, 101n, 101n);
    for (let minute = 0; minute < 60; minute += 10) {
      await host.pass(HOUR_MS / 6n);
      await host.tell([], 101n + BigInt(minute));
      await host.deliver();
    }
    expect((await shop.order(ORDER)).events).toEqual([]);
    await shop.does("down", { down: false });
    for (let tries = 0; tries < 4; tries += 1) {
      await host.pass(HOUR_MS);
      await host.deliver();
    }
    const order = await shop.order(ORDER);
    expect(order).toMatchObject({ status: "processing", completed: 1 });
    // What was so in the meantime would put the order back.
    expect(order.events).toEqual(["InvoicePaymentSettled", "InvoiceSettled"]);
    expect(new Set(order.deliveries).size).toBe(order.deliveries.length);
  });

  it("refunds what was paid by a claim, and no more than that", async () => {
    await shop.connect(gateway, key);
    await pays(await shop.orders(ORDER), 1_000n, 101n, 120n);
    const asked = { number: ORDER, amount: "0.000004", currency: "SVCSIM" };
    expect(await shop.does("refund", asked)).toMatchObject({ amount: "0.000004" });
    await expect(shop.does("refund", { ...asked, amount: "1" })).rejects.toThrow(
      "refund-too-large",
    );
    await expect(shop.does("refund", { ...asked, number: "4799" })).rejects.toThrow("422");
  });

  it("believes no delivery that is forged, and takes a secret that it chose itself", async () => {
    await shop.connect(gateway, key);
    const id = await shop.orders(ORDER);
    const body = JSON.stringify({ type: "InvoiceSettled", invoiceId: id, deliveryId: "dlv_1" });
    const signed = (secret: string) =>
      `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    const forged = [null, "", "sha256=", signed(""), signed("guessed"), signed(key), "sha1=00"];
    for (const signature of forged) expect(await shop.hook(body, signature)).toBe(500);
    expect(await shop.order(ORDER)).toMatchObject({ status: "pending", events: [] });
    const secret = "a-secret-of-the-shop";
    await shop.does("secret", { secret });
    await pays(id, 1_000n, 101n, 120n);
    expect(await shop.order(ORDER)).toMatchObject({ status: "processing", completed: 1 });
    expect(await shop.refused()).toBe(forged.length);
  });
});
