/** The typed client against scripted answers: gateways of other versions, proxies, and lines that fail. */
import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { rejectionCode } from "../../base/testkit/rejectionCode.ts";
import { clientContract } from "../contract/testkit/clientContract.ts";
import { jsonAnswer } from "../contract/testkit/jsonAnswer.ts";
import { scriptedFetch, type ScriptedAnswer } from "../contract/testkit/scriptedFetch.ts";
import { GatewayClient } from "./gatewayClient.ts";
import { GATEWAY_ROUTES, type GatewayRouteName } from "./gatewayRoutes.ts";

const signal = new AbortController().signal;
const KEY = "svck_0123456789abcdef";
const ROUTES = GATEWAY_ROUTES;

/** A client whose requests are answered by `answer`. */
function clientOf(answer: ScriptedAnswer, timeout?: AbortSignal, apiKey: string | null = KEY) {
  const { fetch, sent } = scriptedFetch(answer);
  const client = new GatewayClient({
    baseUrl: "http://gateway/",
    apiKey,
    fetch,
    ...(timeout === undefined ? {} : { timeout: () => timeout }),
  });
  return { client, sent };
}

/** A client that is answered the example of whichever row it asks for. */
function exampleClient() {
  return clientOf(({ url, init }) => {
    const { pathname } = new URL(url);
    const row = Object.values(ROUTES).find(({ method, path }) => {
      const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      return method === init.method && pattern.test(pathname);
    });
    return row === undefined ? jsonAnswer({}, 404) : jsonAnswer(row.example.answer);
  });
}

describe("a request", () => {
  it("carries API key, idempotency key and exact amounts, and follows no redirect", async () => {
    const { client, sent } = clientOf(() => jsonAnswer(ROUTES.createInvoice.example.answer, 201));
    const body = { orderId: "4711", amountSompi: 9_223_372_036_854_775_807n, expiresIn: 900 };
    const result = await client.createInvoice(body, { signal, idempotencyKey: "k" });
    expect(result).toMatchObject({ amountSompi: 250_000_000n, status: "new" });
    expect(sent).toMatchObject([
      {
        url: "http://gateway/api/v1/invoices",
        init: {
          method: "POST",
          redirect: "error",
          credentials: "omit",
          headers: {
            Authorization: `Bearer ${KEY}`,
            "Idempotency-Key": "k",
            "Content-Type": "application/json",
          },
          body: '{"orderId":"4711","amountSompi":"9223372036854775807","expiresIn":900}',
        },
      },
    ]);
  });

  it("has no API key where none is asked for", async () => {
    const { client, sent } = exampleClient();
    await client.checkout("inv_1", { signal });
    await client.health({ signal });
    const none = clientOf(
      () => jsonAnswer({ error: "No.", code: "gateway/bad-key" }, 401),
      undefined,
      null,
    );
    expect(await rejectionCode(none.client.ownKey({ signal }))).toBe("gateway/bad-key");
    for (const { init } of [...sent, ...none.sent]) {
      expect(init.headers).not.toHaveProperty("Authorization");
    }
  });

  it("writes paths, and a name of the query for each of its words", async () => {
    const { client, sent } = exampleClient();
    await client.invoice("a/../b", { signal });
    await client.invoices(
      { orderId: ["1", "a b"], status: "paid", limit: "2", from: "7" },
      { signal },
    );
    await client.redeliver("wh_1", "dlv_1", { signal });
    expect(sent.map(({ url }) => url)).toEqual([
      "http://gateway/api/v1/invoices/a%2F..%2Fb",
      "http://gateway/api/v1/invoices?orderId=1&orderId=a+b&status=paid&limit=2&from=7",
      "http://gateway/api/v1/webhooks/wh_1/deliveries/dlv_1/redeliver",
    ]);
  });
});

describe("each method", () => {
  const id = "x_1";
  const events = ["*" as const];
  const address = "svc:x";
  const calls: { readonly [R in GatewayRouteName]?: (client: GatewayClient) => Promise<unknown> } =
    {
      createInvoice: (c) => c.createInvoice({ orderId: "1", amountSompi: "1" }, { signal }),
      invoices: (c) => c.invoices({}, { signal }),
      invoice: (c) => c.invoice(id, { signal }),
      invoicePayments: (c) => c.invoicePayments(id, {}, { signal }),
      invoiceReceipts: (c) => c.invoiceReceipts(id, {}, { signal }),
      invoiceEvents: (c) => c.invoiceEvents(id, {}, { signal }),
      updateInvoice: (c) => c.updateInvoice(id, { metadata: { a: "b" } }, { signal }),
      archiveInvoice: (c) => c.archiveInvoice(id, { signal }),
      unarchiveInvoice: (c) => c.unarchiveInvoice(id, { signal }),
      markInvoice: (c) => c.markInvoice(id, { as: "settled", reason: "cash" }, { signal }),
      extendInvoice: (c) => c.extendInvoice(id, { expiresIn: 60 }, { signal }),
      createRefund: (c) => c.createRefund(id, { amount: "all" }, { signal }),
      refunds: (c) => c.refunds({}, { signal }),
      refund: (c) => c.refund(id, { signal }),
      approveRefund: (c) => c.approveRefund(id, { address }, { signal }),
      cancelRefund: (c) => c.cancelRefund(id, { signal }),
      webhooks: (c) => c.webhooks({ signal }),
      createWebhook: (c) => c.createWebhook({ url: "https://a.example", events }, { signal }),
      webhook: (c) => c.webhook(id, { signal }),
      updateWebhook: (c) => c.updateWebhook(id, { enabled: true }, { signal }),
      removeWebhook: (c) => c.removeWebhook(id, { signal }),
      pingWebhook: (c) => c.pingWebhook(id, { signal }),
      rotateSecret: (c) => c.rotateSecret(id, { switchIn: 60 }, { signal }),
      deliveries: (c) => c.deliveries(id, {}, { signal }),
      delivery: (c) => c.delivery(id, id, { signal }),
      redeliver: (c) => c.redeliver(id, id, { signal }),
      createChallenge: (c) => {
        return c.createChallenge({ amountSompi: 1n, resource: "GET /" }, { signal });
      },
      uploadPayment: (c) => {
        return c.uploadPayment({ challenge: id, transaction: "AA==" }, { signal });
      },
      verifyPayment: (c) => c.verifyPayment(ROUTES.verifyPayment.example.body, { signal }),
      settlePayment: (c) => c.settlePayment(ROUTES.settlePayment.example.body, { signal }),
      supportedPayments: (c) => c.supportedPayments({ signal }),
      spendSession: (c) => {
        return c.spendSession({ sessionHash: "c0".repeat(32), amountSompi: 1n }, { signal });
      },
      checkout: (c) => c.checkout(id, { signal }),
      checkoutReceipts: (c) => c.checkoutReceipts(id, {}, { signal }),
      topUpCheckout: (c) => c.topUpCheckout(id, { signal }),
      claim: (c) => c.claim(id, { signal }),
      fillClaim: (c) => c.fillClaim(id, { address }, { signal }),
      rates: (c) => c.rates({}, { signal }),
      quote: (c) => c.quote({ currency: "EUR", value: "1" }, { signal }),
      ownKey: (c) => c.ownKey({ signal }),
      health: (c) => c.health({ signal }),
      live: (c) => c.live({ signal }),
      ready: (c) => c.ready({ signal }),
    };

  it("is there for each row that is answered as JSON", () => {
    const isOfTill = ({ path }: { path: string }) => path.startsWith("/pos/");
    const isHeldOpen = (row: object) => "isStream" in row || "isSocket" in row || "fileType" in row;
    const rows = Object.entries(ROUTES).filter(([, row]) => !isHeldOpen(row) && !isOfTill(row));
    expect(Object.keys(calls).toSorted()).toEqual(rows.map(([name]) => name).toSorted());
  });

  it.each(Object.entries(calls))("%s asks for its row and reads the answer", async (name, call) => {
    const row = Object.entries(ROUTES).find(([own]) => own === name)?.[1];
    const { client, sent } = exampleClient();
    await call(client);
    const pattern = new RegExp(`^/${row?.path.slice(1).replaceAll(/\{\w+\}/g, "x_1")}$`);
    expect(sent.map(({ init }) => init.method)).toEqual([row?.method]);
    expect(new URL(sent[0]?.url ?? "").pathname).toMatch(pattern);
  });
});

describe("an answer", () => {
  const whole = ROUTES.invoice.example.answer;
  const needed = ["id", "orderId", "address", "amountSompi", "paidSompi", "dueSompi", "status"];
  const fields = Object.keys(whole).filter(
    (field) => ![...needed, "createdAt", "expiresAt"].includes(field),
  );

  it.each(fields)("of a gateway without the field %s is read", async (field) => {
    const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
    const { client } = clientOf(() => jsonAnswer({ ...rest, later: { a: 1 } }));
    const invoice = await client.invoice("inv_1", { signal });
    expect(invoice.status).toBe("confirmed");
    expect(invoice.settled).toBe(field !== "settled");
    expect(invoice).not.toHaveProperty("later");
  });

  it.each(needed)("without %s is none of the API", async (field) => {
    const rest = Object.fromEntries(Object.entries(whole).filter(([name]) => name !== field));
    const { client } = clientOf(() => jsonAnswer(rest));
    expect(await rejectionCode(client.invoice("inv_1", { signal }))).toBe("gateway/bad-answer");
  });

  it("tells that the gateway is not ready, with its reasons", async () => {
    const { client } = clientOf(() => jsonAnswer(ROUTES.ready.example.answer, 503));
    expect(await client.ready({ signal })).toMatchObject({ ready: false });
  });

  it("that refuses keeps its code and data, and the id of the request", async () => {
    const body = {
      error: "A request with this idempotency key is being answered; try again in 1 s.",
      code: "gateway/in-flight",
      retryAfter: "1",
      requestId: "req_1",
    };
    const { client } = clientOf(() => jsonAnswer(body, 409));
    const error: unknown = await client.ownKey({ signal }).catch((thrown: unknown) => thrown);
    expect(SvcError.is(error, "gateway/in-flight") && error.data).toEqual({
      retryAfter: "1",
      requestId: "req_1",
    });
  });
});

clientContract({
  call: async (answer, caller, timeout) =>
    clientOf(answer, timeout).client.invoice("inv_1", { signal: caller }),
  mistyped: { ...ROUTES.invoice.example.answer, amountSompi: -1 },
  codes: "gateway",
});
