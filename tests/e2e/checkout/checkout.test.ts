/** The checkout page in a browser, over the gateway's desks (gateway sheet 7.4). */
import { createServer } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { launchBrowser, openPage, type PageWatch } from "../testkit/browser.ts";
import { AMOUNT, checkoutAssets, CheckoutScene } from "./checkoutScene.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** ms. A page without script loads itself again after 10 s. */
const RELOADED = { timeout: STEP_HANG_MS };

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  await checkoutAssets();
});
afterAll(() => browser?.close());

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

async function contextOf(options: ContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: "en-US", ...options });
  onTestFinished(() => context.close());
  return context;
}

/** Opens the page. When the test ends, nothing went wrong in it and it asked no other origin. */
async function visit(url: string, options: ContextOptions = {}): Promise<Page> {
  const { page, watch } = await openPage(await contextOf(options), url);
  onTestFinished(() => expectQuiet(watch));
  return page;
}

function expectQuiet({ faults, strangers }: PageWatch): void {
  expect({ faults, strangers }).toEqual({ faults: [], strangers: [] });
}

/** A shop's page that a payer is sent back to; returns its origin. */
async function shopPage(): Promise<string> {
  const server = createServer((_, response) =>
    response
      .writeHead(200, { "Content-Type": "text/html" })
      .end("<link rel=icon href=data:,><h1>Thanks</h1>"),
  );
  const port = await listenLocally(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}

describe("the checkout page", () => {
  test("follows a payment from the first part to the shop that the payer came from", async () => {
    const scene = await CheckoutScene.open();
    const shop = await shopPage();
    const invoice = await scene.invoice({
      redirectUrl: `${shop}/thanks?invoice={InvoiceId}&order={OrderId}`,
    });
    const { page, watch } = await openPage(await contextOf(), invoice.page);
    const title = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
    await title("Waiting for your payment");
    await page.getByAltText(`${invoice.address}?amount=2.5`).waitFor();
    await page.getByText(/^Time left 1[45]:\d\d$/).waitFor();
    expect(await page.title()).toBe("Waiting for your payment – The shop");
    // Nothing leads to the shop before the invoice is over.
    expect(await page.content()).not.toContain(shop);

    await scene.pay(invoice, 100_000_000n);
    await title("A part has arrived");
    await page.getByText("You paid 1 coin. 1.5 coins are still due.").waitFor();
    await page.getByAltText(`${invoice.address}?amount=1.5`).waitFor();

    await scene.pay(invoice, 150_000_000n, 2n);
    await title("Payment received");
    await page.getByText("Confirmation 2 of 10").waitFor();
    expect(await page.locator("img").count()).toBe(0);
    const pages = scene.asked.filter((path) => path.includes(" /checkout/inv_")).length;
    await scene.grow(3n);
    await page.getByText("Confirmation 5 of 10").waitFor();
    // Confirmations come by the stream alone.
    expect(scene.asked.filter((path) => path.includes(" /checkout/inv_"))).toHaveLength(pages);

    await scene.grow(5n);
    await title("Paid");
    await page.getByRole("link", { name: "Return to The shop" }).waitFor();
    expectQuiet(watch);
    await page.waitForURL(`${shop}/thanks?invoice=${invoice.id}&order=4711`);
    // Who was paid before he came reads a receipt, and is not sent on.
    await page.goto(invoice.page);
    await title("Paid");
    await page.getByRole("button", { name: "Print" }).waitFor();
    const asked = scene.asked.length;
    await page.clock.install();
    await page.clock.runFor(60_000);
    expect(page.url()).toBe(invoice.page);
    expect(scene.asked.slice(asked).filter((path) => path.includes(invoice.id))).toEqual([]);
  });

  test("says that the time is over, and gives more to who has paid a part", async () => {
    const scene = await CheckoutScene.open();
    const [unpaid, part] = [await scene.invoice(), await scene.invoice()];
    await scene.pay(part, 100_000_000n);
    const [one, two] = [await visit(unpaid.page), await visit(part.page)];
    await two.getByRole("heading", { name: "A part has arrived" }).waitFor();
    await scene.host.pass(900_000n);
    await one.getByRole("heading", { name: "The time to pay is over" }).waitFor();
    expect(await one.getByText(unpaid.address).count()).toBe(0);
    expect(await one.getByRole("button", { name: "Ask for more time" }).count()).toBe(0);
    await two.getByRole("heading", { name: "The time is over, and a part is missing" }).waitFor();
    await two.getByRole("button", { name: "Ask for more time" }).click();
    await two.getByAltText(`${part.address}?amount=1.5`).waitFor();
    await scene.pay(part, 150_000_000n, 10n);
    await two.getByRole("heading", { name: "Paid" }).waitFor();
  });

  test("tells of too much, and of too late", async () => {
    const scene = await CheckoutScene.open();
    const [over, late] = [await scene.invoice(), await scene.invoice()];
    await scene.pay(over, AMOUNT + 1n, 10n);
    const one = await visit(over.page);
    await one.getByText("You paid 0.00000001 coins too much").waitFor();
    await scene.host.pass(901_000n);
    const two = await visit(late.page);
    await two.getByRole("heading", { name: "The time to pay is over" }).waitFor();
    await scene.pay(late, AMOUNT);
    await two.getByRole("heading", { name: "Your payment came too late" }).waitFor();
    await two.getByText("2.5 coins arrived after the time to pay.").waitFor();
  });

  test("works without script: it loads itself again, and its form asks for more time", async () => {
    const scene = await CheckoutScene.open();
    const invoice = await scene.invoice();
    const page = await visit(invoice.page, { javaScriptEnabled: false, locale: "de-DE" });
    await page.getByRole("heading", { name: "Warten auf Ihre Zahlung" }).waitFor();
    await page.getByText(/^Zahlen bis \d\d?\.\d\d\.\d{4}, \d\d:\d\d\sUTC$/).waitFor();
    await page.getByText(invoice.address, { exact: true }).waitFor();
    expect(await page.getByRole("button").count()).toBe(0);
    await scene.pay(invoice, 100_000_000n);
    await page.getByText("Es fehlen noch 1,5 Münzen.").waitFor(RELOADED);
    await scene.host.pass(900_000n);
    await page.reload();
    await page.getByRole("button", { name: "Um mehr Zeit bitten" }).click();
    await page.getByAltText(`${invoice.address}?amount=1.5`).waitFor();
    expect(page.url()).toBe(invoice.page);
  });

  test("asks again where there is no event stream, and not at all while nobody looks", async () => {
    const scene = await CheckoutScene.open();
    const invoice = await scene.invoice();
    const context = await contextOf();
    await context.route("**/events", (route) => route.abort());
    const { page, watch } = await openPage(context, invoice.page);
    await scene.pay(invoice, 100_000_000n);
    await page.getByText("1.5 coins are still due.").waitFor();
    const look = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
        document.dispatchEvent(new Event("visibilitychange"));
      }, isHidden);
    await page.clock.install();
    await look(true);
    await scene.pay(invoice, 150_000_000n);
    const asked = scene.asked.length;
    await page.clock.runFor(120_000);
    expect(scene.asked).toHaveLength(asked);
    await look(false);
    await page.clock.runFor(4_000);
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
    expectQuiet(watch);
  });

  test("copies amount and address, and says so", async () => {
    const scene = await CheckoutScene.open();
    const invoice = await scene.invoice();
    const context = await contextOf({ permissions: ["clipboard-read", "clipboard-write"] });
    const { page, watch } = await openPage(context, invoice.page);
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole("button", { name: "Copy address" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Copied" }).waitFor();
    await page.getByRole("status").getByText("Copied").waitFor();
    expect(await clipboard()).toBe(invoice.address);
    // Where the clipboard is refused, an old way is tried.
    await page.evaluate(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await page.getByRole("button", { name: "Copy amount" }).click();
    await page.getByRole("button", { name: "Copied" }).nth(0).waitFor();
    await page.evaluate(() =>
      document.querySelector("#due")?.setAttribute("contenteditable", "true"),
    );
    await page.locator("#due").focus();
    await page.keyboard.press("Control+A");
    await page.keyboard.press("Control+V");
    expect(await page.locator("#due").innerText()).toBe("2.5");
    expectQuiet(watch);
  });

  test("answers what it does not know, and what nobody may frame", async () => {
    const scene = await CheckoutScene.open(["https://shop.example"]);
    const invoice = await scene.invoice();
    const missing = await fetch(`${scene.url}/checkout/inv_${"0".repeat(32)}`, {
      headers: { "Accept-Language": "es-ES" },
    });
    expect(missing.status).toBe(404);
    expect(await missing.text()).toContain("Esta factura no existe");
    const odd = await fetch(`${scene.url}/checkout/${encodeURIComponent("<script>")}`);
    expect([odd.status, (await odd.text()).includes("<script>")]).toEqual([404, false]);
    const found = await fetch(invoice.page);
    const policy = found.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(/frame-ancestors https:\/\/shop\.example$/);
    const again = (await fetch(invoice.page)).headers.get("content-security-policy");
    // A nonce is good for one answer.
    expect(again).not.toBe(policy);
    expect(missing.headers.get("content-security-policy")).toMatch(/frame-ancestors 'none'$/);
    for (const answer of [found, missing]) {
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      expect(answer.headers.get("x-robots-tag")).toBe("noindex");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
    const helper = await fetch(`${scene.url}/checkout/assets/svc-checkout.js`);
    expect(helper.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect((await fetch(`${scene.url}/checkout/assets/..%2f`)).status).toBe(404);
    const many = await Promise.all(Array.from({ length: 40 }, () => fetch(invoice.page)));
    expect(many.some(({ status }) => status === 429)).toBe(true);
  });
});
