/** Contract of tills: who may sign in, what the cookie opens and what it does not, sales and the day's close. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { readCsv } from "@svc/shared/base/csv.ts";
import { MERCHANT_LIMITS } from "@svc/shared/protocol/merchantLimits.ts";
import { GatewayCaller, payment } from "./gatewayCaller.ts";
import type { GatewayHost } from "./gatewayHost.ts";
import { refusalOf, TillCaller, type TillLogin } from "./tillCaller.ts";

/** A gateway to which tills can be added. */
export type TillContractHost = GatewayHost & {
  addTill(merchant: string, name: string, password: string): Promise<void>;
  /** Gives it another password; null removes it. */
  changeTill(name: string, password: string | null): Promise<void>;
};

const COUNTER: TillLogin = { till: "counter", password: "correct horse battery" };
const TERRACE: TillLogin = { till: "terrace", password: "staple of the terrace" };
const NO_SESSION = [401, "gateway/no-session"];
const FOREIGN = [403, "http/foreign-origin"];
/** Characters that no record of a till may have more of. */
const BOUNDS = { records: 100, fields: 20, chars: 200 };

type Scene = { readonly host: TillContractHost; readonly counter: TillCaller };

/** Runs the suite over the hosts that `make` makes; their coin costs eight euros. */
export function tillContract(name: string, make: () => Promise<TillContractHost>): void {
  describe(`tills of ${name}`, () => {
    const of = sceneOf(make);
    signingIn(of);
    knownDevices(of);
    endedSessions(of);
    forgedSessions(of);
    foreignPages(of);
    sales(of);
    boundedSales(of);
    otherTills(of);
    days(of);
    tillPages(of);
  });
}

function sceneOf(make: () => Promise<TillContractHost>): Scene {
  let host: TillContractHost;
  let counter: TillCaller;
  beforeEach(async () => {
    host = await make();
    await host.addTill("shop", COUNTER.till, COUNTER.password);
    counter = new TillCaller(host);
    expect((await counter.signIn(COUNTER)).status).toBe(200);
  });
  afterEach(() => host.close());
  return {
    get host() {
      return host;
    },
    get counter() {
      return counter;
    },
  };
}

function signingIn(of: Scene): void {
  it("signs in by a cookie that no script reads, which goes to no other site and over https alone", async () => {
    const answer = await new TillCaller(of.host).signIn(COUNTER);
    expect(await answer.json()).toMatchObject({
      name: "counter",
      storeName: "The shop",
      currency: "EUR",
      timeZone: "Europe/Berlin",
      rate: { rate: "8.00", source: "operator", stale: false },
    });
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const [session, device] = answer.headers.getSetCookie();
    expect(session).toMatch(
      /^__Host-svc-till=[0-9a-f]{64}; Max-Age=57600; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect(device).toMatch(
      /^__Host-svc-till-device=[0-9a-f]{64}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
    );
  });

  it("answers a wrong password and a till that does not exist alike", async () => {
    const stranger = new TillCaller(of.host);
    const answers = await Promise.all(
      [
        { ...COUNTER, password: "correct horse batterz" },
        { ...COUNTER, till: "nobody" },
      ].map((login) => stranger.signIn(login)),
    );
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    const [one, two] = bodies.map((body) => body.replace(/req_\w+/, ""));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(one).toBe(two);
    expect(one).toContain("gateway/bad-sign-in");
    expect(stranger.cookie).toBeNull();
  });

  it("lets nobody try on and on, from one host or many", async () => {
    const stranger = new TillCaller(of.host);
    const tries = MERCHANT_LIMITS.tillSignInsPerMinute;
    const codes: unknown[] = [];
    for (let count = 0; count <= tries; count += 1) {
      codes.push((await refusalOf(await stranger.signIn({ till: `t${count}`, password: "x" })))[1]);
    }
    expect(codes.slice(-2)).toEqual(["http/too-many-requests", "http/too-many-requests"]);
    // The right password has to wait as well.
    expect((await stranger.signIn(COUNTER)).status).toBe(429);
    await of.host.pass(60_000n);
    expect((await stranger.signIn(COUNTER)).status).toBe(200);
  });
}

function knownDevices(of: Scene): void {
  it("keeps a share of tries for a device that signed in before, whatever strangers try by the name of its till", async () => {
    const { host, counter } = of;
    const tries = MERCHANT_LIMITS.tillSignInsPerMinute;
    const stranger = new TillCaller(host);
    for (let count = 0; count <= tries; count += 1) {
      await stranger.signIn({ ...COUNTER, password: "a wrong password" });
    }
    expect((await stranger.signIn(COUNTER)).status).toBe(429);
    counter.cookie = null;
    expect((await counter.signIn(COUNTER)).status).toBe(200);
    // It is bounded as well, and by its own number.
    const wrong = { ...COUNTER, password: "a wrong password" };
    for (let count = 1; count < tries; count += 1) {
      expect((await counter.signIn(wrong)).status).toBe(401);
    }
    expect((await counter.signIn(COUNTER)).status).toBe(429);
    await host.pass(60_000n);
    expect((await counter.signIn(COUNTER)).status).toBe(200);
  });

  it("gives no right by it, and no share of another till or by a made-up one", async () => {
    const { host, counter } = of;
    counter.cookie = null;
    expect(await counter.refusal("GET", "/pos/v1/session")).toEqual(NO_SESSION);
    expect(await counter.refusal("POST", "/pos/v1/sales", { amountSompi: "1" })).toEqual(
      NO_SESSION,
    );
    const asSession = new TillCaller(host);
    asSession.cookie = counter.device?.replace("-device", "") ?? "";
    expect(await asSession.refusal("GET", "/pos/v1/session")).toEqual(NO_SESSION);
    await host.addTill("shop", TERRACE.till, TERRACE.password);
    const stranger = new TillCaller(host);
    for (let count = 0; count <= MERCHANT_LIMITS.tillSignInsPerMinute; count += 1) {
      await stranger.signIn({ ...TERRACE, password: "a wrong password" });
    }
    // The device of one till is a stranger at another one.
    expect((await counter.signIn(TERRACE)).status).toBe(429);
    stranger.device = `__Host-svc-till-device=${"0".repeat(64)}`;
    expect((await stranger.signIn(TERRACE)).status).toBe(429);
  });

  it("knows a device for a year, and gives it another cookie once half of that is over", async () => {
    const { host, counter } = of;
    const first = counter.device;
    await counter.signIn(COUNTER);
    expect(counter.device).toBe(first);
    await host.pass((BigInt(MERCHANT_LIMITS.tillDeviceSeconds) * 1_000n) / 2n);
    await counter.signIn(COUNTER);
    expect(counter.device).not.toBe(first);
  });
}

function endedSessions(of: Scene): void {
  it("ends a session when it is signed out, when its time is over, and with another password", async () => {
    const { host, counter } = of;
    const signedOut = counter.cookie;
    const out = await counter.ask("DELETE", "/pos/v1/session");
    expect([out.status, out.headers.get("set-cookie")?.includes("Max-Age=0")]).toEqual([200, true]);
    counter.cookie = signedOut;
    expect(await counter.refusal("GET", "/pos/v1/session")).toEqual(NO_SESSION);

    await counter.signIn(COUNTER);
    await host.changeTill("counter", "another password");
    expect(await counter.refusal("GET", "/pos/v1/session")).toEqual(NO_SESSION);
    expect((await counter.signIn(COUNTER)).status).toBe(401);

    const renewed = { till: "counter", password: "another password" };
    expect((await counter.signIn(renewed)).status).toBe(200);
    await host.pass(BigInt(MERCHANT_LIMITS.tillSessionSeconds) * 1_000n - 1n);
    expect((await counter.ask("GET", "/pos/v1/session")).status).toBe(200);
    await host.pass(1n);
    expect(await counter.refusal("GET", "/pos/v1/session")).toEqual(NO_SESSION);

    await counter.signIn(renewed);
    await host.changeTill("counter", null);
    expect(await counter.refusal("POST", "/pos/v1/sales", { amountSompi: "1" })).toEqual(
      NO_SESSION,
    );
  });
}

function forgedSessions(of: Scene): void {
  it("takes no forged cookie, and no API key in its place", async () => {
    const forger = new TillCaller(of.host);
    const good = of.counter.cookie ?? "";
    for (const cookie of [
      null,
      "__Host-svc-till=",
      `__Host-svc-till=${"0".repeat(64)}`,
      `${good.slice(0, -1)}${good.endsWith("0") ? "1" : "0"}`,
      good.replace("__Host-", ""),
      `${good}00`,
    ]) {
      forger.cookie = cookie;
      expect(await forger.refusal("GET", "/pos/v1/session"), String(cookie)).toEqual(NO_SESSION);
      expect(await forger.refusal("POST", "/pos/v1/sales", { amountSompi: "1" })).toEqual(
        NO_SESSION,
      );
    }
    const key = await of.host.issueKey("shop", KEY_SCOPES);
    const shop = new GatewayCaller(of.host, key);
    expect((await shop.ask("GET", "/pos/v1/close")).status).toBe(401);
  });
}

function foreignPages(of: Scene): void {
  it("does nothing for a page of another origin, whatever cookie comes with it", async () => {
    const { counter } = of;
    for (const headers of [
      { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
      { Origin: "https://other.pay.example", "Sec-Fetch-Site": "same-site" },
      { Origin: "null", "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "cross-site" },
    ]) {
      const sold = await counter.refusal("POST", "/pos/v1/sales", { amountSompi: "1" }, headers);
      expect(sold, JSON.stringify(headers)).toEqual(FOREIGN);
      expect(await counter.refusal("GET", "/pos/v1/close", undefined, headers)).toEqual(FOREIGN);
      expect(await refusalOf(await counter.signIn(COUNTER, headers))).toEqual(FOREIGN);
      const page = await counter.ask("GET", "/pos/close", undefined, headers);
      expect([page.status, page.headers.get("location")]).toEqual([303, "/pos"]);
    }
    const own = { Origin: "null", "Sec-Fetch-Site": "same-origin" };
    expect((await counter.ask("GET", "/pos/v1/close", undefined, own)).status).toBe(200);
    // A form of another page cannot send JSON.
    const form = await of.host.fetch("/pos/v1/sales", {
      method: "POST",
      headers: { Cookie: counter.cookie ?? "", "Content-Type": "text/plain" },
      body: JSON.stringify({ amountSompi: "1" }),
    });
    expect(form.status).toBe(415);
  });

  it("opens nothing beside the till's own rows", async () => {
    const { id } = await of.counter.sell({ amountSompi: "1000" });
    for (const [method, path] of [
      ["GET", "/api/v1/invoices"],
      ["GET", `/api/v1/invoices/${id}`],
      ["POST", "/api/v1/invoices"],
      ["PATCH", `/api/v1/invoices/${id}`],
      ["POST", `/api/v1/invoices/${id}/refunds`],
      ["GET", "/api/v1/webhooks"],
      ["GET", "/api/v1/refunds"],
      ["GET", "/api/v1/key"],
      ["GET", "/api/v1/rates"],
    ] as const) {
      const answer = await of.counter.ask(method, path, method === "GET" ? undefined : {});
      expect(answer.status, `${method} ${path}`).toBe(401);
    }
  });
}

function sales(of: Scene): void {
  it("begins sales in coins, with a tip, whose order and metadata it does not choose", async () => {
    const terms = { amountSompi: "1000", tipSompi: "100", orderId: "mine", metadata: { a: "b" } };
    const made = await of.counter.sell(terms);
    expect(made).toMatchObject({ status: "new", amountSompi: 1_100n, tipSompi: 100n, price: null });
    const shop = new GatewayCaller(of.host, await of.host.issueKey("shop", KEY_SCOPES));
    expect(await shop.invoice(made.id)).toMatchObject({
      orderId: "pos/counter/2026-07-26",
      amountSompi: 1_100n,
      metadata: { till: "counter", tipSompi: "100" },
    });
  });

  it("begins sales in its currency, at the gateway's price, which it shows with source and time", async () => {
    const price = { currency: "EUR", value: "20.00", tip: "2.5" };
    const made = await of.counter.sell({ price });
    expect(made).toMatchObject({ amountSompi: 281_250_000n, tipSompi: 31_250_000n });
    expect(made.price).toEqual({
      ...{ currency: "EUR", value: "22.50", tip: "2.5", rate: "8.00", source: "operator" },
      time: made.createdAt,
    });
  });

  it("refuses amounts that are none, and currencies that are not its own", async () => {
    for (const terms of [
      {},
      { amountSompi: "0" },
      { amountSompi: "1.5" },
      { amountSompi: "9223372036854775807", tipSompi: "1" },
      { amountSompi: "1", price: { currency: "EUR", value: "1" } },
      { tipSompi: "1", price: { currency: "EUR", value: "1" } },
      { price: { currency: "USD", value: "1" } },
      { price: { currency: "EUR", value: "-1" } },
      { price: { currency: "EUR", value: "1", tip: "1e9" } },
      { price: { currency: "EUR", value: "1.123456789" } },
    ]) {
      const [status] = await of.counter.refusal("POST", "/pos/v1/sales", terms);
      expect(status, JSON.stringify(terms)).toBe(400);
    }
    expect((await closeOf(of.counter)).sales).toEqual([]);
  });
}

function boundedSales(of: Scene): void {
  it("begins one sale for one key, and meets no key of its merchant", async () => {
    const headers = { "Idempotency-Key": "order-4711" };
    const [one, two] = [
      await of.counter.sell({ amountSompi: "5" }, headers),
      await of.counter.sell({ amountSompi: "5" }, headers),
    ];
    expect(one.id).toBe(two.id);
    const again = await of.counter.refusal("POST", "/pos/v1/sales", { amountSompi: "6" }, headers);
    expect(again).toEqual([409, "gateway/idempotency-conflict"]);
    const shop = new GatewayCaller(of.host, await of.host.issueKey("shop", KEY_SCOPES));
    expect((await shop.create({}, headers)).id).not.toBe(one.id);
  });

  it("may begin so many in a minute", async () => {
    const most = MERCHANT_LIMITS.tillSalesPerMinute;
    for (let count = 0; count < most; count += 1) await of.counter.sell({ amountSompi: "1" });
    const over = await of.counter.refusal("POST", "/pos/v1/sales", { amountSompi: "1" });
    expect(over).toEqual([429, "http/too-many-requests"]);
    await of.host.addTill("shop", TERRACE.till, TERRACE.password);
    const terrace = new TillCaller(of.host);
    await terrace.signIn(TERRACE);
    await terrace.sell({ amountSompi: "1" });
  });
}

type Close = { readonly sales: readonly { readonly id: string }[]; readonly day: string };

async function closeOf(till: TillCaller, query = ""): Promise<Close> {
  return (await till.ask("GET", `/pos/v1/close${query}`)).json();
}

function otherTills(of: Scene): void {
  it("reads its own sales alone: none of another till, merchant or shop system", async () => {
    await of.host.addTill("shop", TERRACE.till, TERRACE.password);
    await of.host.addTill("elsewhere", "count", "password of elsewhere");
    const [terrace, elsewhere] = [new TillCaller(of.host), new TillCaller(of.host)];
    await terrace.signIn(TERRACE);
    await elsewhere.signIn({ till: "count", password: "password of elsewhere" });
    const own = await of.counter.sell({ amountSompi: "1" });
    const theirs = await terrace.sell({ amountSompi: "2" });
    await elsewhere.sell({ amountSompi: "3" });
    const shop = new GatewayCaller(of.host, await of.host.issueKey("shop", KEY_SCOPES));
    await shop.create({ metadata: { till: "counter" } });
    expect((await closeOf(of.counter)).sales.map(({ id }) => id)).toEqual([own.id]);
    expect((await closeOf(terrace)).sales.map(({ id }) => id)).toEqual([theirs.id]);
    const csv = await (await terrace.ask("GET", "/pos/v1/close.csv")).text();
    expect([csv.includes(theirs.id), csv.includes(own.id)]).toEqual([true, false]);
  });
}

function days(of: Scene): void {
  it("closes the day with totals by state, tips apart, as JSON and as CSV", async () => {
    const { host, counter } = of;
    const price = { currency: "EUR", value: "8.00", tip: "0.80" };
    const paid = await counter.sell({ price });
    const open = await counter.sell({ amountSompi: "500" });
    await host.tell([await payment(host, paid.id, 110_000_000n, 2_001n)], 2_011n);
    const close = await (await counter.ask("GET", "/pos/v1/close")).json();
    expect(close).toMatchObject({
      ...{ till: "counter", day: "2026-07-26", timeZone: "Europe/Berlin", complete: true },
      totals: [
        { status: "new", count: 1, amountSompi: "500", tipSompi: "0", paidSompi: "0", prices: [] },
        {
          ...{ status: "confirmed", count: 1, amountSompi: "110000000", tipSompi: "10000000" },
          ...{ paidSompi: "110000000", prices: [{ currency: "EUR", value: "8.80", tip: "0.80" }] },
        },
      ],
    });
    const answer = await counter.ask("GET", "/pos/v1/close.csv?day=2026-07-26");
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toBe("attachment");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const text = await answer.text();
    expect(text.endsWith("\r\n")).toBe(true);
    const [head, ...lines] = readCsv(text, BOUNDS).map(({ fields }) => fields);
    const line = (number: number) =>
      Object.fromEntries((head ?? []).map((name, at) => [name, lines[number]?.[at]]));
    expect(lines).toHaveLength(2);
    const at = "2026-07-26T23:06:40+02:00";
    expect([line(0), line(1)].find(({ sale }) => sale === paid.id)).toEqual({
      ...{ time: at, time_zone: "Europe/Berlin", till: "counter", sale: paid.id },
      ...{ state: "confirmed", currency: "EUR", price: "8.80", tip: "0.80", rate: "8.00" },
      ...{ rate_source: "operator", rate_time: at, amount_coins: "1.1", tip_coins: "0.1" },
      ...{ paid_coins: "1.1", overpaid_coins: "0" },
    });
    expect([line(0), line(1)].find(({ sale }) => sale === open.id)).toMatchObject({
      ...{ state: "new", currency: "", price: "", amount_coins: "0.000005", tip_coins: "0" },
    });
  });

  it("begins a day by the clock of its time zone, and shows the day before, too, and no other", async () => {
    const { host, counter } = of;
    const late = await counter.sell({ amountSompi: "1" });
    // In Berlin it is 23:06:40; at UTC the day goes on.
    await host.pass(3_600_000n);
    const early = await counter.sell({ amountSompi: "2" });
    const today = await closeOf(counter);
    expect([today.day, today.sales.map(({ id }) => id)]).toEqual(["2026-07-27", [early.id]]);
    const before = await closeOf(counter, "?day=2026-07-26");
    expect(before.sales.map(({ id }) => id)).toEqual([late.id]);
    for (const day of ["2026-07-25", "2026-07-28", "2026-02-31", "x", ""]) {
      const refused = await counter.refusal("GET", `/pos/v1/close?day=${day}`);
      expect(refused, day).toEqual([400, "api/bad-field"]);
    }
  });
}

function tillPages(of: Scene): void {
  it("shows a stranger where to sign in, and nothing of a till", async () => {
    const stranger = new TillCaller(of.host);
    const page = await stranger.ask("GET", "/pos", undefined, { "Accept-Language": "de" });
    const text = await page.text();
    expect(text).toContain("An der Kasse anmelden");
    expect(text).not.toContain("The shop");
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; script-src 'nonce-[0-9a-f]{32}'; style-src 'nonce-[0-9a-f]{32}'; img-src data: 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; worker-src 'self'$/,
    );
    const close = await stranger.ask("GET", "/pos/close");
    expect([close.status, close.headers.get("location")]).toEqual([303, "/pos"]);
    const own = await (await of.counter.ask("GET", "/pos")).text();
    expect(own).toContain("The shop");
    expect(own).toContain("Day’s close");
    expect((await of.counter.ask("GET", "/pos/close?day=1999-01-01")).status).toBe(400);
  });

  it("can be installed by what it says of itself", async () => {
    const stranger = new TillCaller(of.host);
    const manifest = await stranger.ask("GET", "/pos/manifest.webmanifest");
    expect(await manifest.json()).toMatchObject({
      ...{ id: "/pos", start_url: "/pos", scope: "/pos", display: "standalone", name: "Till" },
    });
    expect((await stranger.ask("GET", "/pos/icon.svg")).headers.get("content-type")).toBe(
      "image/svg+xml",
    );
    const offline = await (await of.counter.ask("GET", "/pos/offline")).text();
    expect(offline).toContain("No connection");
    expect(offline).not.toContain("The shop");
  });
}
