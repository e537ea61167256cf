/** The Vendure plugin: what payments of an invoice do to an order, in a real shop and with the real desks of a gateway. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lastPayment, VendureOrder } from "./vendureOrder.ts";
import { VendureScene } from "./vendureScene.ts";
import { hasVendure, WITHOUT } from "./vendureShop.ts";

/** 12.50 USD at 4 coins for one. */
const TEA = 5_000_000_000n;

describe.skipIf(!hasVendure())(`a payment in Vendure${WITHOUT}`, () => {
  let scene: VendureScene;
  beforeAll(async () => {
    scene = await VendureScene.open();
  });
  afterAll(() => scene?.close());

  /** An order with an invoice over 12.50 USD. */
  async function placed(): Promise<{ readonly order: VendureOrder; readonly invoice: string }> {
    const order = await VendureOrder.place(scene.shop);
    return { order, invoice: lastPayment(await order.pay()).invoiceId };
  }

  it("goes from the order to an invoice, and settles it when the webhook tells that it is confirmed", async () => {
    const order = await VendureOrder.place(scene.shop);
    const begun = lastPayment(await order.pay());
    expect(begun).toMatchObject({ state: "Created", amount: 1250, amountSompi: String(TEA) });
    expect(begun.checkoutUrl).toBe(`https://pay.example/checkout/${begun.invoiceId}`);
    expect(begun.transactionId).toBe(begun.invoiceId);
    expect(await scene.gateway.invoice(begun.invoiceId)).toMatchObject({
      orderId: order.code,
      amountSompi: TEA,
      requiredBlueScore: 10,
      metadata: { platform: "vendure", currency: "USD", total: "12.50", rate: "4" },
    });
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    await scene.pay(begun.invoiceId, TEA, 3n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentAuthorized", "Authorized"]);
    await scene.grow(7n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    expect((await order.notes()).at(-1)).toContain("Paid and confirmed: 50 of 50 coins");
    expect(lastPayment(await order.seen())).toMatchObject({ status: "confirmed" });
  });

  it("is cancelled with its invoice's time, and the order can be paid anew", async () => {
    const { order, invoice } = await placed();
    await scene.pass(900n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment"]);
    const again = lastPayment(await order.pay());
    expect(again.invoiceId).not.toBe(invoice);
    expect(await scene.invoicesOf(order.code)).toHaveLength(2);
    await scene.pay(again.invoiceId, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("of a part holds the order back until the rest has come, also after the invoice has expired", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA - 1n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    await scene.pass(900n);
    await scene.deliver();
    expect((await order.notes()).at(-1)).toContain("expired with a part of it paid");
    const topped = await scene.host.fetch(`/api/v1/checkout/${invoice}/topup`, { method: "POST" });
    expect(topped.status).toBe(200);
    await scene.pay(invoice, 1n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("that is too much settles the order, and tells the merchant of the excess", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA + 150_000_000n, 3n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentAuthorized", "Authorized"]);
    await scene.grow(7n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    expect((await order.notes()).join()).toContain("The customer paid 1.5 coins too much");
  });

  it("that comes late is held for the merchant, and counts when the gateway is told that it does", async () => {
    const { order, invoice } = await placed();
    await scene.pass(901n);
    await scene.deliver();
    await scene.pay(invoice, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment"]);
    expect((await order.notes()).at(-1)).toContain("A payment came after the invoice had expired");
    const mark = { as: "settled", reason: "good enough" };
    await scene.gateway.ask("POST", `/api/v1/invoices/${invoice}/mark`, mark);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    expect(await scene.invoicesOf(order.code)).toHaveLength(1);
  });

  it("that comes late for an earlier attempt counts when the gateway is told that it does", async () => {
    const { order, invoice } = await placed();
    await scene.pass(901n);
    await scene.deliver();
    expect(lastPayment(await order.pay()).invoiceId).not.toBe(invoice);
    await scene.pass(901n);
    await scene.deliver();
    await scene.pay(invoice, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment"]);
    const mark = { as: "settled", reason: "good enough" };
    await scene.gateway.ask("POST", `/api/v1/invoices/${invoice}/mark`, mark);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    expect(lastPayment(await order.seen()).invoiceId).toBe(invoice);
    expect(await scene.invoicesOf(order.code)).toHaveLength(2);
  });

  it("whose block leaves the chain before it is confirmed never settles the order", async () => {
    const { order, invoice } = await placed();
    const fact = await scene.pay(invoice, TEA, 9n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentAuthorized", "Authorized"]);
    await scene.takeBack(fact);
    await scene.grow(50n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentAuthorized", "Authorized"]);
    expect((await order.notes()).at(-1)).toContain("no longer on the chain");
    await scene.pass(900n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingAdditionalPayment"]);
    expect((await order.notes()).at(-1)).toContain("The order is not paid");
  });

  it("whose block leaves the chain and comes again settles the order then", async () => {
    const { order, invoice } = await placed();
    const fact = await scene.pay(invoice, TEA, 9n);
    await scene.takeBack(fact);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    await scene.takeAgain(fact, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("that is reorganised away after it was settled stops the order until it is confirmed again", async () => {
    const { order, invoice } = await placed();
    const fact = await scene.pay(invoice, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    await scene.takeBack(fact);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingAdditionalPayment", "Settled"]);
    expect((await order.notes()).at(-1)).toContain("Do not ship until it is again");
    await scene.takeAgain(fact, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("that is begun again goes on with the same invoice", async () => {
    const { order, invoice } = await placed();
    const again = await order.pay();
    expect(lastPayment(again)).toMatchObject({
      state: "Created",
      amount: 1250,
      invoiceId: invoice,
    });
    expect(await scene.invoicesOf(order.code)).toHaveLength(1);
    await scene.pay(invoice, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("that is begun twice at once makes one invoice, and is settled once", async () => {
    const order = await VendureOrder.place(scene.shop);
    await Promise.allSettled([order.pay(), order.pay()]);
    const { invoiceId } = lastPayment(await order.pay());
    expect(await scene.invoicesOf(order.code)).toHaveLength(1);
    await scene.pay(invoiceId, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("whose answer was lost makes no second invoice", async () => {
    const order = await VendureOrder.place(scene.shop);
    scene.loseNextAnswer();
    expect(await order.tryToPay()).toMatchObject({ errorCode: "PAYMENT_FAILED_ERROR" });
    expect(await scene.invoicesOf(order.code)).toHaveLength(1);
    await order.pay();
    expect(await scene.invoicesOf(order.code)).toHaveLength(1);
  });

  it("is given up where the customer goes back to the cart, and the changed order has an invoice of its own", async () => {
    const { order, invoice } = await placed();
    await order.move("AddingItems");
    await order.add("P1", 1);
    await order.move("ArrangingPayment");
    const changed = lastPayment(await order.pay());
    expect(changed).toMatchObject({ amount: 1257, amountSompi: "5028000000" });
    await scene.pay(invoice, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    expect((await order.notes()).at(-1)).toContain(
      "Decide whether to fulfil the order or to refund it",
    );
    await scene.pay(changed.invoiceId, 5_028_000_000n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("counts once: what is still due after it wants an invoice of its own", async () => {
    await scene.shop.asMerchant(
      `mutation ($input: CreatePromotionInput!) { createPromotion(input: $input) { __typename } }`,
      {
        input: {
          ...{ enabled: true, couponCode: "HALF", conditions: [] },
          translations: [{ languageCode: "en", name: "half", description: "" }],
          actions: [
            {
              code: "order_percentage_discount",
              arguments: [{ name: "discount", value: "50" }],
            },
          ],
        },
      },
    );
    const order = await VendureOrder.place(scene.shop);
    await order.ask(`mutation { applyCouponCode(couponCode: "HALF") { __typename } }`);
    await order.pay();
    const half = lastPayment(await order.pay());
    expect(half.amount).toBe(625);
    await order.ask(`mutation { removeCouponCode(couponCode: "HALF") { __typename } }`);
    await scene.pay(half.invoiceId, TEA / 2n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Settled"]);
    expect((await order.notes()).at(-1)).toContain("the order is ArrangingPayment");
    const rest = lastPayment(await order.pay());
    expect(rest).toMatchObject({ state: "Created", amount: 625 });
    expect(rest.invoiceId).not.toBe(half.invoiceId);
    await scene.pay(rest.invoiceId, TEA / 2n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled", "Settled"]);
  });

  it("by another method is over the whole order after the customer went back to the cart", async () => {
    const { order, invoice } = await placed();
    await order.move("AddingItems");
    await order.move("ArrangingPayment");
    expect(await order.pay("cash")).toMatchObject({ state: "PaymentSettled" });
    await scene.pay(invoice, TEA, 10n);
    await scene.deliver();
    expect((await order.seen()).payments?.map(({ state }) => state)).toEqual([
      "Cancelled",
      "Settled",
    ]);
    expect((await order.notes()).at(-1)).toContain("covered by another one");
  });

  it("is not settled by a person while the gateway does not say that it is confirmed", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 3n);
    const { id } = lastPayment(await order.seen());
    const query = `mutation ($id: ID!) { settlePayment(id: $id) { __typename ... on ErrorResult { message } ... on SettlePaymentError { paymentErrorMessage } } }`;
    expect(await scene.shop.asMerchant(query, { id })).toMatchObject({
      settlePayment: { paymentErrorMessage: "The invoice is not confirmed: it is paid." },
    });
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    await scene.grow(7n);
    await scene.shop.asMerchant(query, { id });
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("of an order by the smallest coin is exact", async () => {
    const order = await VendureOrder.place(scene.shop, "P1", 3);
    const { amount, amountSompi, invoiceId } = lastPayment(await order.pay());
    expect({ amount, amountSompi }).toEqual({ amount: 21, amountSompi: "84000000" });
    await scene.pay(invoiceId, 84_000_000n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });
});
