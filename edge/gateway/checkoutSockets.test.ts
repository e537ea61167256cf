/** The WebSocket of a checkout at the edge: what it sends, what it refuses, and that it outlives its object's stay in memory. */
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as v from "valibot";
import { asInvoiceId } from "@svc/shared/base/brand.ts";
import { checkoutRecord } from "@svc/shared/protocol/gateway/checkoutRecord.ts";
import { KEY_SCOPES } from "@svc/shared/protocol/gateway/route.ts";
import { GatewayCaller, payment } from "../../tests/gateway/gatewayCaller.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";
import { EdgeHost } from "../testkit/edgeHost.ts";

const UNKNOWN = `inv_${"0".repeat(32)}`;
const SECOND_MS = 1_000n;

let host: EdgeHost;
let shop: GatewayCaller;
beforeEach(async () => {
  host = await EdgeHost.open();
  shop = new GatewayCaller(host, await host.issueKey("shop", KEY_SCOPES));
});
afterEach(() => host.close());

const pathOf = (id: string) => `/api/v1/checkout/${id}/ws`;
const stubOf = (id: string) => env.INVOICES.getByName(asInvoiceId(id));
const asked = (id: string, headers: Record<string, string> = {}) =>
  host.fetch(pathOf(id), { headers: { Upgrade: "websocket", ...headers } });

/** A page that looks at an invoice, from a host of its own. */
class Page {
  readonly closed: Promise<number>;
  readonly #socket: WebSocket;
  readonly #came: string[] = [];
  #taken = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.accept();
    socket.addEventListener("message", ({ data }) => {
      this.#came.push(String(data));
    });
    this.closed = new Promise((resolve) => {
      socket.addEventListener("close", ({ code }) => resolve(code));
    });
  }

  static async open(id: string, from = "192.0.2.1"): Promise<Page> {
    const answer = await asked(id, { "CF-Connecting-IP": from });
    if (answer.webSocket === null) throw new Error(`no socket: ${answer.status}`);
    return new Page(answer.webSocket);
  }

  /** The next record. */
  async next() {
    await expect.poll(() => this.#came.length).toBeGreaterThan(this.#taken);
    this.#taken += 1;
    return v.parse(checkoutRecord, JSON.parse(this.#came[this.#taken - 1] ?? ""));
  }

  /** Records that nobody has taken. */
  get left(): number {
    return this.#came.length - this.#taken;
  }

  say(message: string | ArrayBuffer): void {
    this.#socket.send(message);
  }

  close(): void {
    this.#socket.close();
  }
}

describe("the WebSocket of a checkout", () => {
  it("sends the record when it opens, then each change and each confirmation, and nothing twice", async () => {
    const { id } = await shop.create();
    const page = await Page.open(id);
    expect(await page.next()).toMatchObject({ id, status: "new", paidSompi: 0n });
    await host.tell([await payment(host, id, 400n, 101n)], 101n);
    expect(await page.next()).toMatchObject({ status: "partial", paidSompi: 400n });
    await host.tell([await payment(host, id, 600n, 102n)], 102n);
    expect(await page.next()).toMatchObject({ status: "paid", confirmations: 0 });
    await host.tell([], 103n);
    expect(await page.next()).toMatchObject({ status: "paid", confirmations: 1 });
    await host.tell([], 103n);
    await host.tell([], 200n);
    expect(await page.next()).toMatchObject({ status: "confirmed" });
    expect(page.left).toBe(0);
  });

  it("tells of what time changes", async () => {
    const { id } = await shop.create({ expiresIn: 60 });
    const page = await Page.open(id);
    await page.next();
    await host.pass(61n * SECOND_MS);
    expect(await page.next()).toMatchObject({ status: "expired" });
  });

  it("outlives its object's stay in memory, and is sent nothing twice after it", async () => {
    const { id } = await shop.create();
    const page = await Page.open(id);
    await page.next();
    await evictDurableObject(stubOf(id));
    await host.tell([], 101n);
    await host.tell([await payment(host, id, 400n, 102n)], 102n);
    expect(await page.next()).toMatchObject({ status: "partial" });
    await evictDurableObject(stubOf(id));
    expect(await stubOf(id).tellTip()).toBe(true);
    expect(page.left).toBe(0);
    page.close();
    await expect.poll(() => stubOf(id).tellTip()).toBe(false);
  });

  it("closes when its time is over, also where the invoice has nothing to do then", async () => {
    const { id } = await shop.create({ expiresIn: 86_400 });
    const page = await Page.open(id);
    await page.next();
    await evictDurableObject(stubOf(id));
    await host.pass(EDGE_LIMITS.socketLifeMs);
    expect(await page.closed).toBe(1_000);
    expect((await shop.invoice(id)).status).toBe("new");
  });
});

describe("who opens one", () => {
  it("and speaks is cut off: 1008, and 1009 where he speaks at length", async () => {
    const { id } = await shop.create();
    const quiet = await Page.open(id);
    for (const [message, code] of [
      ["hello", 1_008],
      ["", 1_008],
      [new ArrayBuffer(8), 1_008],
      ["x".repeat(EDGE_LIMITS.socketMessageBytes + 1), 1_009],
      [new ArrayBuffer(65_536), 1_009],
    ] as const) {
      const page = await Page.open(id);
      page.say(message);
      expect(await page.closed).toBe(code);
    }
    await quiet.next();
    await host.tell([await payment(host, id, 400n, 101n)], 101n);
    expect(await quiet.next()).toMatchObject({ status: "partial" });
  });

  it("again and again from one host is refused, and so is the crowd; each place that is left is free", async () => {
    const { id } = await shop.create();
    const { socketsPerHost, socketsPerInvoice } = EDGE_LIMITS;
    const full = { status: 503, code: "http/too-many-connections" };
    const tried = async (from: string) => {
      const answer = await asked(id, { "CF-Connecting-IP": from });
      const body: unknown = await answer.json();
      return v.parse(v.object({ status: v.number(), code: v.string() }), {
        ...v.parse(v.object({ code: v.string() }), body),
        status: answer.status,
      });
    };
    const pages: Page[] = [];
    for (let place = 0; place < socketsPerInvoice; place += 1) {
      const from = `192.0.2.${Math.floor(place / socketsPerHost)}`;
      pages.push(await Page.open(id, from));
      if (pages.length === socketsPerHost) expect(await tried(from)).toEqual(full);
    }
    expect(await tried("198.51.100.1")).toEqual(full);
    pages[0]?.close();
    await expect
      .poll(async () => (await asked(id, { "CF-Connecting-IP": "198.51.100.1" })).status)
      .toBe(101);
  });

  it("counts as a reader of the checkout, and is told to wait", async () => {
    const { id } = await shop.create();
    for (let count = 0; count < 30; count += 1) {
      await shop.ask("GET", `/api/v1/checkout/${id}`, undefined, {
        "CF-Connecting-IP": "192.0.2.9",
      });
    }
    expect((await asked(id, { "CF-Connecting-IP": "192.0.2.9" })).status).toBe(429);
  });

  it("for an invoice that there is not, without an upgrade, or from a page of another origin is refused", async () => {
    const { id } = await shop.create();
    const codeOf = async (answer: Response) => {
      const { code } = v.parse(v.object({ code: v.string() }), await answer.json());
      return [answer.status, code];
    };
    expect(await codeOf(await asked(UNKNOWN))).toEqual([404, "gateway/no-invoice"]);
    expect(await codeOf(await host.fetch(pathOf(id)))).toEqual([400, "http/bad-request"]);
    const foreign = await asked(id, { Origin: "https://elsewhere.example" });
    expect(await codeOf(foreign)).toEqual([403, "http/foreign-origin"]);
    expect((await asked(id, { Origin: "https://pay.example" })).status).toBe(101);
    // Nothing was begun for the one that there is not.
    const tables = await runInDurableObject(stubOf(UNKNOWN), (_, { storage }) => [
      ...storage.sql.exec("SELECT name FROM sqlite_master WHERE name IN ('invoice', 'events')"),
    ]);
    expect(tables).toEqual([]);
  });
});
