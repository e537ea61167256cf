/** The whole way of an order in Chromium: a Vendure shop, the checkout page of its gateway, a wallet in the browser, a real node. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { askedBy, PaidShop, untilSays } from "./paidShop.ts";
import { lastPayment, type VendureOrder } from "./vendureOrder.ts";
import { hasVendure, WITHOUT } from "./vendureShop.ts";
import { STEP_HANG_MS } from "../testkit/hangMs.ts";

const SOON = { timeout: STEP_HANG_MS, interval: 200 };
const MINUTE_MS = 60_000n;
/** The invoices' time to pay. */
const LIFE_MS = 15n * MINUTE_MS;
/** Blocks above a payment that confirm it. */
const DEPTH = 10;

describe.skipIf(!hasVendure())(`an order in a browser${WITHOUT}`, () => {
  let shop: PaidShop;
  beforeAll(async () => {
    shop = new PaidShop();
    await shop.open();
  });
  beforeEach(() => shop.showIfFailed());
  afterEach(() => expect(shop.faults()).toEqual([]));
  afterAll(() => shop?.close());

  const isSo = async (order: VendureOrder, ...states: readonly string[]): Promise<void> => {
    await expect.poll(() => order.states(), SOON).toEqual(states);
  };
  const isSettled = (order: VendureOrder) => isSo(order, "PaymentSettled", "Settled");
  const lastNote = async (order: VendureOrder) => (await order.notes()).at(-1);

  it("goes from the shop to the checkout page, is paid from a wallet, and is settled by the webhook", async () => {
    const { order, page } = await shop.order();
    const asked = await askedBy(page);
    expect(asked.amount).toBe("1.25");
    await shop.pay(asked);
    await shop.confirm(DEPTH);
    await isSettled(order);
    await untilSays(page, "Paid");
    expect(await lastNote(order)).toContain("Paid and confirmed: 1.25 of 1.25 coins");
    expect(lastPayment(await order.seen())).toMatchObject({ status: "confirmed" });
  });

  it("expires before the customer's eyes, and can be paid anew", async () => {
    const { order, invoice, page } = await shop.order();
    await untilSays(page, "Waiting for your payment");
    await shop.pass(LIFE_MS);
    await untilSays(page, "The time to pay is over");
    expect(await page.locator('a[href^="svcsim:"]').count()).toBe(0);
    await isSo(order, "ArrangingPayment");
    expect(await lastNote(order)).toContain("The invoice has expired without a payment");

    const again = await shop.checkout(order);
    expect(again.invoice).not.toBe(invoice);
    await shop.pay(await askedBy(again.page));
    await shop.confirm(DEPTH);
    await untilSays(again.page, "Paid");
    await isSettled(order);
  });

  it("that is paid in part shows what is still due, and is settled when the rest has come", async () => {
    const { order, page } = await shop.order();
    const { to } = await askedBy(page);
    await shop.pay({ to, amount: "0.5" });
    await shop.confirm(DEPTH);
    await untilSays(page, "A part has arrived");
    await page.getByText("You paid 0.5 coins. 0.75 coins are still due.").waitFor();
    await page.getByAltText(`${to}?amount=0.75`).waitFor();
    await expect.poll(() => lastNote(order), SOON).toContain("Part of the payment has come: 0.5");
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);

    const rest = await askedBy(page);
    expect(rest).toEqual({ to, amount: "0.75" });
    await shop.pay(rest);
    await shop.confirm(DEPTH);
    await untilSays(page, "Paid");
    await isSettled(order);
  });

  it("that is paid too much says so to the customer, is settled, and tells the merchant of the excess", async () => {
    const { order, page } = await shop.order();
    const { to } = await askedBy(page);
    await shop.pay({ to, amount: "2.75" });
    await shop.confirm(3);
    await untilSays(page, "Payment received");
    await page.getByText("You paid 1.5 coins too much").waitFor();
    await isSo(order, "PaymentAuthorized", "Authorized");
    await shop.mine(DEPTH - 3);
    await untilSays(page, "Paid, and more than asked");
    await isSettled(order);
    expect((await order.notes()).join()).toContain("The customer paid 1.5 coins too much");
  });

  it("that is paid too late says so, and is held for the merchant", async () => {
    const { order, page } = await shop.order();
    const asked = await askedBy(page);
    await shop.pass(LIFE_MS + MINUTE_MS);
    await untilSays(page, "The time to pay is over");
    await isSo(order, "ArrangingPayment");
    await shop.pay(asked);
    await shop.confirm(DEPTH);
    await untilSays(page, "Your payment came too late");
    await page.getByText("1.25 coins arrived after the time to pay.").waitFor();
    await expect.poll(() => lastNote(order), SOON).toContain("after the invoice had expired");
    expect(await order.states()).toEqual(["ArrangingPayment"]);
  });

  it("whose shop is down for an hour is settled when the shop is there again", async () => {
    const { order, page } = await shop.order();
    shop.line.cut();
    await shop.pay(await askedBy(page));
    await shop.confirm(DEPTH);
    await untilSays(page, "Paid");
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await shop.tried();
      await shop.pass(5n * MINUTE_MS);
    }
    await shop.tried();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    shop.line.heal();
    // The pause before the next try is of hours by now.
    await shop.pass(180n * MINUTE_MS);
    await isSettled(order);
  });

  it("whose payment a longer branch takes back is not settled before it is confirmed on that branch", async () => {
    const { order, invoice, page } = await shop.order();
    const other = await shop.otherNode();
    await shop.pay(await askedBy(page));
    await shop.confirm(8);
    await untilSays(page, "Payment received");
    await page.getByText(`Confirmation 8 of ${DEPTH}`).waitFor();
    await isSo(order, "PaymentAuthorized", "Authorized");

    await shop.outweigh(other, 1 + DEPTH);
    await untilSays(page, "Waiting for your payment");
    await expect.poll(() => lastNote(order), SOON).toContain("no longer on the chain");
    expect(await order.states()).toEqual(["PaymentAuthorized", "Authorized"]);
    expect(await shop.gateway.invoice(invoice)).toMatchObject({ status: "new", settled: false });

    // The next blocks join both branches: the payment stands on the chain again, and wants its whole depth anew.
    await shop.mine(5);
    await untilSays(page, "Payment received");
    expect(await shop.gateway.invoice(invoice)).toMatchObject({ status: "paid", settled: false });
    expect(await order.states()).toEqual(["PaymentAuthorized", "Authorized"]);
    await shop.mine(DEPTH);
    await untilSays(page, "Paid");
    await isSettled(order);
    expect((await order.notes()).filter((note) => note.includes("and confirmed"))).toHaveLength(1);
  });
});
