/** The page of a claim in a browser without script, over the gateway's desks (gateway sheet 10). */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RefundScene, type RefundRecord } from "../../gateway/refundScene.ts";
import { launchBrowser, openPage } from "../testkit/browser.ts";
import { checkoutAssets, CheckoutScene } from "./checkoutScene.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  await checkoutAssets();
});
afterAll(() => browser?.close());

/** Opens a page; when the test ends, it asked no other origin, and broke no policy. */
async function visit(url: string): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US", javaScriptEnabled: false });
  onTestFinished(() => context.close());
  const { page, watch } = await openPage(context, url);
  // A refused form is an error of the network to a browser, and a page to the payer.
  onTestFinished(() => expect(watch.strangers).toEqual([]));
  return page;
}

async function claimOf(
  refunds: RefundScene,
  url: string,
): Promise<RefundRecord & { readonly page: string }> {
  const made = await refunds.offered(await refunds.paid(1_000n), { amount: "all" });
  return { ...made, page: `${url}${new URL(made.claimUrl, url).pathname}` };
}

describe("the page of a claim", () => {
  test("takes an address without script, and says what became of it", async () => {
    const { host, url } = await CheckoutScene.open();
    const refunds = await RefundScene.open(host);
    const made = await claimOf(refunds, url);
    const page = await visit(made.page);
    const title = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
    const field = page.getByLabel("Your address");
    const send = page.getByRole("button", { name: "Send the address to the shop" });

    await title("Where shall your refund go?");
    await page.getByText("0.00001 coins").waitFor();
    await page.getByText("Refund from The shop").waitFor();
    await field.fill(`${refunds.home}x`);
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    expect(await field.inputValue()).toBe(`${refunds.home}x`);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await page.title()).toBe("Error: Where shall your refund go?");

    await field.fill(refunds.home);
    await send.click();
    await title("The shop has your address");
    await page.getByText(refunds.home, { exact: true }).waitFor();
    expect(page.url()).toBe(made.page);
    await page.getByRole("link", { name: "Change the address" }).click();
    await title("Change the address");
    await field.fill(refunds.elsewhere);
    await send.click();
    await title("The shop has your address");
    await page.getByText(refunds.elsewhere, { exact: true }).waitFor();

    await refunds.step(made, "approve", { address: refunds.elsewhere });
    await page.reload();
    await title("The shop has approved your refund");
    expect(await page.getByRole("link").count()).toBe(0);
    await refunds.step(made, "cancel");
    await page.reload();
    await title("This refund is no longer offered");
    await page.goto(`${url}/claim/none`);
    await title("There is no such refund");
  });
});
