/**
 * The paywall of x402 before a seller's API, over a gateway's facilitator: the public reference client of x402 speaks to it and pays, and
 * so do clients that lie.
 */
import { x402Client, x402HTTPClient } from "@x402/core/client";
import type { PaymentPayload, PaymentRequired, PaymentRequirements } from "@x402/core/types";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { createHash } from "node:crypto";
import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DeskHost } from "@svc/node-server/gateway/testkit/deskHost.ts";
import { rawOf } from "@svc/node-server/gateway/testkit/modelPayments.ts";
import { payloadOf } from "@svc/node-server/gateway/testkit/x402Shop.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import { gatewayPaywall } from "@svc/shared/gateway/x402/paywallPort.ts";
import { x402Paywall } from "@svc/shared/gateway/x402/x402Paywall.ts";
import { GatewayClient } from "@svc/shared/protocol/gateway/gatewayClient.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";

const ORIGIN = "https://api.example";
const PRICE = 5_000_000n;
const SMALL = 1_000n;
const NETWORK = `svc:${"5a".repeat(16)}` as const;
const TOKEN = "07".repeat(32);
const HASH = createHash("sha256").update(Buffer.from(TOKEN, "hex")).digest("hex");

let host: DeskHost;
let seller: Hono;
let served: string[];
let errors: SvcError[];
/** Whether the gateway is there. */
let isAway: boolean;
/** Answers to settlements that a proxy loses. */
let lostAnswers: number;
let notes: number;
let key: string;

const gatewayFetch: typeof fetch = async (input, init) => {
  if (isAway) throw new TypeError("fetch failed");
  const url = new URL(input instanceof Request ? input.url : input);
  const response = await host.fetch(url.pathname + url.search, init);
  if (url.pathname !== "/x402/settle" || lostAnswers === 0) return response;
  lostAnswers -= 1;
  return new Response("<h1>Bad Gateway</h1>", { status: 502 });
};

beforeEach(async () => {
  host = await DeskHost.open(null, { poolLimit: 10_000_000n });
  key = await host.issueKey("seller", KEY_SCOPES);
  [served, errors, isAway, lostAnswers, notes] = [[], [], false, 0, 0];
  const parts = { baseUrl: "https://pay.example", apiKey: key, fetch: gatewayFetch };
  const port = gatewayPaywall(new GatewayClient(parts));
  seller = new Hono();
  const common = {
    port,
    session: { amountSompi: 6_000_000n, seconds: 600 },
    publicUrl: ORIGIN,
    onError: (error: SvcError) => void errors.push(error),
  };
  const report = { amountSompi: PRICE, description: "A report", mimeType: "text/plain" };
  seller.use("/report", x402Paywall({ ...common, price: () => report }));
  seller.use("/other", x402Paywall({ ...common, price: () => report }));
  seller.use("/tick", x402Paywall({ ...common, price: () => ({ amountSompi: SMALL }) }));
  seller.get("*", (c) => {
    served.push(c.req.path);
    return c.text("goods");
  });
});
afterEach(() => host.close());

/** A client whose wallet makes a payment of what it is asked for, and opens sessions with one token. */
function clientOf(over: object = {}): x402HTTPClient {
  const scheme = {
    scheme: "exact",
    createPaymentPayload: async (x402Version: number, asked: PaymentRequirements) => {
      const pays = { [asked.payTo]: asked.amount };
      notes += 1;
      const raw = rawOf({ spends: [`note ${notes}`], pays });
      return { x402Version, payload: { ...payloadOf(raw), sessionHash: HASH, ...over } };
    },
  };
  const schemes = [{ network: NETWORK, client: scheme }];
  return new x402HTTPClient(x402Client.fromConfig({ schemes, spendControls: false }));
}

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return seller.request(ORIGIN + path, { headers });
}

async function askedBy(path: string): Promise<PaymentRequired> {
  const response = await get(path);
  expect(response.status).toBe(402);
  const body: unknown = await response.json();
  return clientOf().getPaymentRequiredResponse((name) => response.headers.get(name), body);
}

async function paidFor(path: string, client = clientOf()) {
  const payment = await client.createPaymentPayload(await askedBy(path));
  return { payment, headers: client.encodePaymentSignatureHeader(payment) };
}

describe("the public client of x402", () => {
  it("is asked for a payment, pays, and has the resource and the settlement", async () => {
    const asked = await askedBy("/report");
    expect(asked).toMatchObject({
      x402Version: 2,
      resource: { url: `${ORIGIN}/report`, description: "A report", mimeType: "text/plain" },
    });
    expect(asked.accepts).toHaveLength(1);
    expect(asked.accepts[0]).toMatchObject({ amount: "5000000", network: NETWORK });
    const client = clientOf();
    const { headers } = await paidFor("/report", client);
    expect(served).toEqual([]);
    const response = await get("/report", headers);
    expect([response.status, await response.text()]).toEqual([200, "goods"]);
    const settled = client.getPaymentSettleResponse((name) => response.headers.get(name));
    expect(settled).toMatchObject({ success: true, network: NETWORK, amount: "5000000" });
    expect(host.payments.taken).toEqual([settled.transaction]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(served).toEqual(["/report"]);
  });

  it("finds a facilitator that the public server's client can ask, too", async () => {
    const { payment } = await paidFor("/report");
    const asked = payment.accepted;
    const facilitator = facilitatorClient();
    const supported = await facilitator.getSupported();
    expect(supported.kinds).toMatchObject([{ x402Version: 2, scheme: "exact", network: NETWORK }]);
    expect(await facilitator.verify(payment, asked)).toMatchObject({ isValid: true });
    const settled = await facilitator.settle(payment, asked);
    expect(settled).toMatchObject({ success: true, transaction: host.payments.taken[0] });
    const again = await facilitator.verify(payment, asked).catch((error: unknown) => error);
    expect(JSON.stringify(again)).toContain("already_used");
  });
});

/** The public client of a facilitator, which reaches the gateway by the platform's own `fetch`. */
function facilitatorClient(): HTTPFacilitatorClient {
  const headers = { Authorization: `Bearer ${key}` };
  const all = { verify: headers, settle: headers, supported: headers };
  return new HTTPFacilitatorClient({
    url: "https://pay.example/x402",
    createAuthHeaders: async () => all,
  });
}

const platformFetch = globalThis.fetch;
beforeEach(() => {
  globalThis.fetch = gatewayFetch;
});
afterEach(() => {
  globalThis.fetch = platformFetch;
});

describe("a paywall", () => {
  it("serves a payment once, however often and at whatever moment it is presented", async () => {
    const { headers } = await paidFor("/report");
    const answers = await Promise.all(Array.from({ length: 10 }, () => get("/report", headers)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 402)).toHaveLength(9);
    expect((await get("/report", headers)).status).toBe(402);
    expect(served).toEqual(["/report"]);
    expect(host.payments.taken).toHaveLength(1);
  });

  it("serves nothing for the payment of another resource, another price or another challenge", async () => {
    const { payment, headers } = await paidFor("/report");
    expect((await get("/other", headers)).status).toBe(402);
    expect((await get("/tick", headers)).status).toBe(402);
    const other = await askedBy("/report");
    const [accepted] = other.accepts;
    if (accepted === undefined) throw new Error("nothing is accepted");
    const stolen: PaymentPayload = { ...payment, accepted };
    const response = await get("/report", clientOf().encodePaymentSignatureHeader(stolen));
    expect(response.status).toBe(402);
    expect(await response.json()).toMatchObject({ error: "invalid_exact_svc_recipient" });
    expect([served, host.payments.taken]).toEqual([[], []]);
    expect((await get("/report", headers)).status).toBe(200);
  });

  it("takes the price from no client: a cheaper claim is refused", async () => {
    const asked = await askedBy("/report");
    const [accepted] = asked.accepts;
    if (accepted === undefined) throw new Error("nothing is accepted");
    const cheap = { ...asked, accepts: [{ ...accepted, amount: "1" }] };
    const payment = await clientOf().createPaymentPayload(cheap);
    const response = await get("/report", clientOf().encodePaymentSignatureHeader(payment));
    expect([response.status, served]).toEqual([402, []]);
  });

  it("serves nothing while nobody can tell whether it was paid for", async () => {
    const { headers } = await paidFor("/report");
    host.payments.fault = "lost";
    expect((await get("/report", headers)).status).toBe(503);
    host.payments.fault = "unanswered";
    const pending = await get("/report", headers);
    expect([pending.status, pending.headers.get("Retry-After")]).toEqual([503, "2"]);
    isAway = true;
    const away = await get("/report", headers);
    expect(away.status).toBe(503);
    expect(await away.text()).not.toContain("pay.example");
    expect((await get("/report")).status).toBe(503);
    expect(errors.length).toBeGreaterThan(0);
    [isAway, host.payments.fault] = [false, "none"];
    expect(served).toEqual([]);
    expect((await get("/report", headers)).status).toBe(200);
    expect(host.payments.taken).toHaveLength(1);
  });

  it("serves a payment whose settlement a proxy does not answer, once", async () => {
    const { headers } = await paidFor("/report");
    lostAnswers = 1;
    expect((await get("/report", headers)).status).toBe(200);
    expect((await get("/report", headers)).status).toBe(402);
    expect([served, errors]).toEqual([["/report"], []]);
  });

  it("serves it when it comes again after all answers were lost, once, whatever a liar says meanwhile", async () => {
    const { payment, headers } = await paidFor("/report");
    lostAnswers = 100;
    expect((await get("/report", headers)).status).toBe(503);
    expect((await get("/report", headers)).status).toBe(503);
    lostAnswers = 0;
    expect(served).toEqual([]);
    const junk = { ...payment, payload: { transactionId: "ab".repeat(32) } };
    const lie = await get("/report", clientOf().encodePaymentSignatureHeader(junk));
    expect(lie.status).toBe(402);
    const answers = await Promise.all(Array.from({ length: 10 }, () => get("/report", headers)));
    expect(answers.map(({ status }) => status).filter((status) => status === 200)).toHaveLength(1);
    expect((await get("/report", headers)).status).toBe(402);
    expect(served).toEqual(["/report"]);
    expect(host.payments.taken).toHaveLength(1);
  });

  it("serves it once when requests at the same moment all went without an answer", async () => {
    const { headers } = await paidFor("/report");
    lostAnswers = 15;
    const lost = await Promise.all(Array.from({ length: 5 }, () => get("/report", headers)));
    expect(lost.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect((await get("/report", headers)).status).toBe(200);
    expect((await get("/report", headers)).status).toBe(402);
    expect(served).toEqual(["/report"]);
  });

  it("answers 400 to headers that cannot be read, and hangs on none", async () => {
    const junk = ["", "x", "e30=", btoa("[]"), btoa('{"x402Version":2}'), "A".repeat(300_000)];
    for (const header of junk) {
      expect((await get("/report", { "PAYMENT-SIGNATURE": header })).status).toBe(400);
    }
    for (const token of ["", "x", "07", TOKEN.toUpperCase().replace("0", "g")]) {
      expect((await get("/tick", { "PAYMENT-SESSION": token })).status).toBe(400);
    }
    expect(served).toEqual([]);
  });
});

describe("a price below the smallest fee", () => {
  it("is paid from a session, which one payment opens", async () => {
    const asked = await askedBy("/tick");
    expect(asked.accepts[0]).toMatchObject({ amount: "6000000", extra: { sessionSeconds: 600 } });
    expect(asked.extensions?.["prepaid-session"]).toMatchObject({
      info: { priceSompi: "1000", amountSompi: "6000000", seconds: 600 },
    });
    const { headers } = await paidFor("/tick");
    const first = await get("/tick", headers);
    expect([first.status, first.headers.get("PAYMENT-SESSION-BALANCE")]).toEqual([200, "5999000"]);
    const next = await get("/tick", { "PAYMENT-SESSION": TOKEN });
    expect([next.status, next.headers.get("PAYMENT-SESSION-BALANCE")]).toEqual([200, "5998000"]);
    expect((await get("/tick", { "PAYMENT-SESSION": "08".repeat(32) })).status).toBe(402);
    expect(served).toEqual(["/tick", "/tick"]);
  });

  it("without the hash of a token opens none", async () => {
    const { headers } = await paidFor("/tick", clientOf({ sessionHash: undefined }));
    expect((await get("/tick", headers)).status).toBe(402);
    expect(host.payments.taken).toEqual([]);
  });

  it("is asked for again when the session is empty or over", async () => {
    const { headers } = await paidFor("/tick");
    await get("/tick", headers);
    const session = { "PAYMENT-SESSION": TOKEN };
    const dear = Array.from({ length: 2 }, () => get("/report", session));
    const statuses = (await Promise.all(dear)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 402]));
    await host.pass(600_000n);
    const over = await get("/tick", session);
    expect(await over.json()).toMatchObject({ error: "session_expired" });
  });
});
