/** The choice of a language in the wallet page: kept, without a long task, and safe where texts come late. */
import type { Route } from "playwright-core";
import { describe, expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { MainThread } from "../testkit/mainThread.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "vier Wörter ohne Zusammenhang";
/** Longest task that a person does not notice, in milliseconds of the processor. */
const LONG_TASK_MS = 50;

const scene = setScene();

describe("the choice of a language", () => {
  test("changes all texts at once, is kept, and keeps what a typed amount is worth", async () => {
    const context = await scene.browser.newContext({ locale: "fr-FR" });
    const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    const { page } = wallet;
    await wallet.create();
    const own = await wallet.address();
    await wallet.earn();
    await wallet.goTo("Send");
    await page.getByLabel("Amount", { exact: true }).fill("1,234.5");
    await wallet.goTo("Settings");
    const thread = IS_FULL ? await MainThread.watch(scene.browser, page) : null;
    await page.getByRole("radio", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Optionen" }).waitFor();
    if (IS_FULL) expect(await thread?.longestMs(LONG_TASK_MS)).toBeLessThanOrEqual(LONG_TASK_MS);
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.getByRole("link", { name: "Senden", exact: true }).first().click();
    expect(await page.getByLabel("Betrag", { exact: true }).inputValue()).toBe("1234,5");

    await page.getByLabel("An", { exact: true }).fill(own);
    await page.getByLabel("Betrag", { exact: true }).fill("1234.567");
    await page.getByText("„1234.567“ ist kein Betrag").waitFor();
    await page.getByLabel("Betrag", { exact: true }).fill("1,5");
    await page.getByRole("button", { name: "Prüfen" }).click();
    await page.getByRole("button", { name: "1,5 Münzen senden" }).click();
    await page.getByRole("heading", { name: "Zahlung gesendet" }).waitFor();

    await page.reload();
    await page.getByRole("heading", { name: "Wallet entsperren" }).waitFor();
    await page.getByRole("radio", { name: "English" }).click();
    await wallet.unlock();
    await wallet.ready();
    await wallet.goTo("History");
    await wallet.row("1.5", "To yourself").first().waitFor();
    expect(wallet.watch.faults).toEqual([]);
    await context.close();
  });

  test("texts that come late or not at all leave the page in English, and that is said", async () => {
    const context = await scene.browser.newContext({ locale: "de-AT" });
    const held: Route[] = [];
    await context.route("**/german-*.js", (route) => void held.push(route));
    await context.route("**/spanish-*.js", (route) => route.abort());
    const { page } = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    await page.getByRole("heading", { name: "Your own private wallet" }).waitFor();
    await page.getByRole("radio", { name: "Español" }).click();
    await page.getByRole("alert").getByText("cannot load the parts of its own").waitFor();
    expect(await page.getByRole("radio", { name: "English" }).isChecked()).toBe(true);
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    await context.unroute("**/german-*.js");
    await page.getByRole("radio", { name: "Deutsch" }).click();
    await Promise.all(held.map((route) => route.continue()));
    await page.getByRole("heading", { name: "Ihre eigene private Wallet" }).waitFor();
    expect(await page.getByRole("radio", { name: "Deutsch" }).isChecked()).toBe(true);
    await context.close();
  });
});
