/** A payment to several payees: typed, filled in by a link, faulty, reviewed, made, killed in the middle, and found in the history. */
import type { Locator } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
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
}, 300_000);

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

describe("the form", () => {
  test("takes payees in and out, and the keyboard's place goes along", async () => {
    await emptyForm();
    await payer.button("Max").waitFor();
    await payer.button("Add a payee").click();
    const isAt = (place: Locator) =>
      place.evaluate((element) => element === document.activeElement);
    expect(await isAt(field(1, "To"))).toBe(true);
    // What can be sent at most is what one payee can get.
    expect(await payer.button("Max").count()).toBe(0);
    await type(0, { amount: "1" });
    await type(1, { to: bakerAddress, amount: "2" });
    await payer.button("Remove payee 1").click();
    expect(await shown()).toEqual([[bakerAddress, "2", ""]]);
    expect(await isAt(payer.button("Add a payee"))).toBe(true);
    await payer.button("Max").waitFor();
    await emptyForm();
  });

  test("is full at 37 payees, and a link that brings one more is refused at its field", async () => {
    const most = WALLET_LIMITS.walletPayeesMax;
    await emptyForm();
    for (let count = 1; count < most - 1; count += 1) await payer.button("Add a payee").click();
    const link = `${shopAddress}?amount=1&address.1=${bakerAddress}&address.2=${shopAddress}`;
    await type(0, { to: link });
    await payee(0).getByText(`The payment has 38 payees; one transaction takes ${most}.`).waitFor();
    expect(await payer.page.getByTestId("payee").count()).toBe(most - 1);
    await payer.button("Add a payee").click();
    await payer.page.getByText(`One payment has ${most} payees at most.`).waitFor();
    expect(await payer.button("Add a payee").count()).toBe(0);
    await emptyForm();
  });

  test("says a fault at the field of its payee, and goes on once it is mended", async () => {
    await typeBoth("faults");
    await type(1, { amount: "much" });
    await payee(1)
      .getByText(/is not an amount/)
      .waitFor();
    expect(
      await payee(0)
        .getByText(/is not an amount/)
        .count(),
    ).toBe(0);
    expect(await payer.page.getByTestId("payees-sum").innerText()).toBe("—");
    await payer.button("Review").click();
    expect(await axeFaults(payer.page)).toEqual([]);
    await keepPictures(payer.page, "payees-fault");
    await type(1, { amount: "2.5", to: `${bakerAddress.slice(0, -1)}b` });
    await payee(1).locator("[aria-invalid=true]").waitFor();
    expect(await payee(0).locator("[aria-invalid=true]").count()).toBe(0);
    await type(1, { to: "" });
    await payer.button("Review").click();
    await payee(1).locator("[aria-invalid=true]").waitFor();
    expect(await payer.page.getByTestId("review-payees").count()).toBe(0);
    await type(1, { to: bakerAddress });
    await review();
    await payer.page.goBack();
  });

  test("says of a sum that is not there that it is none of one payee's", async () => {
    await typeBoth("too much");
    await type(1, { amount: "20000000000" });
    await payer.page.getByRole("alert").waitFor();
    expect(await payer.page.locator("[aria-invalid=true]").count()).toBe(0);
  });

  test("has no fault at a phone's width, on a desktop, in any theme", async () => {
    await typeBoth("faults");
    await payer.page.getByTestId("payees-sum").getByText("3.75").waitFor();
    await payer.page.getByTestId("fee").getByText("coins").waitFor();
    await keepPictures(payer.page, "payees-form");
    expect(await screenFaults(payer.page, "several payees")).toEqual([]);
    await review();
    await keepPictures(payer.page, "payees-review");
    expect(await screenFaults(payer.page, "review of several payees")).toEqual([]);
    await payer.page.goBack();
  });
});

describe("a link with two payments", () => {
  const link = () =>
    `${shopAddress}?amount=1&memo=rent&address.1=${bakerAddress}&amount.1=2.5&memo.1=two%20loaves`;
  const filled = () => [
    [shopAddress, "1", "rent"],
    [bakerAddress, "2.5", "two loaves"],
  ];

  test("fills in two payees where it is pasted, beside those that are there", async () => {
    await emptyForm();
    await type(0, { to: link() });
    await expect.poll(shown).toEqual(filled());
    await payer.button("Add a payee").click();
    await type(2, { to: link() });
    await expect.poll(shown).toEqual([...filled(), ...filled()]);
    await payer.button("Review").click();
    await payer.button("Send 7 coins to 4 payees").waitFor();
    await payer.page.goBack();
  });

  test("that comes from outside fills in two payees and pays nothing", async () => {
    await emptyForm();
    await payer.page.evaluate((text) => {
      location.hash = `#/send?payment=${encodeURIComponent(text)}`;
    }, link());
    await payer.page.getByText("A payment link filled in this form").waitFor();
    await expect.poll(shown).toEqual(filled());
    await keepPictures(payer.page, "payees-link");
  });

  test.each([
    ["with a second amount and no second address", (own: string) => `${own}?amount.1=2`],
    ["with a second address that is none", (own: string) => `${own}?address.1=${own}x&amount.1=2`],
    ["with two first addresses", (own: string) => `${own}?address=${own}`],
    ["that is a flood of payees", (own: string) => flood(own)],
  ])("%s changes nothing", async (_, refused) => {
    await emptyForm();
    await payer.page.evaluate((text) => {
      location.hash = `#/send?payment=${encodeURIComponent(text)}`;
    }, refused(shopAddress));
    await payer.page.getByText("A payment link could not be read").waitFor();
    expect(await shown()).toEqual([["", "", ""]]);
  });
});

/** More payees than a link has room for. */
function flood(own: string): string {
  const fields = Array.from({ length: 60 }, (_, number) => `address.${number + 1}=${own}`);
  return `${own}?${fields.join("&")}`;
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
