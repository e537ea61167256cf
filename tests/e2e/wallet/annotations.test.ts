/** The owner's words beside payments, remarks and names of addresses, as they are stored. */
import { beforeAll, describe, expect, test } from "vitest";
import { crashPage } from "../testkit/crashPage.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { searchOrigin } from "../testkit/originData.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "a passphrase for own words";
const REMARK = "for the new roof";
const NAME = "The unmistakable shop";

const scene = setScene();
let wallet: WalletPage;

beforeAll(async () => {
  wallet = await openWallet(scene, PASSPHRASE);
  await wallet.create();
  await wallet.earn();
  await wallet.stopMining();
});

const field = (name: string) => wallet.page.getByLabel(name, { exact: true });
const rows = () => wallet.page.getByTestId("history-row");
const remarked = () => rows().filter({ hasText: REMARK });
const named = () => wallet.page.getByTestId("own-address").filter({ hasText: NAME });

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
  test("are in no record in clear", async () => {
    await openNewest();
    await wallet.button("Add a remark").click();
    await field("Your remark").fill(REMARK);
    await wallet.button("Save").click();
    await wallet.page.getByTestId("remark").filter({ hasText: REMARK }).waitFor();
    await wallet.page.keyboard.press("Escape");
    await wallet.goTo("Receive");
    await wallet.button("Name of address 1").click();
    await wallet.page.getByRole("textbox", { name: "Name of address 1" }).fill(NAME);
    await wallet.button("Save").click();
    await named().waitFor();
    const words = [REMARK, NAME].map((word) => ({
      name: word,
      bytes: new TextEncoder().encode(word),
    }));
    expect((await searchOrigin(wallet.page, words)).findings).toEqual([]);
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
    await wallet.goTo("Receive");
    await named().waitFor();
  });
});
