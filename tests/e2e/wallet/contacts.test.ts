/** Contacts of the browser wallet, as they are stored: encrypted, with what they proved, and through a tab that dies. */
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { searchOrigin } from "../testkit/originData.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";

const scene = setScene();
const core = await loadCoreFile();

const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    await wallet.create();
    const own = await wallet.address();
    const other = core.encodeAddress(
      own.split(":", 1)[0] ?? "",
      core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(9)), 0),
    );
    return { wallet, own, other, signed: await signedBy(wallet) };
  },
  ({ wallet }) => wallet.close(),
);

/** A message of this wallet, as it is copied and pasted elsewhere. */
async function signedBy(wallet: WalletPage): Promise<string> {
  const { page } = wallet;
  await page.evaluate(() => (location.hash = "#/settings/messages"));
  await page.getByLabel("Text", { exact: true }).fill("Ann, for the shop");
  await page.getByRole("checkbox").click();
  await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await page.getByRole("button", { name: "Sign", exact: true }).click();
  const shown = page.getByTestId("signed-message").locator("dd");
  await shown.nth(2).waitFor();
  const facts = await shown.allInnerTexts();
  const [address = "", message, signature] = facts;
  return JSON.stringify({ address: address.replaceAll(/\s/g, ""), message, signature });
}

/** Fills in the form of a contact and saves it. */
async function add(wallet: WalletPage, name: string, address: string, proof = ""): Promise<void> {
  await wallet.goTo("Settings");
  const { page } = wallet;
  await page.getByRole("button", { name: "Add a contact" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Address of the contact").fill(address);
  await page.getByLabel(/^Signed message of the contact/).fill(proof);
  await page.getByRole("button", { name: "Save", exact: true }).click();
}

const rows = ({ page }: WalletPage) => page.getByTestId("contact");

/** Adds the contact unless an earlier test did: after one that failed the wallet is another one. */
async function ensure(wallet: WalletPage, name: string, address: string): Promise<void> {
  await wallet.goTo("Settings");
  await wallet.button("Add a contact").waitFor();
  const row = rows(wallet).filter({ hasText: name });
  if ((await row.count()) === 0) await add(wallet, name, address);
  await row.waitFor();
}

test("contacts outlive a reload with what they proved, and nobody reads them in the store", async () => {
  const { wallet, own, other, signed } = await owner.get();
  await add(wallet, "Ann", own, signed);
  await ensure(wallet, "Zoe Unmistakable", other);
  await wallet.reload();
  await wallet.goTo("Settings");
  await rows(wallet).filter({ hasText: "Zoe" }).waitFor();
  const proved = rows(wallet).filter({ hasText: "Proved control of this address on" });
  await proved.filter({ hasText: "Ann, for the shop" }).waitFor();
  const name = { name: "contact", bytes: new TextEncoder().encode("Zoe Unmistakable") };
  expect((await searchOrigin(wallet.page, [name])).findings).toEqual([]);
});

test("a tab that is killed while a contact is kept has it or lacks it, never half", async () => {
  const { wallet, own, other } = await owner.get();
  await ensure(wallet, "Ann", own);
  await ensure(wallet, "Zoe Unmistakable", other);
  await wallet.button("Remove Zoe Unmistakable").click();
  await rows(wallet).filter({ hasText: "Zoe" }).waitFor({ state: "detached" });
  await add(wallet, "Killed", other);
  const context = wallet.page.context();
  await crashPage(wallet.page);
  const again = await WalletPage.open(context, scene.node.url, PASSPHRASE);
  await again.unlock();
  await again.ready();
  await again.goTo("Settings");
  await rows(again).filter({ hasText: "Ann" }).waitFor();
  const kept = await rows(again).allInnerTexts();
  expect(kept.length).toBeLessThanOrEqual(2);
  expect(kept.filter((text) => !/Ann|Killed/.test(text))).toEqual([]);
  await owner.drop();
});
