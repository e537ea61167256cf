/**
 * A payment of more notes than one transaction holds: confirmed once, its tab killed between its transactions, and gone on with when the
 * wallet is opened again. Nothing is paid twice, and all of it arrives. The same of a consolidation, which pays nobody else.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parseCoins } from "@svc/shared/base/money.ts";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { WORKED_PROFILE, WorkedNode } from "../testkit/workedNode.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

/** Whom the first blocks pay, each a note, whom later ones, and whom the others. */
const [OWNER, MERGER, MINER] = ["07".repeat(32), "05".repeat(32), "09".repeat(32)];
const NOTES = IS_FULL ? 200 : 42;
const PART_NOTES = 38;
const PARTS = Math.ceil(NOTES / PART_NOTES);
/** Blocks until the last of the notes can be spent. */
const MATURE = 24;
const PASSPHRASE = "a passphrase of many notes";

const folder = mkdtempSync(join(tmpdir(), "many-notes-"));
let node: WorkedNode;
let browser: Browser;
let payer: WalletPage;
let payee: WalletPage;
let address: string;
/** The payments that reached the node, as they are sent. */
const submitted: string[] = [];

beforeAll(async () => {
  node = await WorkedNode.start({ profile: profileOfManyNotes() });
  await node.mine(NOTES, OWNER);
  await node.mine(MATURE, MINER);
  browser = await launchBrowser();
  payee = await openWallet(await newContext());
  await payee.create();
  address = await payee.address();
  payer = await openWallet(await newContext());
  await payer.restore(OWNER);
});

afterAll(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The worked network, on which each block pays its miner a note of its own. */
function profileOfManyNotes(): string {
  const worked: unknown = JSON.parse(readFileSync(WORKED_PROFILE, "utf8"));
  const file = join(folder, "many.json");
  writeFileSync(file, JSON.stringify({ ...Object(worked), minerSlotPayoutIntervalDaa: 1 }));
  return file;
}

async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ timezoneId: "UTC" });
  await context.route("**/v1/tx", async (route) => {
    submitted.push(route.request().postDataBuffer()?.toString("hex") ?? "");
    await route.continue();
  });
  return context;
}

/** A page without a wallet, which agreed to the network. */
async function openWallet(context: BrowserContext): Promise<WalletPage> {
  const wallet = await WalletPage.open(context, node.url, PASSPHRASE);
  await wallet.button("I checked both: use this network").click();
  return wallet;
}

/** Ends the renderer process, and with it every worker of the page. */
async function crash(page: Page): Promise<void> {
  const crashed = page.waitForEvent("crash");
  const session = await page.context().newCDPSession(page);
  // The call is never answered: who would answer is gone.
  session.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}

/** Types a payment of all that can be sent and goes on to its review. */
async function reviewAll(): Promise<string> {
  const { page } = payer;
  await payer.goTo("Send");
  await payer.says(new RegExp(`in one payment of ${PARTS} transactions`));
  await page.getByLabel("To", { exact: true }).fill(address);
  await payer.button("Max").click();
  const amount = page.getByLabel("Amount", { exact: true });
  await expect.poll(() => amount.inputValue()).not.toBe("");
  const all = await amount.inputValue();
  await page.getByLabel("Memo", { exact: true }).fill("all of it");
  await payer.button("Review").click();
  await page.getByRole("button", { name: /^Send / }).waitFor();
  return all;
}

test(
  `a payment of ${NOTES} notes is confirmed once, and survives the death of its tab`,
  async () => {
    const all = await reviewAll();
    const { page } = payer;
    const how = page.getByTestId("how-paid");
    const said = await how.innerText();
    expect(said).toContain(`takes ${PARTS}, sent one after the other. You confirm it once`);
    expect(Number(/(\d+) are spent, the largest first/.exec(said)?.[1])).toBeGreaterThanOrEqual(
      NOTES,
    );
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "many-review");
    await page.getByRole("button", { name: /^Send / }).click();
    await page.getByText(`Transaction 2 of ${PARTS}`).waitFor();
    expect(new Set(submitted).size).toBe(1);
    await page.getByText("1 transaction is sent.").waitFor();
    await payer.button("Stop here").waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "many-progress");
    await crash(page);

    // Nobody confirms anything again.
    payer = await WalletPage.open(page.context(), node.url, PASSPHRASE);
    await payer.unlock();
    await payer.ready();
    await expect
      .poll(() => new Set(submitted).size, { timeout: PARTS * STEP_HANG_MS, interval: 500 })
      .toBe(PARTS);
    await payer.goTo("History");
    const rows = payer.page.getByTestId("history-row").filter({ hasText: "all of it" });
    await rows.filter({ hasText: /Waiting/ }).waitFor();
    expect(await rows.count()).toBe(1);
    // A block holds one transaction of the largest size.
    await node.mine(2 * PARTS, MINER);
    await rows.filter({ hasText: /Arriving|Confirmed/ }).waitFor();
    expect(await rows.count()).toBe(1);
    await rows.click();
    const parts = payer.page.getByTestId("order-parts").getByRole("button");
    expect(await parts.count()).toBe(PARTS);
    expect(await axeFaults(payer.page)).toEqual([]);
    await keepPictures(payer.page, "many-history");
    await parts.last().click();
    await payer.page.getByText("Transaction", { exact: true }).first().waitFor();
    await payer.page.keyboard.press("Escape");

    // The payee has what was confirmed, to the last digit.
    await payee.goTo("Home");
    await expect.poll(() => payee.shownTotal()).toBe(all);
    expect(payer.watch.faults).toEqual([]);
  },
  (PARTS + 3) * STEP_HANG_MS,
);

test(
  `a consolidation of ${NOTES} notes is offered, confirmed once, and survives the death of its tab`,
  async () => {
    await node.mine(NOTES, MERGER);
    await node.mine(MATURE, MINER);
    let merger = await openWallet(await newContext());
    await merger.restore(MERGER);
    const before = await merger.sum("spendable");
    const told = await merger.page.getByText(/Your coins lie in \d+ notes/).innerText();
    const notes = Number(/in (\d+) notes/.exec(told)?.[1]);
    expect(notes).toBeGreaterThanOrEqual(NOTES);
    await keepPictures(merger.page, "merge-offer");
    await merger.button("See what merging takes").click();
    await merger.says(/Comes back to you/);
    const said = await merger.page.locator("main").innerText();
    expect(said).toMatch(new RegExp(`Merges\\s+${notes} notes`));
    expect(said).toMatch(new RegExp(`Takes\\s+${PARTS} transactions, confirmed once`));
    expect(said).toMatch(/Cannot be spent for\s+\d+ s/);
    expect(said).toMatch(new RegExp(`To send everything now\\s+${PARTS} transactions, fee`));
    expect(said).toMatch(/To send everything afterwards\s+1 transaction, fee/);
    const back = await factOf(merger.page, "Comes back to you");
    const fee = await factOf(merger.page, "Fee");
    expect(parseCoins(back) + parseCoins(fee)).toBe(parseCoins(before));
    expect(await axeFaults(merger.page)).toEqual([]);
    await keepPictures(merger.page, "merge-review");
    submitted.length = 0;
    await merger.button(`Merge ${notes} notes`).click();
    await merger.page.getByText(`Transaction 2 of ${PARTS}`).waitFor();
    expect(new Set(submitted).size).toBe(1);
    await keepPictures(merger.page, "merge-progress");
    await crash(merger.page);

    // Nobody confirms anything again.
    merger = await WalletPage.open(merger.page.context(), node.url, PASSPHRASE);
    await merger.unlock();
    await merger.ready();
    await expect
      .poll(() => new Set(submitted).size, { timeout: PARTS * STEP_HANG_MS, interval: 500 })
      .toBe(PARTS);
    await merger.goTo("History");
    const rows = merger.page.getByTestId("history-row").filter({ hasText: "Consolidation" });
    await rows.filter({ hasText: `${notes} notes` }).waitFor();
    await node.mine(2 * PARTS, MINER);
    await rows.filter({ hasText: /Arriving|Confirmed/ }).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await axeFaults(merger.page)).toEqual([]);
    await keepPictures(merger.page, "merge-history");

    // Only the fee is gone, and all of it is one payment now.
    await node.mine(MATURE, MINER);
    await merger.goTo("Home");
    await expect.poll(() => merger.sum("spendable")).toBe(back);
    expect(await merger.shownTotal()).toBe(back);
    expect(await merger.page.getByText("Many notes").count()).toBe(0);
    expect(merger.watch.faults).toEqual([]);
  },
  (PARTS + 3) * STEP_HANG_MS,
);

test("merging in the background is off until its owner allows it, and says who learns what", async () => {
  await payee.goTo("Settings");
  const box = payee.page.getByLabel("Merge notes in the background");
  expect(await box.isChecked()).toBe(false);
  await payee.says(
    /Chance draws when the wallet looks. That a transaction leaves all the same tells/,
  );
  expect(await axeFaults(payee.page)).toEqual([]);
  await box.scrollIntoViewIfNeeded();
  await keepPictures(payee.page, "merge-settings");
  await box.click();
  await expect.poll(() => box.isChecked()).toBe(true);
  await payee.reload();
  await payee.goTo("Settings");
  await expect.poll(() => box.isChecked()).toBe(true);
  await box.click();
  await expect.poll(() => box.isChecked()).toBe(false);
  expect(payee.watch.faults).toEqual([]);
});

/** The sum beside a label, as plain coins. */
async function factOf(page: Page, label: string): Promise<string> {
  const text = await page
    .locator("dl > div")
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator("dd")
    .innerText();
  return text.replace(/\s*coins?$/, "").replaceAll(",", "");
}
