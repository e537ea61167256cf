/** The rest of a payment that its owner stopped between its transactions: one button fills it in, and the payees get what was confirmed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import type { WalletPage } from "../testkit/walletPage.ts";
import { WORKED_PROFILE, WorkedNode } from "../testkit/workedNode.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";

/** Whom the first blocks pay, each a note, and whom the others. */
const [OWNER, MINER] = ["07".repeat(32), "09".repeat(32)];
/** More than one transaction holds. */
const NOTES = 42;
/** Blocks until the last of the notes can be spent. */
const MATURE = 24;
/** What the last payee gets, which the first transaction has no room for. */
const LAST = 0.5;

const folder = mkdtempSync(join(tmpdir(), "pay-rest-"));
let node: WorkedNode;
let browser: Browser;
let payer: WalletPage;
let shop: WalletPage;
let baker: WalletPage;

beforeAll(async () => {
  const worked: unknown = JSON.parse(readFileSync(WORKED_PROFILE, "utf8"));
  const profile = join(folder, "many.json");
  writeFileSync(profile, JSON.stringify({ ...Object(worked), minerSlotPayoutIntervalDaa: 1 }));
  node = await WorkedNode.start({ profile });
  await node.mine(NOTES, OWNER);
  await node.mine(MATURE, MINER);
  browser = await launchBrowser();
  [payer, shop, baker] = [await open(), await open(), await open()];
  await payer.restore(OWNER);
  await shop.create();
  await baker.create();
});

afterAll(async () => {
  await browser?.close();
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A page without a wallet, which agreed to the network. */
async function open(): Promise<WalletPage> {
  const wallet = await openWallet({ browser, node }, "a passphrase of the rest", "", {
    timezoneId: "UTC",
  });
  await wallet.button("I checked both: use this network").click();
  return wallet;
}

const payee = (number: number) => payer.page.getByTestId("payee").nth(number);
const field = (number: number, name: string) => payee(number).getByLabel(name, { exact: true });
const valueOf = (number: number, name: string) => field(number, name).inputValue();

/** Types a payment to both of nearly all that can be sent; gives the amount of the first. */
async function typePayment(shopAddress: string, bakerAddress: string): Promise<number> {
  await payer.goTo("Send");
  await payer.says(/in one payment of 2 transactions/);
  await field(0, "To").fill(shopAddress);
  await payer.button("Max").click();
  await expect.poll(() => valueOf(0, "Amount")).not.toBe("");
  // An output beside the payees' costs a little, so some coins stay.
  const most = Math.floor(Number(await valueOf(0, "Amount"))) - 2;
  await field(0, "Amount").fill(String(most));
  await field(0, "Memo").fill("all but the bread");
  await payer.button("Add a payee").click();
  await field(1, "To").fill(bakerAddress);
  await field(1, "Amount").fill(String(LAST));
  await field(1, "Memo").fill("bread");
  return most;
}

test(
  "a stopped payment fills in exactly its rest, which is paid once",
  async () => {
    const { page } = payer;
    const bakerAddress = await baker.address();
    const first = await typePayment(await shop.address(), bakerAddress);
    await payer.button("Review").click();
    await page.getByText("takes 2, sent one after the other").waitFor();
    // The button has this name once a transaction is out; the second proof is short.
    const stopped = payer.pressWhileProving("Stop here");
    await page.getByRole("button", { name: /^Send / }).click();
    await stopped;
    await page.getByRole("heading", { name: "Paid in part" }).waitFor();
    // The first transaction is in a block before anything of the rest is sent.
    await node.mine(2, MINER);
    await payer.goTo("History");
    const row = page.getByTestId("history-row").filter({ hasText: "all but the bread" });
    await row.filter({ hasText: "Paid in part" }).click();
    await payer.button("Pay the rest").waitFor();
    expect(await page.getByText("Nothing was sent").count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "rest-history");
    await payer.button("Pay the rest").click();
    await expect.poll(() => page.getByTestId("payee").count()).toBe(2);
    const missing = Number(await valueOf(0, "Amount"));
    expect(missing).toBeGreaterThan(0);
    expect(missing).toBeLessThan(first);
    // The memo of a payee that was paid in part has gone with that part.
    expect(await valueOf(0, "Memo")).toBe("");
    expect(await valueOf(1, "To")).toBe(bakerAddress);
    expect(await valueOf(1, "Amount")).toBe(String(LAST));
    expect(await valueOf(1, "Memo")).toBe("bread");
    await keepPictures(page, "rest-form");

    await payer.button("Review").click();
    await page.getByRole("button", { name: /^Send .* to 2 payees$/ }).click();
    await payer.sent();
    await node.mine(2, MINER);
    for (const [wallet, amount] of [
      [shop, first],
      [baker, LAST],
    ] as const) {
      await wallet.goTo("Home");
      await expect.poll(() => wallet.shownTotal()).toBe(String(amount));
    }
    await payer.goTo("History");
    await row.filter({ hasText: "Paid in part" }).click();
    await page.getByTestId("order-parts").waitFor();
    expect(await payer.button("Pay the rest").count()).toBe(0);
    expect([payer, shop, baker].flatMap(({ watch }) => watch.faults)).toEqual([]);
  },
  HANG_MS,
);
