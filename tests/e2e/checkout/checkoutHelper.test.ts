/** The embedded checkout helper in a shop's page (gateway sheet 7.5). */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type {
  openSvcCheckout,
  SvcStatusEvent,
} from "@svc/web/checkout/helper/types/svcCheckout.d.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { AMOUNT, checkoutAssets, CheckoutScene } from "./checkoutScene.ts";
import { ShopPage } from "./shopPage.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  await checkoutAssets();
});
afterAll(() => browser?.close());

/** A shop's page, with a gateway that lets it frame the checkout. */
async function setUp() {
  const shop = await ShopPage.open();
  const scene = await CheckoutScene.open([shop.url]);
  const invoice = await scene.invoice();
  shop.sells(invoice.page);
  const context = await browser.newContext({ locale: "en-US" });
  onTestFinished(() => context.close());
  const { page, watch } = await openPage(context, shop.url);
  const expectQuiet = (): void => expect(watch.faults).toEqual([]);
  return { shop, scene, invoice, page, expectQuiet };
}

declare global {
  interface Window {
    /** Set by the shop's own script. */
    openSvcCheckout: typeof openSvcCheckout;
    /** What the callbacks of the last call were called with. */
    heard: unknown[];
    /** Ends the last call. */
    over: AbortController;
  }
}

type Wish = {
  readonly mode?: "redirect" | "modal" | "inline";
  readonly container?: string;
};

/** Opens a checkout; resolves with the sentence of its error, or "opened". What it hears is on the page. */
function open(page: Page, origin: string, wish: Wish = {}): Promise<string> {
  return page.evaluate(
    async ([allowed, more]) => {
      window.heard = [];
      window.over = new AbortController();
      try {
        await window.openSvcCheckout({
          createInvoiceUrl: "/order",
          orderId: 4711,
          amount: "20.00",
          metadata: { basket: "7" },
          allowedOrigins: [allowed],
          onStatus: (event) => window.heard.push(event),
          onClose: () => window.heard.push("closed"),
          signal: window.over.signal,
          ...more,
        });
        return "opened";
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    },
    [origin, wish] as const,
  );
}

/** What the callbacks of `open` were called with. */
function heardBy(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() =>
    "heard" in window && Array.isArray(window.heard) ? window.heard : [],
  );
}

describe("the embedded helper", () => {
  test("asks the shop's own server, once for each order, and goes to the checkout", async () => {
    const { shop, scene, invoice, page, expectQuiet } = await setUp();
    void open(page, scene.url).catch(() => undefined);
    await page.waitForURL(invoice.page);
    expect(shop.requests).toHaveLength(1);
    const [request] = shop.requests;
    expect(request?.headers["idempotency-key"]).toBe("4711");
    expect(request?.headers["authorization"]).toBeUndefined();
    expect(request?.body).toEqual({
      orderId: 4711,
      amount: "20.00",
      metadata: { basket: "7" },
    });
    expectQuiet();
  });

  test("opens a dialog that keeps the focus, tells each state, and closes with Escape", async () => {
    const { scene, invoice, page, expectQuiet } = await setUp();
    expect(await open(page, scene.url, { mode: "modal" })).toBe("opened");
    const dialog = page.getByRole("dialog", { name: "Checkout" });
    const frame = page.frameLocator("iframe");
    await frame.getByRole("heading", { name: "Waiting for your payment" }).waitFor();
    // The page behind cannot be reached, by key or by screen reader.
    expect(await page.getByRole("heading", { name: "Shop" }).isVisible()).toBe(true);
    expect(await page.evaluate(() => document.querySelector("dialog")?.matches(":modal"))).toBe(
      true,
    );
    for (let presses = 0; presses < 8; presses += 1) await page.keyboard.press("Tab");
    expect(
      await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement === document.body || activeElement?.closest("dialog") !== null;
      }),
    ).toBe(true);
    await scene.pay(invoice, AMOUNT, 1n);
    await frame.getByRole("heading", { name: "Payment received" }).waitFor();
    await scene.grow(9n);
    await frame.getByRole("heading", { name: "Paid" }).waitFor();
    const states: readonly Omit<SvcStatusEvent, "id">[] = [
      { status: "new", final: false },
      { status: "paid", final: false },
      { status: "confirmed", final: true },
    ];
    const told = states.map((state) => ({ id: invoice.id, ...state }));
    await expect.poll(() => heardBy(page)).toEqual(told);
    await page.getByRole("button", { name: "Close" }).focus();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => heardBy(page)).toEqual([...told, "closed"]);
    expect(await page.locator("dialog").count()).toBe(0);
    // Also where the focus is in the frame, whose keys the shop's page does not hear.
    await open(page, scene.url, { mode: "modal" });
    await frame.getByRole("button", { name: "Print" }).focus();
    await page.keyboard.press("Escape");
    await expect.poll(() => heardBy(page)).toContain("closed");
    expectQuiet();
  });

  test("stands in the shop's page, and goes with its signal", async () => {
    const { scene, invoice, page, expectQuiet } = await setUp();
    expect(await open(page, scene.url, { mode: "inline", container: "#place" })).toBe("opened");
    const frame = page.frameLocator("#place > iframe");
    await frame.getByText(invoice.address, { exact: true }).waitFor();
    await page.evaluate(() => window.over.abort());
    expect(await page.locator("iframe").count()).toBe(0);
    expect(await heardBy(page)).toContain("closed");
    expectQuiet();
  });

  test("believes no message of anybody else", async () => {
    const { scene, page } = await setUp();
    await open(page, scene.url, { mode: "modal" });
    await page.frameLocator("iframe").getByRole("heading").waitFor();
    await expect.poll(() => heardBy(page)).toHaveLength(1);
    await page.evaluate(async () => {
      const message = { type: "svc-checkout", id: "x", status: "confirmed", final: true };
      window.postMessage(message, location.origin);
      await new Promise((resolve) => window.addEventListener("message", resolve, { once: true }));
    });
    expect(await heardBy(page)).toHaveLength(1);
  });

  test("a page that the merchant did not allow gets no frame", async () => {
    const shop = await ShopPage.open();
    const scene = await CheckoutScene.open(["https://another.example"]);
    shop.sells((await scene.invoice()).page);
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const { page, watch } = await openPage(context, shop.url);
    await open(page, scene.url, { mode: "inline", container: "#place" });
    await expect.poll(() => watch.faults.join()).toContain("frame-ancestors");
    expect(await heardBy(page)).toEqual([]);
  });

  test("is a button, too", async () => {
    const { shop, scene, invoice, page, expectQuiet } = await setUp();
    await page.evaluate((origin) => {
      const button = document.createElement("svc-pay-button");
      const attributes = {
        ...{ "create-invoice-url": "/order", "order-id": "4712", amount: "5", mode: "modal" },
        ...{ "allowed-origins": `https://pay.example ${origin}`, label: "Pay with coins" },
      };
      for (const [name, value] of Object.entries(attributes)) button.setAttribute(name, value);
      window.heard = [];
      for (const type of ["svc-status", "svc-close", "svc-error"]) {
        document.addEventListener(type, (event) =>
          window.heard.push(
            `${type} ${String(event instanceof CustomEvent && (event.detail?.status ?? event.detail))}`,
          ),
        );
      }
      document.body.append(button);
    }, scene.url);
    await page.getByRole("button", { name: "Pay with coins" }).click();
    await page.frameLocator("iframe").getByText(invoice.address, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => heardBy(page)).toEqual(["svc-status new", "svc-close null"]);
    expectQuiet();
    shop.answer = { status: 402, body: {} };
    await page.getByRole("button", { name: "Pay with coins" }).click();
    await expect.poll(() => heardBy(page)).toHaveLength(3);
    expect((await heardBy(page)).at(2)).toContain("(402)");
    expect(shop.requests[0]?.headers["idempotency-key"]).toBe("4712");
  });
});
