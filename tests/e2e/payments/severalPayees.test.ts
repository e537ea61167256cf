/** A payment to several payees: typed, reviewed, made, killed in the middle, and found in the history. */
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";

const PASSPHRASE = "a passphrase of several payees";

const scene = setScene();
let payer: WalletPage;
let shop: WalletPage;
let baker: WalletPage;
let shopAddress: string;
let bakerAddress: string;

beforeAll(async () => {
  payer = await openWallet(scene, PASSPHRASE, "", { timezoneId: "UTC" });
  await payer.create();
  await payer.earn();
  shop = await openWallet(scene, PASSPHRASE);
  await shop.create();
  shopAddress = await shop.address();
  baker = await openWallet(scene, PASSPHRASE);
  await baker.create();
  bakerAddress = await baker.address();
});

type Typed = { readonly to?: string; readonly amount?: string; readonly memo?: string };

/** The fields of the payee with this number, from 0 on. */
const payee = (number: number): Locator => payer.page.getByTestId("payee").nth(number);
const field = (number: number, name: string): Locator =>
  payee(number).getByLabel(name, { exact: true });

async function type(number: number, { to, amount, memo }: Typed): Promise<void> {
  if (to !== undefined) await field(number, "To").fill(to);
  if (amount !== undefined) await field(number, "Amount").fill(amount);
  if (memo !== undefined) await field(number, "Memo").fill(memo);
}

/** The form as it stands: address, amount and memo of each payee. */
async function shown(): Promise<readonly (readonly string[])[]> {
  const count = await payer.page.getByTestId("payee").count();
  return Promise.all(
    Array.from({ length: count }, (_, number) =>
      Promise.all(["To", "Amount", "Memo"].map((name) => field(number, name).inputValue())),
    ),
  );
}

/** The form with one empty payee. */
async function emptyForm(): Promise<void> {
  await payer.goTo("Send");
  const removing = payer.button(/^Remove payee/);
  while ((await removing.count()) > 0) await removing.last().click();
  await type(0, { to: "", amount: "", memo: "" });
}

/** Fills in a payment to both. */
async function typeBoth(memo: string): Promise<void> {
  await emptyForm();
  await type(0, { to: shopAddress, amount: "1.25", memo });
  await payer.button("Add a payee").click();
  await type(1, { to: bakerAddress, amount: "2.5", memo: `${memo} bread` });
}

async function review(): Promise<void> {
  await payer.button("Review").click();
  await payer.button("Send 3.75 coins to 2 payees").waitFor();
}

describe("a payment to two payees", () => {
  test(
    "whose tab dies before its end is not made, and is filled in again whole",
    async () => {
      await typeBoth("killed");
      await review();
      const { page } = payer;
      const context = page.context();
      const proving = page.locator("[data-testid=stage][data-stage=proving]");
      await page.getByRole("button", { name: /^Send / }).click();
      await proving.waitFor();
      await crashPage(page);
      payer = await WalletPage.open(context, scene.node.url, PASSPHRASE);
      await payer.unlock();
      await payer.ready();
      await payer.goTo("Send");
      expect(await shown()).toEqual([["", "", ""]]);
      await payer.goTo("History");
      const row = payer.page.getByTestId("history-row").filter({ hasText: "killed" });
      await row.filter({ hasText: "Not sent" }).click();
      expect(await payer.page.getByTestId("row-payees").getByRole("listitem").count()).toBe(2);
      expect(await axeFaults(payer.page)).toEqual([]);
      await payer.button("Fill in again").click();
      await expect.poll(shown).toEqual([
        [shopAddress, "1.25", "killed"],
        [bakerAddress, "2.5", "killed bread"],
      ]);
    },
    HANG_MS,
  );

  test(
    "is confirmed once, and both have their money and their memo",
    async () => {
      await typeBoth("shared");
      await review();
      const list = payer.page.getByTestId("review-payees").getByRole("listitem");
      expect(await list.count()).toBe(2);
      expect(await list.nth(1).innerText()).toContain("shared bread");
      await payer.page.getByRole("button", { name: /^Send / }).click();
      await payer.sent();
      await payer.page.getByText("To 2 payees").waitFor();
      await keepPictures(payer.page, "payees-sent");
      await payer.goTo("History");
      const row = payer.page.getByTestId("history-row").filter({ hasText: "shared" });
      await row.filter({ hasText: /Arriving|Confirmed/ }).waitFor();
      expect(await row.count()).toBe(1);
      await row.click();
      const paid = payer.page.getByTestId("row-payees").getByRole("listitem");
      expect(await paid.nth(0).innerText()).toContain("1.25");
      expect(await paid.nth(1).innerText()).toContain("shared bread");
      expect(await axeFaults(payer.page)).toEqual([]);
      await keepPictures(payer.page, "payees-history");
      await payer.page.keyboard.press("Escape");
      for (const [wallet, amount, memo] of [
        [shop, "1.25", "shared"],
        [baker, "2.5", "shared bread"],
      ] as const) {
        await wallet.goTo("Home");
        await expect.poll(() => wallet.shownTotal()).toBe(amount);
        await wallet.page.getByTestId("history-row").filter({ hasText: memo }).waitFor();
      }
      expect([payer, shop, baker].flatMap(({ watch }) => watch.faults)).toEqual([]);
    },
    HANG_MS,
  );
});
