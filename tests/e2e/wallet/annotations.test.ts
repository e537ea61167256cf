/** The owner's words beside payments, remarks and names of addresses, and what warns before money goes to the wrong place. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { similarAddress } from "../../testkit/similarAddress.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { searchOrigin } from "../testkit/originData.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "a passphrase for own words";
const REMARK = "for the new roof";

const scene = setScene();
let wallet: WalletPage;
let own: string;

beforeAll(async () => {
  wallet = await openWallet(scene, PASSPHRASE);
  await wallet.create();
  own = await wallet.address();
  await wallet.earn();
  await wallet.stopMining();
}, 300_000);

const field = (name: string, page: Page = wallet.page) => page.getByLabel(name, { exact: true });
const rows = () => wallet.page.getByTestId("history-row");
const remarked = () => rows().filter({ hasText: REMARK });

/** The history with this in its search field. */
async function search(text: string): Promise<void> {
  await wallet.goTo("History");
  await field("Search").fill(text);
}

/** Opens the newest block that was mined. */
async function openNewest(): Promise<void> {
  await search("");
  await wallet.page.getByRole("radio", { name: "Mined" }).check();
  await rows().first().click();
}

describe("words of a wallet's owner", () => {
  test("a remark stands on its line, is found and saved, and is in no record in clear", async () => {
    await openNewest();
    await wallet.button("Add a remark").click();
    await expect.poll(() => wallet.page.locator(":focus").getAttribute("maxlength")).toBe("200");
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "remark-form");
    await field("Your remark").fill(`  ${REMARK} `);
    await wallet.button("Save").click();
    await wallet.page.getByTestId("remark").waitFor();
    expect(await wallet.page.getByTestId("remark").innerText()).toBe(REMARK);
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "remark");
    await wallet.page.keyboard.press("Escape");

    await search("NEW ROOF");
    await expect.poll(() => rows().count()).toBe(1);
    await remarked().waitFor();
    await wallet.page.getByText("Save the list as a file").click();
    const saving = wallet.page.waitForEvent("download");
    await wallet.button(/CSV/).click();
    const file = readFileSync(await (await saving).path(), "utf8");
    expect(file.trim().split("\r\n")).toHaveLength(2);
    expect(file).toContain(REMARK);
    const name = { name: "remark", bytes: new TextEncoder().encode(REMARK) };
    expect((await searchOrigin(wallet.page, [name])).findings).toEqual([]);
  });

  test("the name of an address stands in what it received, and finds it", async () => {
    await wallet.goTo("Receive");
    await wallet.button("Name of address 1").click();
    await wallet.page.getByRole("textbox", { name: "Name of address 1" }).fill("The shop");
    await wallet.button("Save").click();
    await wallet.page.getByTestId("own-address").filter({ hasText: "The shop" }).waitFor();
    await search("the shop");
    await rows().first().click();
    await wallet.page.getByRole("dialog").getByText("The shop").waitFor();
    await wallet.page.getByText(/· Your address 1/).waitFor();
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "named-address");
    await wallet.page.keyboard.press("Escape");
  });

  test("outlive a reload, a new scan and a tab that is killed", async () => {
    await wallet.reload();
    await search(REMARK);
    await remarked().waitFor();
    await wallet.goTo("Settings");
    await wallet.button("From the beginning").click();
    await wallet.page.getByText("The scan has begun anew.").waitFor();
    await wallet.ready();
    await search(REMARK);
    await remarked().click();
    await wallet.button("Change the remark").click();
    await field("Your remark").fill(`${REMARK}, paid`);
    await wallet.button("Save").click();
    await expect.poll(() => wallet.page.getByTestId("remark").innerText()).toContain("paid");
    const context = wallet.page.context();
    await crashPage(wallet.page);
    wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
    await wallet.unlock();
    await wallet.ready();
    await search("roof, paid");
    await remarked().waitFor();
  });
});

describe("a payee's address that only looks like a known one", () => {
  test("is warned of at its field and in the review, beside the known one", async () => {
    const { page } = wallet;
    const similar = similarAddress(own);
    const warning = page.getByText("This address only looks like one that you know");
    await wallet.goTo("Send");
    await field("To").fill(own);
    await field("Amount").fill("1");
    await page.getByTestId("fee").filter({ hasText: /\d/ }).waitFor();
    expect(await warning.count()).toBe(0);
    await field("To").fill(similar);
    await warning.waitFor();
    expect(await page.getByTestId("look-alike").textContent()).toBe(own);
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "look-alike-form");
    await wallet.button("Review").click();
    await page.getByRole("button", { name: /^Send / }).waitFor();
    await warning.waitFor();
    expect(await page.getByTestId("look-alike").textContent()).toBe(own);
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "look-alike-review");
    await wallet.button("Change").click();
    await field("To").fill("");
    await expect.poll(() => warning.count()).toBe(0);
  });
});

describe("a passphrase and a seed", () => {
  test("the hint follows what is typed, and the day stands beside the revealed seed", async () => {
    const { page } = wallet;
    await wallet.goTo("Settings");
    await wallet.button("Change passphrase").click();
    const next = field("New passphrase");
    await next.fill("short");
    await page.getByText(/^At least 10 characters/).waitFor();
    await next.fill("abcabcabcabcabc");
    await page.getByText(/^Easy to guess/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "passphrase-hint");
    await next.fill("four unrelated words here");
    await page.getByText(/^Long enough to be strong/).waitFor();
    await page.keyboard.press("Escape");

    await wallet.button("Reveal seed").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole("button", { name: "Reveal", exact: true }).click();
    await dialog.getByText("First used").waitFor();
    await dialog.getByText(/^\d{4}-\d\d-\d\d$/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
  });
});
