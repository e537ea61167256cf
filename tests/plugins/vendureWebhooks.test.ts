/** The Vendure plugin: its receiver of webhooks, and the secrets that it holds. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signWebhook } from "@svc/shared/protocol/webhook/signature.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { lastPayment, VendureOrder } from "./vendureOrder.ts";
import { signatureOf, VendureScene } from "./vendureScene.ts";
import { hasVendure, WITHOUT } from "./vendureShop.ts";

const TEA = 5_000_000_000n;
const HOUR_S = 3_600n;

describe.skipIf(!hasVendure())(`webhooks to Vendure${WITHOUT}`, () => {
  let scene: VendureScene;
  beforeAll(async () => {
    scene = await VendureScene.open();
  });
  afterAll(() => scene?.close());

  async function placed(): Promise<{ readonly order: VendureOrder; readonly invoice: string }> {
    const order = await VendureOrder.place(scene.shop);
    return { order, invoice: lastPayment(await order.pay()).invoiceId };
  }

  /** Signs a body as the gateway does. */
  async function signed(body: string, secret = scene.secret, ageS = 0n, id = "evt_1") {
    const sentAt = scene.host.nowMs() / 1_000n - ageS;
    return signWebhook(secret, { id, sentAt, body: new TextEncoder().encode(body) });
  }

  /** A body that claims an invoice to be confirmed. */
  function claimed(invoice: string, id = "evt_1"): string {
    const record = { id: invoice, status: "confirmed", version: 1, paidSompi: String(TEA) };
    const type = "invoice.confirmed";
    return JSON.stringify({ id, type, eventType: type, createdAt: 1, invoice: record });
  }

  it("that found the shop down for an hour are sent again, and settle the order", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 10n);
    expect(await scene.loseDeliveries()).not.toHaveLength(0);
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    for (let hour = 0; hour < 12; hour += 1) {
      await scene.pass(HOUR_S / 12n);
      await scene.loseDeliveries();
    }
    await scene.pass(2n * HOUR_S);
    expect(await scene.deliver()).not.toHaveLength(0);
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("that never come are replaced by the task that reads open invoices", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 10n);
    await scene.loseDeliveries();
    expect(await scene.shop.reconcile()).toMatchObject({ applied: expect.any(Number) });
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("without a right signature are refused, and nobody asks the gateway", async () => {
    const { order, invoice } = await placed();
    const body = claimed(invoice);
    const right = await signed(body);
    const { "svc-signature": svc = "", ...standard } = right;
    scene.calls();
    const refused = [
      {},
      standard,
      { "svc-signature": svc.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) },
      { ...right, "webhook-signature": `v1,${"A".repeat(43)}=` },
      { ...right, "webhook-id": "evt_2" },
      { "svc-signature": `${svc}${",v1=".padEnd(2_000, "0")}` },
      await signed(body, "another secret"),
      await signed(body, " "),
      await signed(body, scene.secret, 301n),
      await signed(body, scene.secret, -301n),
      await signed(`${body} `),
    ];
    for (const headers of refused)
      expect(await scene.post(body, headers)).toMatchObject({ status: 401 });
    expect(scene.calls()).toEqual([]);
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
  });

  it("say nothing that counts: a signed lie changes nothing, since the gateway is asked", async () => {
    const { order, invoice } = await placed();
    const body = claimed(invoice);
    expect(await scene.post(body, await signed(body))).toMatchObject({ status: 200 });
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
  });

  it("that are sent again change nothing, and after five minutes are refused", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 10n);
    const sent = await scene.deliver();
    const confirmed = sent.find(({ body }) => body.includes("invoice.confirmed"));
    if (confirmed === undefined) throw new Error("no webhook of the confirmation");
    const notes = await order.notes();
    scene.calls();
    expect(await scene.again(confirmed)).toMatchObject({
      status: 200,
      text: expect.stringContaining("duplicate"),
    });
    expect(scene.calls()).toEqual([]);
    expect(await order.notes()).toEqual(notes);
    await scene.pass(301n);
    expect(await scene.again(confirmed)).toMatchObject({ status: 401 });
  });

  it("of one confirmation that come at once settle the order once", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 10n);
    await scene.loseDeliveries();
    const bodies = [1, 2, 3, 4].map((number) => claimed(invoice, `evt_at_once_${number}`));
    const answers = await Promise.all(
      bodies.map(async (body, place) =>
        scene.post(body, await signed(body, scene.secret, 0n, `evt_at_once_${place + 1}`)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    const confirmed = (await order.notes()).filter((note) => note.includes("Paid and confirmed"));
    expect(confirmed).toHaveLength(1);
  });

  it("in their hundreds for one invoice are put off, and none is lost", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 10n);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, async (_, number) => {
        const id = `evt_flood_${number}`;
        const body = claimed(invoice, id);
        return (await scene.post(body, await signed(body, scene.secret, 0n, id))).status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("of an invoice that is not the shop's, or is another order's, change no order", async () => {
    const { order } = await placed();
    const foreign = await scene.gateway.create({ orderId: order.code, amountSompi: "1" });
    await scene.pay(foreign.id, 1n, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    const body = claimed(foreign.id);
    expect(await scene.post(body, await signed(body))).toMatchObject({ status: 202 });
    const never = claimed(`inv_${"0".repeat(32)}`);
    expect(await scene.post(never, await signed(never))).toMatchObject({ status: 202 });
  });

  it("of a payment by another method that a customer made look like one change no order", async () => {
    const { order } = await placed();
    const lured = await scene.gateway.create({ orderId: order.code, amountSompi: String(TEA) });
    const metadata = { svc: { invoice: lured.id, amountSompi: String(TEA) } };
    const thief = await VendureOrder.place(scene.shop);
    await thief.ask(
      `mutation ($metadata: JSON!) { addPaymentToOrder(input: { method: "cash", metadata: $metadata }) { __typename } }`,
      { metadata: { ...metadata, shouldDecline: true } },
    );
    await scene.pay(lured.id, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    expect((await thief.states())[0]).toBe("ArrangingPayment");
  });

  it("that are no event, or too long, or compressed, are refused", async () => {
    for (const body of [
      "",
      "[]",
      "{",
      "null",
      '{"id":1}',
      '{"id":"a","type":"b","eventType":"c"}',
    ]) {
      expect((await scene.post(body, await signed(body))).status, body).toBe(400);
    }
    const long = new Uint8Array(10 * 1_048_576);
    expect((await scene.post(long, {})).status).toBe(413);
    const zipped = await scene.post("x", { "Content-Encoding": "gzip" });
    expect(zipped.status).toBe(415);
    const ping = JSON.stringify({ id: "evt_ping", type: "ping", eventType: "ping", createdAt: 1 });
    expect(await scene.post(ping, await signed(ping, scene.secret, 0n, "evt_ping"))).toMatchObject({
      status: 200,
    });
  });

  it("wait while the gateway cannot be asked, and while it answers with an older version", async () => {
    const { order, invoice } = await placed();
    await scene.pay(invoice, TEA, 10n);
    await scene.loseDeliveries();
    const body = claimed(invoice, "evt_wait");
    const headers = await signed(body, scene.secret, 0n, "evt_wait");
    scene.loseNextAnswer();
    expect(await scene.post(body, headers)).toMatchObject({ status: 503 });
    const newer = body.replace('"version":1', '"version":99');
    expect(
      await scene.post(newer, await signed(newer, scene.secret, 0n, "evt_wait")),
    ).toMatchObject({ status: 503 });
    expect(await order.states()).toEqual(["ArrangingPayment", "Created"]);
    expect(await scene.post(body, headers)).toMatchObject({ status: 200 });
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
  });

  it("and payments leave no secret in the log, in the notes, or with the customer", async () => {
    const { order, invoice } = await placed();
    scene.loseNextAnswer();
    await order.tryToPay();
    await scene.pay(invoice, TEA, 10n);
    const [hook] = await scene.deliver();
    const log = await scene.shop.log();
    const merchant = JSON.stringify([await order.notes(), await order.seen()]);
    const customer = await order.shownToCustomer();
    expect(log).toContain("SvcGatewayPlugin");
    expect(customer).toContain(invoice);
    const secrets = [scene.key, scene.secret, scene.secret.slice("whsec_".length)];
    const signatures = Object.values(signatureOf(hook?.headers ?? new Headers())).slice(0, 1);
    for (const secret of [...secrets, ...signatures]) {
      for (const shown of [log, merchant, customer]) expect(shown).not.toContain(secret);
    }
    for (const hidden of ["claims", "events", "attempt", "channel"]) {
      expect(customer).not.toContain(`"${hidden}"`);
    }
  });
});

describe.skipIf(!hasVendure())(`refunds in Vendure${WITHOUT}`, () => {
  async function paid(scene: VendureScene): Promise<VendureOrder> {
    const order = await VendureOrder.place(scene.shop);
    const { invoiceId } = lastPayment(await order.pay());
    await scene.pay(invoiceId, TEA, 10n);
    await scene.deliver();
    expect(await order.states()).toEqual(["PaymentSettled", "Settled"]);
    return order;
  }

  it("open claims at the gateway at the rate of the invoice, whose links the merchant alone sees", async () => {
    const scene = await VendureScene.open();
    try {
      const order = await paid(scene);
      for (const amount of [333, 333]) {
        const refund = await order.refund(amount, "broken\ncup");
        expect(refund).toMatchObject({ state: "Pending", total: 333 });
      }
      const { json } = await scene.gateway.ask("GET", "/api/v1/refunds");
      const refunds = json["refunds"] as readonly Record<string, unknown>[];
      expect(refunds).toHaveLength(2);
      expect(refunds[0]).toMatchObject({ amountSompi: "1332000000", reason: "broken cup" });
      const link = String(refunds[0]?.["claimUrl"]);
      expect((await order.notes()).join()).toContain(link);
      const shown = await order.shownToCustomer();
      for (const one of refunds) expect(shown).not.toContain(String(one["claimUrl"]));
      expect(await order.refund(9_999, "")).toMatchObject({ __typename: "RefundAmountError" });
    } finally {
      await scene.close();
    }
  });

  it("fail where the key may not, and say so", async () => {
    const scopes = KEY_SCOPES.filter((scope) => scope !== "refunds");
    const scene = await VendureScene.open({ scopes });
    try {
      const order = await paid(scene);
      expect(await order.refund(100, "")).toMatchObject({ state: "Failed" });
      expect((await order.notes()).at(-1)).toContain("Its key may lack the right");
    } finally {
      await scene.close();
    }
  });
});
