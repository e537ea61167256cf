/** "A first payment" of the README, step by step as it stands there, with every screen on the way looked at in all widths and themes. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

import { openPage } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import type { WalletPage } from "../testkit/walletPage.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";

const PASSPHRASE = "a first passphrase of a stranger";
const MEMO = "for the cake";

const scene = setScene();
let step = 0;

/** A step of the README: its screen is whole in all widths and themes. */
async function seen(page: Page, name: string): Promise<void> {
  step += 1;
  expect(await screenFaults(page, name)).toEqual([]);
  await keepPictures(page, `first-${String(step).padStart(2, "0")}-${name}`);
}

/** Step 2, with every screen on its way. */
async function create(wallet: WalletPage): Promise<void> {
  const { page } = wallet;
  await wallet.button("Create a wallet").click();
  await page.getByLabel("Passphrase again").waitFor();
  await seen(page, "passphrase");
  await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await page.getByLabel("Passphrase again").fill(PASSPHRASE);
  await seen(page, "passphrase-typed");
  await wallet.button("Create wallet").click();
  await wallet.button("Show the seed").waitFor();
  await seen(page, "seed-hidden");
  await wallet.button("Show the seed").click();
  const groups = await page.getByTestId("seed").getByRole("listitem").allInnerTexts();
  await seen(page, "seed");
  await wallet.button("I have written it down").click();
  const labels = await page.locator("label").allInnerTexts();
  await seen(page, "seed-asked");
  for (const label of labels) {
    const group = groups[Number(/\d+/.exec(label)?.[0]) - 1]?.split("\n").at(-1) ?? "";
    await page.getByLabel(label, { exact: true }).fill(group);
  }
  await wallet.button("Confirm backup").click();
}

test(
  "leads a stranger from nothing to a payment that arrived",
  async () => {
    // 1. Open the wallet's address in a browser.
    const payer = await openWallet(scene, PASSPHRASE);
    await payer.button("Create a wallet").waitFor();
    await seen(payer.page, "welcome");
    // 2. Create a wallet: choose a passphrase, write down the seed.
    await create(payer);
    await payer.ready();
    await seen(payer.page, "home-empty");
    // 3. On Receive, press Mine to this wallet.
    await payer.goTo("Receive");
    await payer.button("Mine to this wallet").waitFor();
    await seen(payer.page, "receive");
    await payer.mine();
    await payer.button("Stop mining to it").waitFor();
    await seen(payer.page, "mining");
    await payer.sum("total");
    await seen(payer.page, "home-maturing");
    // Watch each reward arrive in a block in the explorer.
    const explorer = await openPage(payer.page.context(), `${scene.node.url}/explorer/`);
    await explorer.page.getByRole("heading").first().waitFor();
    await keepPictures(explorer.page, "first-explorer");
    await explorer.page.close();
    await payer.sum("spendable");
    await seen(payer.page, "home-spendable");
    // 4. Open a second browser profile, create another wallet, copy its address.
    const payee = await openWallet(scene, PASSPHRASE);
    await payee.create();
    const address = await payee.address();
    // 5. Send from the first, with a memo.
    await payer.goTo("Send");
    await seen(payer.page, "send");
    await payer.reviewPayment({ to: address, amount: "1.5", memo: MEMO });
    await seen(payer.page, "review");
    await payer.page.getByRole("button", { name: /^Send / }).click();
    await payer.page.getByTestId("stage").first().waitFor();
    await keepPictures(payer.page, "first-proving");
    await payer.sent();
    await seen(payer.page, "sent");
    await payer.goTo("History");
    await payer.row("1.5", MEMO).waitFor();
    await seen(payer.page, "history");
    // The second wallet shows amount and memo.
    await payee.goTo("Home");
    const arrived = payee.row("+1.5", MEMO);
    await arrived.waitFor();
    await seen(payee.page, "payee-home");
    await arrived.click();
    await payee.page.getByRole("dialog").getByText(MEMO).first().waitFor();
    await seen(payee.page, "payee-details");
    await payee.page.keyboard.press("Escape");
    await payer.goTo("Home");
    await payer.button("Leave it off").waitFor();
    await seen(payer.page, "home-after");
    expect([payer.watch.faults, payee.watch.faults]).toEqual([[], []]);
  },
  HANG_MS,
);
