/** The owner's words beside payments, remarks and names of addresses, and the warning of an address that looks like a known one. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { similarAddress } from "../../../tests/testkit/similarAddress.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { OwnedWallet } from "../testkit/owned/ownedWallet.ts";
import { savedFiles } from "../testkit/savedFiles.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { button, field, goTo, textOf } from "../testkit/walletScreen.ts";

const REMARK = "for the new roof";

const rows = page.getByTestId("history-row");

/** The history with this in its search field. */
async function search(text: string): Promise<void> {
  await goTo("History");
  await field("Search").fill(text);
}

test("a remark stands on its line, is found, and is in a file of the list", async () => {
  await OwnedWallet.show({ hash: "#/history" });
  await page.getByRole("radio", { name: "Mined" }).click();
  await expect.poll(() => rows.elements().length).toBe(11);
  await rows.first().click();
  await button("Add a remark").click();
  await expect.poll(() => document.activeElement?.getAttribute("maxlength")).toBe("200");
  expect(await screenFaults("remark-form")).toEqual([]);
  await field("Your remark").fill(`  ${REMARK} `);
  await button("Save").click();
  await expect.element(page.getByTestId("remark")).toBeVisible();
  expect(textOf(page.getByTestId("remark"))).toBe(REMARK);
  expect(await axeFaults()).toEqual([]);
  await userEvent.keyboard("{Escape}");

  await search("NEW ROOF");
  await expect.poll(() => rows.elements().length).toBe(1);
  await expect.element(rows.filter({ hasText: REMARK })).toBeVisible();
  const files = savedFiles();
  await page.getByText("Save the list as a file").click();
  await button(/CSV/).click();
  await expect.poll(() => files.length).toBe(1);
  const text = await files[0]?.content.text();
  expect(text?.trim().split("\r\n")).toHaveLength(2);
  expect(text).toContain(REMARK);
  expect(files[0]?.name).toMatch(/\.csv$/);
});

test("a remark is changed, and taken away where nothing is left of it", async () => {
  await OwnedWallet.show({ hash: "#/history/mined" });
  await rows.first().click();
  await button("Add a remark").click();
  await field("Your remark").fill(REMARK);
  await button("Save").click();
  await button("Change the remark").click();
  await field("Your remark").fill(`${REMARK}, paid`);
  await button("Save").click();
  await expect.poll(() => textOf(page.getByTestId("remark"))).toBe(`${REMARK}, paid`);
  await button("Change the remark").click();
  await field("Your remark").fill(" ");
  await button("Save").click();
  await expect.element(button("Add a remark")).toBeVisible();
  expect(page.getByTestId("remark").query()).toBeNull();
});

test("the name of an address stands in what it received, and finds it", async () => {
  await OwnedWallet.show({ hash: "#/receive" });
  await button("Name of address 1").click();
  await page.getByRole("textbox", { name: "Name of address 1" }).fill("The shop");
  await button("Save").click();
  const named = page.getByTestId("own-address").filter({ hasText: "The shop" });
  await expect.element(named).toBeVisible();
  await search("the shop");
  await rows.first().click();
  await expect.element(page.getByRole("dialog").getByText("The shop")).toBeVisible();
  await expect.element(page.getByText(/· Your address 1/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("a payee's address that only looks like a known one is warned of at its field and in the review", async () => {
  const { model } = await OwnedWallet.show({ hash: "#/send" });
  const warning = page.getByText("This address only looks like one that you know");
  const known = page.getByTestId("look-alike");
  await field("To").fill(model.own);
  await field("Amount").fill("1");
  await expect.element(page.getByTestId("fee").filter({ hasText: /\d/ })).toBeVisible();
  expect(warning.query()).toBeNull();
  await field("To").fill(similarAddress(model.own));
  await expect.element(warning).toBeVisible();
  expect(textOf(known)).toBe(model.own);
  expect(await axeFaults()).toEqual([]);
  await button("Review").click();
  await expect.element(button(/^Send /)).toBeVisible();
  await expect.element(warning).toBeVisible();
  expect(textOf(known)).toBe(model.own);
  expect(await axeFaults()).toEqual([]);
  await button("Change").click();
  await field("To").fill("");
  await expect.element(warning).not.toBeInTheDocument();
});
