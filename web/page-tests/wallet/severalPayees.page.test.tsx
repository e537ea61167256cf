/** A payment to several payees: typed, filled in by a link, faulty, and reviewed. */
import { WALLET_LIMITS } from "@svc/shared/wallet/walletLimits.ts";
import { describe, expect, test } from "vitest";
import { page, type Locator } from "vitest/browser";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button, textOf } from "../testkit/walletScreen.ts";

type Payees = { readonly shop: string; readonly baker: string };

/** The form of a wallet with coins, and two payees. */
async function openForm(): Promise<Payees> {
  const model = await ModelWallet.open();
  await showWallet(model.snapshot(), { hash: "#/send", wallet: model.answers() });
  return { shop: model.stranger(0), baker: model.stranger(1) };
}

type Typed = { readonly to?: string; readonly amount?: string; readonly memo?: string };

/** The fields of the payee with this number, from 0 on. */
const payee = (number: number): Locator => page.getByTestId("payee").nth(number);
const field = (number: number, name: string): Locator =>
  payee(number).getByLabelText(name, { exact: true });

async function type(number: number, { to, amount, memo }: Typed): Promise<void> {
  if (to !== undefined) await field(number, "To").fill(to);
  if (amount !== undefined) await field(number, "Amount").fill(amount);
  if (memo !== undefined) await field(number, "Memo").fill(memo);
}

/** The form as it stands: address, amount and memo of each payee. */
function shown(): readonly (readonly string[])[] {
  const groups = page.getByTestId("payee").elements();
  return groups.map((group) =>
    [...group.querySelectorAll<HTMLInputElement>("textarea, input")].map(({ value }) => value),
  );
}

/** Fills in a payment to both. */
async function typeBoth({ shop, baker }: Payees, memo: string): Promise<void> {
  await type(0, { to: shop, amount: "1.25", memo });
  await button("Add a payee").click();
  await type(1, { to: baker, amount: "2.5", memo: `${memo} bread` });
}

async function review(): Promise<void> {
  await button("Review").click();
  await expect.element(button("Send 3.75 coins to 2 payees")).toBeVisible();
}

const wrongIn = (place: Locator) => place.element().querySelectorAll("[aria-invalid=true]").length;
const wrong = () => document.querySelectorAll("[aria-invalid=true]").length;

/** Opens a link as another program does: it changes the address of the page. */
function openLink(link: string): void {
  location.hash = `#/send?payment=${encodeURIComponent(link)}`;
}

describe("the form", () => {
  test("takes payees in and out, and the keyboard's place goes along", async () => {
    const { baker } = await openForm();
    await expect.element(button("Max")).toBeVisible();
    await button("Add a payee").click();
    expect(document.activeElement).toBe(field(1, "To").element());
    // What can be sent at most is what one payee can get.
    expect(button("Max").query()).toBeNull();
    await type(0, { amount: "1" });
    await type(1, { to: baker, amount: "2" });
    await button("Remove payee 1").click();
    expect(shown()).toEqual([[baker, "2", ""]]);
    expect(document.activeElement).toBe(button("Add a payee").element());
    await expect.element(button("Max")).toBeVisible();
  });

  test("is full at 37 payees, and a link that brings one more is refused at its field", async () => {
    const { shop, baker } = await openForm();
    const most = WALLET_LIMITS.walletPayeesMax;
    for (let count = 1; count < most - 1; count += 1) await button("Add a payee").click();
    await type(0, { to: `${shop}?amount=1&address.1=${baker}&address.2=${shop}` });
    const sentence = `The payment has 38 payees; one transaction takes ${most}.`;
    await expect.element(payee(0).getByText(sentence)).toBeVisible();
    expect(page.getByTestId("payee").elements()).toHaveLength(most - 1);
    await button("Add a payee").click();
    await expect.element(page.getByText(`One payment has ${most} payees at most.`)).toBeVisible();
    expect(button("Add a payee").query()).toBeNull();
  });

  test("says a fault at the field of its payee, and goes on once it is mended", async () => {
    const both = await openForm();
    await typeBoth(both, "faults");
    await type(1, { amount: "much" });
    await expect.element(payee(1).getByText(/is not an amount/)).toBeVisible();
    expect(
      payee(0)
        .getByText(/is not an amount/)
        .query(),
    ).toBeNull();
    await expect.poll(() => textOf(page.getByTestId("payees-sum"))).toBe("—");
    await button("Review").click();
    expect(await screenFaults("faults of several payees")).toEqual([]);
    await type(1, { amount: "2.5", to: `${both.baker.slice(0, -1)}b` });
    await expect.poll(() => wrongIn(payee(1))).toBe(1);
    expect(wrongIn(payee(0))).toBe(0);
    await type(1, { to: "" });
    await button("Review").click();
    await expect.poll(() => wrongIn(payee(1))).toBe(1);
    expect(page.getByTestId("review-payees").query()).toBeNull();
    await type(1, { to: both.baker });
    await review();
  });

  test("says of a sum that is not there that it is none of one payee's", async () => {
    await typeBoth(await openForm(), "too much");
    await type(1, { amount: "20000000000" });
    await expect.element(page.getByRole("alert")).toBeVisible();
    expect(wrong()).toBe(0);
  });

  test("has no fault at a phone's width, on a desktop, in any theme", async () => {
    await typeBoth(await openForm(), "faults");
    await expect.element(page.getByTestId("payees-sum").getByText("3.75")).toBeVisible();
    await expect.element(page.getByTestId("fee").getByText("coins")).toBeVisible();
    expect(await screenFaults("several payees")).toEqual([]);
    await review();
    expect(await screenFaults("review of several payees")).toEqual([]);
  });
});

describe("a link with two payments", () => {
  const linkTo = ({ shop, baker }: Payees) =>
    `${shop}?amount=1&memo=rent&address.1=${baker}&amount.1=2.5&memo.1=two%20loaves`;
  const filledFor = ({ shop, baker }: Payees) => [
    [shop, "1", "rent"],
    [baker, "2.5", "two loaves"],
  ];

  test("fills in two payees where it is pasted, beside those that are there", async () => {
    const both = await openForm();
    await type(0, { to: linkTo(both) });
    await expect.poll(shown).toEqual(filledFor(both));
    await button("Add a payee").click();
    await type(2, { to: linkTo(both) });
    await expect.poll(shown).toEqual([...filledFor(both), ...filledFor(both)]);
    await button("Review").click();
    await expect.element(button("Send 7 coins to 4 payees")).toBeVisible();
  });

  test("that comes from outside fills in two payees and pays nothing", async () => {
    const model = await ModelWallet.open();
    const both = { shop: model.stranger(0), baker: model.stranger(1) };
    const workers = await showWallet(model.snapshot(), { hash: "#/send", wallet: model.answers() });
    openLink(linkTo(both));
    await expect.element(page.getByText("A payment link filled in this form")).toBeVisible();
    await expect.poll(shown).toEqual(filledFor(both));
    expect(workers.callsOf("send")).toEqual([]);
  });

  test.each([
    ["with a second amount and no second address", (own: string) => `${own}?amount.1=2`],
    ["with a second address that is none", (own: string) => `${own}?address.1=${own}x&amount.1=2`],
    ["with two first addresses", (own: string) => `${own}?address=${own}`],
    ["that is a flood of payees", (own: string) => flood(own)],
  ])("%s changes nothing", async (_, refused) => {
    const { shop } = await openForm();
    openLink(refused(shop));
    await expect.element(page.getByText("A payment link could not be read")).toBeVisible();
    expect(shown()).toEqual([["", "", ""]]);
  });
});

/** More payees than a link has room for. */
function flood(own: string): string {
  const fields = Array.from({ length: 60 }, (_, number) => `address.${number + 1}=${own}`);
  return `${own}?${fields.join("&")}`;
}
