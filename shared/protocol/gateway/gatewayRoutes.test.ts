/** The table of the gateway API: its examples, its records, and what it refuses. */
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { jsonText } from "../../base/jsonText.ts";
import { parseExactJson } from "../contract/numberText.ts";
import { queryRecord } from "../contract/queryRecord.ts";
import { wireFault } from "../contract/wireFault.ts";
import { CONFIRMED_INVOICE, EXAMPLE_CHECKOUT, NEW_INVOICE } from "./exampleRecords.ts";
import { GATEWAY_ROUTES, type GatewayRouteName } from "./gatewayRoutes.ts";
import { invoice } from "./invoiceRecord.ts";
import { EXAMPLE_EVENT, webhookEvent } from "./webhookEvent.ts";

const names = Object.keys(GATEWAY_ROUTES).filter(
  (name): name is GatewayRouteName => name in GATEWAY_ROUTES,
);

/** The JSON of a value as it is on the wire. */
function onWire(value: unknown): unknown {
  return parseExactJson(jsonText(value));
}

/** What a schema makes of a value on the wire, or the code and field of its refusal. */
function read(schema: v.GenericSchema, value: unknown): unknown {
  const result = v.safeParse(schema, onWire(value));
  if (result.success) return result.output;
  const { code, data } = wireFault(result.issues, "body");
  return `${code} ${data["field"]}`;
}

function queried(name: GatewayRouteName, search: string): unknown {
  const record = queryRecord(new URLSearchParams(search));
  const result = v.safeParse(GATEWAY_ROUTES[name].query, record);
  if (result.success) return result.output;
  const { code, data } = wireFault(result.issues, "query");
  return `${code} ${data["field"]}`;
}

describe("each row", () => {
  it("has a path and method of its own", () => {
    const places = names.map(
      (name) => `${GATEWAY_ROUTES[name].method} ${GATEWAY_ROUTES[name].path}`,
    );
    expect(new Set(places).size).toBe(names.length);
  });

  it.each(names)("%s: its example is what its schemas take", (name) => {
    const row = GATEWAY_ROUTES[name];
    const { example } = row;
    expect(v.safeParse(row.answer, onWire(example.answer)).issues).toBeUndefined();
    const body = "body" in example ? onWire(example.body) : undefined;
    expect(v.safeParse(row.body, body).issues).toBeUndefined();
    const at = new URL("path" in example ? example.path : row.path, "http://localhost");
    const query = queryRecord(at.searchParams);
    expect(v.safeParse(row.query, query).issues).toBeUndefined();
    const pattern = new RegExp(`^${row.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    const params = pattern.exec(at.pathname);
    expect(params).not.toBeNull();
    expect(v.safeParse(row.params, { ...params?.groups }).success).toBe(true);
    expect(row.about).toMatch(/^[A-Z].*[.]$/);
  });

  it.each(names)("%s: its example has every field of its answer, and no other", (name) => {
    const { answer, example } = GATEWAY_ROUTES[name];
    if (!("entries" in answer)) return;
    expect(Object.keys(example.answer)).toEqual(Object.keys(answer.entries));
  });

  it("is opened by a key with a scope, or by none where the payer asks", () => {
    for (const name of names) {
      const { credential, scope, path } = GATEWAY_ROUTES[name];
      const isPublic =
        /^\/(?:health|api\/v1\/(?:checkout|claims)|x402\/(?:payments|supported))(?:\/|$)/.test(
          path,
        );
      const ofTill = name === "signIn" ? "password" : "till";
      const opener = path.startsWith("/pos/") ? ofTill : "key";
      expect([name, credential]).toEqual([name, isPublic ? "none" : opener]);
      if (opener !== "key" || isPublic) expect(scope).toBe("any");
    }
  });

  it("takes a key where it makes something", () => {
    const making = names.filter((name) => "status" in GATEWAY_ROUTES[name]);
    expect(making).toEqual([
      "createInvoice",
      "createRefund",
      "createWebhook",
      "createChallenge",
      "createSale",
    ]);
    for (const name of making) expect(GATEWAY_ROUTES[name].takesKey).toBe(true);
  });
});

describe("an invoice", () => {
  const NEEDED = [
    "id",
    "orderId",
    "address",
    "amountSompi",
    "paidSompi",
    "dueSompi",
    "status",
    "createdAt",
    "expiresAt",
  ];

  it.each(Object.keys(CONFIRMED_INVOICE))("without %s promises nothing", (key) => {
    const rest = Object.fromEntries(
      Object.entries(CONFIRMED_INVOICE).filter(([name]) => name !== key),
    );
    const output = read(invoice, { ...rest, later: [1] });
    if (NEEDED.includes(key)) {
      expect(output).toBe(`api/missing-field ${key}`);
      return;
    }
    expect(output).not.toHaveProperty("later");
    const value: unknown = Reflect.get(Object(output), key);
    expect([false, 0, 0n, "", null, "[]", "{}"]).toContain(
      typeof value === "object" && value !== null ? JSON.stringify(value) : value,
    );
  });

  it("has money as decimal text and is read as a whole number", () => {
    expect(read(invoice, NEW_INVOICE)).toMatchObject({ amountSompi: 250_000_000n });
    expect(read(invoice, { ...NEW_INVOICE, amountSompi: 250_000_000 })).toBe(
      "api/wrong-type amountSompi",
    );
    expect(read(invoice, { ...NEW_INVOICE, status: "paid_late" })).toBe("api/wrong-type status");
  });

  it.each([NEW_INVOICE, CONFIRMED_INVOICE])("of an example adds up: $status", (example) => {
    const [amount, paid, due] = [example.amountSompi, example.paidSompi, example.dueSompi].map(
      BigInt,
    );
    expect(due).toBe((amount ?? 0n) - (paid ?? 0n));
    const sum = example.payments.reduce((all, one) => all + BigInt(one.amountSompi), 0n);
    expect(sum).toBe(paid);
  });
});

describe("a checkout", () => {
  it("never has the order, the metadata or a transaction", () => {
    const open = Object.keys(GATEWAY_ROUTES.checkout.answer.entries);
    for (const secret of ["orderId", "metadata", "payments", "txid", "marked"]) {
      expect(open).not.toContain(secret);
    }
    const text = JSON.stringify(EXAMPLE_CHECKOUT);
    expect(text).not.toContain(CONFIRMED_INVOICE.orderId);
    expect(text).not.toContain(CONFIRMED_INVOICE.payments[0].txid);
  });
});

describe("a question for invoices", () => {
  it("takes repeated words, times and a page", () => {
    expect(queried("invoices", "")).toEqual({
      orderId: [],
      status: [],
      from: undefined,
      to: undefined,
      archived: false,
      limit: 50,
    });
    const all =
      "orderId=1&orderId=2&status=paidLate&text=a%20b&from=0&to=1785100000&archived=1&cursor=Zg.1&limit=7";
    expect(queried("invoices", all)).toEqual({
      orderId: ["1", "2"],
      status: ["paidLate"],
      text: "a b",
      from: 0,
      to: 1_785_100_000,
      archived: true,
      cursor: "Zg.1",
      limit: 7,
    });
  });

  it("gets no more rows than the most, and at least one", () => {
    expect(queried("invoices", "limit=250")).toMatchObject({ limit: 250 });
    expect(queried("invoices", "limit=251")).toMatchObject({ limit: 250 });
    expect(queried("invoices", "limit=0")).toMatchObject({ limit: 1 });
  });

  it("is refused by the field", () => {
    const words = (count: number) => "status=new&".repeat(count);
    expect(queried("invoices", words(50))).toMatchObject({ limit: 50 });
    for (const [search, field] of [
      [words(51), "status"],
      ["status=paid_late", "status"],
      ["status=", "status"],
      [`orderId=${"x".repeat(257)}`, "orderId"],
      ["text=", "text"],
      [`text=${"x".repeat(129)}`, "text"],
      ["from=-1", "from"],
      ["from=1.5", "from"],
      ["to=1e9", "to"],
      ["to=1234567890123", "to"],
      ["cursor=", "cursor"],
      [`cursor=${"x".repeat(129)}`, "cursor"],
      ["cursor=%00", "cursor"],
      ["limit=x", "limit"],
      ["limit=-1", "limit"],
    ]) {
      expect(queried("invoices", search ?? ""), search).toBe(`api/bad-field ${field}`);
    }
    expect(queried("invoices", "limit=1&limit=2")).toBe("api/wrong-type limit");
    expect(queried("refunds", "state=claimed&state=sent")).toMatchObject({
      state: ["claimed", "sent"],
    });
    expect(queried("refunds", "state=paid")).toBe("api/bad-field state");
  });
});

describe("a body", () => {
  const body = (name: GatewayRouteName, value: unknown) => read(GATEWAY_ROUTES[name].body, value);

  it("that marks an invoice has a state and a reason of 1 to 500 characters", () => {
    for (const reason of ["x", "x".repeat(500)]) {
      expect(body("markInvoice", { as: "invalid", reason })).toEqual({ as: "invalid", reason });
    }
    for (const reason of ["", "x".repeat(501), "a\u0000"]) {
      expect(body("markInvoice", { as: "invalid", reason })).toBe("api/bad-field reason");
    }
    expect(body("markInvoice", { as: "paid", reason: "x" })).toBe("api/wrong-type as");
    expect(body("markInvoice", { as: "settled" })).toBe("api/missing-field reason");
  });

  it("of a refund has an amount of its own for a custom one alone", () => {
    expect(body("createRefund", { amount: "all" })).toEqual({ amount: "all" });
    expect(body("createRefund", { amount: "custom", amountSompi: "1" })).toMatchObject({
      amountSompi: 1n,
    });
    for (const sent of [{ amount: "custom" }, { amount: "all", amountSompi: "1" }]) {
      expect(body("createRefund", sent)).toBe("api/bad-field amountSompi");
    }
    expect(body("createRefund", { amount: "custom", amountSompi: "0" })).toBe(
      "api/bad-field amountSompi",
    );
    expect(body("createRefund", { amount: "half" })).toBe("api/wrong-type amount");
  });

  it("of a webhook has a URL and knows its events", () => {
    const url = "https://shop.example.com/hook";
    expect(body("createWebhook", { url })).toEqual({ url });
    expect(body("createWebhook", { url, events: ["*"] })).toEqual({ url, events: ["*"] });
    expect(body("createWebhook", { url, events: [] })).toBe("api/bad-field events");
    expect(body("createWebhook", { url, events: ["invoice.lost"] })).toBe(
      "api/wrong-type events[0]",
    );
    const many = (count: number) => Array.from({ length: count }, () => "invoice.paid");
    expect(body("createWebhook", { url, events: many(32) })).toMatchObject({ url });
    expect(body("createWebhook", { url, events: many(33) })).toBe("api/bad-field events");
    expect(body("createWebhook", { url: "ftp://shop.example.com" })).toBe("api/bad-field url");
    expect(body("createWebhook", {})).toBe("api/missing-field url");
  });

  it("that rotates a secret waits for a week at most", () => {
    expect(body("rotateSecret", { switchIn: 604_800 })).toEqual({ switchIn: 604_800 });
    expect(body("rotateSecret", { switchIn: 604_801 })).toBe("api/bad-field switchIn");
    expect(v.parse(GATEWAY_ROUTES.rotateSecret.body, undefined)).toEqual({});
  });

  it("may be left out where nothing of it is needed", () => {
    expect(v.parse(GATEWAY_ROUTES.extendInvoice.body, undefined)).toEqual({});
    expect(body("extendInvoice", { expiresIn: 59 })).toBe("api/bad-field expiresIn");
  });
});

describe("an event", () => {
  it("says its type twice, and has the invoice twice", () => {
    const output = v.parse(webhookEvent, onWire(EXAMPLE_EVENT));
    expect(output.type).toBe(output.eventType);
    expect(output.data.invoice).toEqual(output.invoice);
    expect(output.invoice).toEqual(v.parse(invoice, onWire(CONFIRMED_INVOICE)));
  });

  it("of a type that nobody knows is read", () => {
    const event = { id: "evt_1", type: "invoice.later", createdAt: 1, later: true };
    expect(v.parse(webhookEvent, onWire(event))).toEqual({
      id: "evt_1",
      type: "invoice.later",
      eventType: "",
      createdAt: 1,
      apiVersion: "v1",
      invoice: null,
      data: { invoice: null },
      previousStatus: null,
      received: null,
      settled: [],
      marking: false,
    });
  });
});
