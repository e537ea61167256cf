/**
 * Payments that can be read back after a restore: offered once, after the first payment, and off until the owner chooses. A wallet that is
 * restored from the seed shows payee, amount and memo of what was paid since, and only the sum of what was paid before.
 */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { screenFaults } from "../testkit/screenFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { WorkedNode } from "../testkit/workedNode.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";

/** Whom the first blocks pay, and whom the others. */
const [OWNER, MINER] = ["07".repeat(32), "09".repeat(32)];
/** Blocks until the owner can pay. */
const BEGINNING = 60;
const PASSPHRASE = "a passphrase to read back";
const OFFER = "Payees after a restore";
const CHOICE = "Payments from now on can be read back after a restore";

let node: WorkedNode;
let browser: Browser;
let payer: WalletPage;
let address: string;

beforeAll(async () => {
  node = await WorkedNode.start();
  await node.mine(BEGINNING, OWNER);
  browser = await launchBrowser();
  const payee = await openWallet();
  await payee.create();
  address = await payee.address();
  payer = await openWallet();
  await payer.restore(OWNER);
});

afterAll(async () => {
  await browser?.close();
  await node?.stop();
});

/** A browser without a wallet, which agreed to the network. */
async function openWallet(): Promise<WalletPage> {
  const fresh = await browser.newContext({ timezoneId: "UTC" });
  const wallet = await WalletPage.open(fresh, node.url, PASSPHRASE);
  await wallet.button("I checked both: use this network").click();
  return wallet;
}

async function pay(amount: string, memo: string): Promise<void> {
  await payer.beginPayment({ to: address, amount, memo });
  await payer.sent();
  await node.mine(20, MINER);
  await payer.ready();
}

test(
  "the choice is offered after the first payment, once, and is off until then",
  async () => {
    await payer.goTo("Home");
    expect(await payer.notice(new RegExp(OFFER)).count()).toBe(0);
    await pay("1.5", "before the choice");
    await payer.goTo("Home");
    await payer.notice(new RegExp(OFFER)).waitFor();
    await payer.says(/full viewing key also sees whom you paid/);
    expect(await screenFaults(payer.page, "read back")).toEqual([]);
    await keepPictures(payer.page, "read-back-offer");
    await payer.button("Leave it off").click();
    await payer.notice(new RegExp(OFFER)).waitFor({ state: "detached" });
    await payer.reload();
    await payer.goTo("Settings");
    const choice = payer.page.getByRole("checkbox", { name: CHOICE });
    await choice.waitFor();
    expect(await choice.isChecked()).toBe(false);
    await choice.click();
    await expect.poll(() => choice.isChecked()).toBe(true);
    expect(await screenFaults(payer.page, "read back")).toEqual([]);
    await keepPictures(payer.page, "read-back-choice");
  },
  HANG_MS,
);

test(
  "a restored wallet reads what was paid since, and of what was paid before only the sum",
  async () => {
    await pay("2.25", "after the choice");
    await payer.goTo("History");
    await payer.row("2.25", "after the choice").waitFor();
    const restored = await openWallet();
    await restored.restore(OWNER);
    await restored.goTo("History");
    const read = restored.row("2.25", "after the choice");
    await read.waitFor();
    await read.click();
    const details = restored.page.getByRole("dialog");
    await details.getByText("after the choice").first().waitFor();
    expect((await details.innerText()).replaceAll(/\s/g, "")).toContain(address);
    await details.getByText("Fee", { exact: true }).waitFor();
    expect(await screenFaults(restored.page, "read back")).toEqual([]);
    await keepPictures(restored.page, "read-back-details");
    await restored.page.keyboard.press("Escape");
    // What left the wallet with the other one: amount and fee together.
    const other = restored.row("−1.518554", "Sent");
    await other.waitFor();
    expect(await other.innerText()).not.toContain("before the choice");
    expect(await restored.page.getByText("before the choice").count()).toBe(0);
    expect(restored.watch.faults).toEqual([]);
    expect(payer.watch.faults).toEqual([]);
  },
  HANG_MS,
);
