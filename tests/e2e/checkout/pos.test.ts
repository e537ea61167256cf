/** The point of sale in a browser, over the gateway's desks: signing in, ringing up with a tip, being paid, closing the day. */
import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readCsv } from "@svc/shared/base/csv.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { checkoutAssets, CheckoutScene } from "./checkoutScene.ts";

const PASSWORD = "correct horse battery";
const RATES = { rates: { EUR: "8.00" } };
const CSV = { records: 10, fields: 20, chars: 200 };

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  await checkoutAssets();
});
afterAll(() => browser?.close());

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

/** A till of a shop, and the page at which it signs in. */
async function openTill(options: ContextOptions = {}) {
  const scene = await CheckoutScene.open([], RATES);
  await scene.host.addTill("shop", "counter", PASSWORD);
  const context = await browser.newContext({ locale: "en-US", ...options });
  onTestFinished(() => context.close());
  const { page, watch } = await openPage(context, `${scene.url}/pos`);
  return { scene, context, page, watch };
}

async function signIn(page: Page, password = PASSWORD): Promise<void> {
  await page.locator("[name=till]").fill("counter");
  await page.locator("[name=password]").fill(password);
  await page.locator("#sign-in button").click();
}

/** A till that is signed in. */
async function signedIn(options: ContextOptions = {}) {
  const opened = await openTill(options);
  await signIn(opened.page);
  await opened.page.locator("#ring").waitFor();
  return opened;
}

/** Presses keys of the keypad. */
async function press(page: Page, keys: string): Promise<void> {
  for (const key of keys) await page.locator(`[data-key="${key}"]`).click();
}

/** The sale that a page shows. */
async function saleOn(page: Page): Promise<{ readonly id: string }> {
  await page.locator("main#checkout").waitFor();
  return { id: (await page.locator("main#checkout").getAttribute("data-id")) ?? "" };
}

describe("the point of sale", () => {
  test("signs in, rings up with a tip, is paid, and closes the day with its CSV", async () => {
    const { scene, context, page, watch } = await signedIn();
    await page.getByText("1 coin = €8.00 (operator, 11:06").waitFor();
    await press(page, "20.00");
    await page.getByRole("radio", { name: "10" }).check();
    expect(await page.locator("#to-pay").innerText()).toBe("€22.00");
    expect(await page.locator("#about").innerText()).toBe("about 2.75\u00a0coins");
    await page.getByRole("button", { name: "Charge" }).click();

    await page.getByRole("heading", { name: "Waiting for your payment" }).waitFor();
    await page.getByAltText("?amount=2.75").waitFor();
    await page.locator("#checkout").getByText("€22.00").waitFor();
    const sale = await saleOn(page);
    await scene.pay(sale, 275_000_000n, 3n);
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
    await page.getByText("Confirmation 3 of 10").waitFor();
    // Whoever loads the page again sees the same sale.
    await page.reload();
    await page.getByRole("heading", { name: "Payment received" }).waitFor();
    await scene.grow(7n);
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor();
    await page.getByRole("button", { name: "New sale" }).click();
    expect(await page.locator("#amount").inputValue()).toBe("");

    await page.getByRole("radio", { name: "coins" }).check();
    await page.locator("#amount").fill("1,5");
    await page.getByRole("radio", { name: "Other" }).check();
    await page.getByLabel("Amount of the tip").fill("0.25");
    expect(await page.locator("#to-pay").innerText()).toBe("1.75\u00a0coins");
    await page.keyboard.press("Enter");
    await page.getByAltText("?amount=1.75").waitFor();
    await page.getByRole("button", { name: "New sale" }).click();

    await page.getByRole("link", { name: "Day’s close" }).click();
    await page.getByRole("heading", { name: "Close of July 26, 2026" }).waitFor();
    await page.getByText("Times and days of Europe/Berlin").waitFor();
    await page
      .getByText(/^Confirmed sales, tips included; of which tips 0\.25\scoins, €2\.00$/)
      .waitFor();
    expect(await page.locator(".takings strong").allInnerTexts()).toEqual([
      "2.75\u00a0coins",
      "€22.00",
    ]);
    const arriving = page.waitForEvent("download");
    await page.getByRole("link", { name: "Download CSV" }).click();
    const download = await arriving;
    expect(download.suggestedFilename()).toBe("counter-2026-07-26.csv");
    const lines = readCsv(readFileSync(await download.path(), "utf8"), CSV);
    expect(lines).toHaveLength(3);
    expect(lines.find(({ fields }) => fields.includes(sale.id))?.fields).toEqual(
      expect.arrayContaining(["confirmed", "EUR", "22.00", "2.00", "2.75", "0.25"]),
    );
    expect(watch).toEqual({ faults: [], strangers: [] });
    const cookies = await context.cookies();
    const names = cookies.map(({ name }) => name).toSorted();
    expect(names).toEqual(["__Host-svc-till", "__Host-svc-till-device"]);
    for (const cookie of cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "Strict" });
    }
    expect(await page.evaluate(() => document.cookie)).toBe("");
  });

  test("says that a password is wrong, and shows nothing once it is signed out", async () => {
    const { page } = await openTill({ locale: "de-DE" });
    await signIn(page, "wrong password");
    await page.getByRole("alert").getByText("Name oder Passwort stimmt nicht.").waitFor();
    await signIn(page);
    await page.getByRole("button", { name: "Berechnen" }).waitFor();
    await page.getByRole("button", { name: "Abmelden" }).click();
    await page.getByRole("heading", { name: "An der Kasse anmelden" }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/pos/close`);
    await page.getByRole("heading", { name: "An der Kasse anmelden" }).waitFor();
  });

  test("asks for the password again when it has changed", async () => {
    const { scene, page } = await signedIn({ locale: "es-ES" });
    await press(page, "5");
    await scene.host.changeTill("counter", "another password");
    await page.getByRole("button", { name: "Cobrar" }).click();
    await page.getByRole("heading", { name: "Entrar en la caja" }).waitFor();
  });

  test("begins one sale however often an answer is lost", async () => {
    const { scene, context, page } = await signedIn();
    await context.route("**/pos/v1/sales", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await press(page, "8");
    await page.getByRole("button", { name: "Charge" }).click();
    await page.getByRole("alert").getByText("No connection to the gateway.").waitFor();
    await context.unroute("**/pos/v1/sales");
    await page.getByRole("button", { name: "Charge" }).click();
    await page.getByAltText("?amount=1").waitFor();
    const made = await scene.shop.ask("GET", "/api/v1/invoices");
    expect(made.json["invoices"]).toHaveLength(1);
  });

  test("keeps a sale in sight whose checkout does not come at a reload", async () => {
    const { context, page } = await signedIn();
    await press(page, "8");
    await page.getByRole("button", { name: "Charge" }).click();
    const { id } = await saleOn(page);
    const path = `**/checkout/${id}`;
    await context.route(path, (route) => route.abort());
    await page.reload();
    await page.locator(".problem:visible").waitFor();
    expect(await page.locator(".problem:visible").innerText()).toContain("is tried again");
    expect(await page.locator("#charge").isVisible()).toBe(false);
    expect(new URL(page.url()).hash).toBe(`#${id}`);
    await context.unroute(path);
    expect(await saleOn(page)).toEqual({ id });
    expect(await page.locator(".problem:visible").count()).toBe(0);
  });

  test("says that there is no connection, and shows nothing that it kept", async () => {
    const { context, page } = await signedIn();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await page.goto(`${new URL(page.url()).origin}/pos/close`);
    await page.getByRole("heading", { name: /^Close of/ }).waitFor();
    await offline(context, true);
    for (const path of ["/pos", "/pos/close"]) {
      const { origin } = new URL(page.url());
      await untilLost(page, true, () => page.goto(`${origin}${path}`));
    }
    const kept = await page.evaluate(async () => {
      const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
      const requests = await Promise.all(stores.map((store) => store.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toEqual(["/pos/offline"]);
    await offline(context, false);
    await untilLost(page, false, () => tryAgain(page));
    await page.getByRole("heading", { name: /^Close of/ }).waitFor();
  });

  test("keeps the sale in view in its address while there is no connection, and shows it again", async () => {
    const { context, page } = await signedIn();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await press(page, "5");
    await page.getByRole("button", { name: "Charge" }).click();
    const { id } = await saleOn(page);
    await offline(context, true);
    await untilLost(page, true, () => page.reload());
    // Still without one: the same page, with the sale in its address.
    await tryAgain(page);
    await page.getByRole("heading", { name: "No connection" }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#${id}`);
    await offline(context, false);
    await untilLost(page, false, () => tryAgain(page));
    expect(await saleOn(page)).toMatchObject({ id });
  });

  test("is worked by keyboard alone", async () => {
    const { page } = await openTill();
    await page.keyboard.press("Tab");
    await page.keyboard.type("counter");
    await page.keyboard.press("Tab");
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Enter");
    await page.locator("#ring").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("amount");
    await page.keyboard.type("12.50");
    await page.locator("[name=tip]").first().focus();
    await page.keyboard.press("ArrowRight");
    expect(await page.locator("#to-pay").innerText()).toBe("€13.13");
    await page.locator("#charge").focus();
    await page.keyboard.press("Enter");
    await saleOn(page);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("new-sale");
    await page.keyboard.press("Enter");
    await page.locator("#ring").waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("amount");
  });
});

/** Presses "Try again" and waits for the document that follows: the one before shows the same heading. */
async function tryAgain(page: Page): Promise<void> {
  const loaded = page.waitForEvent("domcontentloaded");
  await page.getByRole("link", { name: "Try again" }).click();
  await loaded;
}

/** Asks for a page until it says that there is no connection, or no longer: a service worker that starts meanwhile hears late of it. */
async function untilLost(page: Page, isLost: boolean, go: () => Promise<unknown>): Promise<void> {
  const heading = page.getByRole("heading", { name: "No connection" });
  await expect
    .poll(async () => {
      await go();
      return heading.isVisible();
    })
    .toBe(isLost);
}

/** A context without a network, for service workers as well. */
function offline(context: BrowserContext, isOffline: boolean): Promise<void> {
  return context.setOffline(isOffline);
}
