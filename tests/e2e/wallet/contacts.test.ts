/** Contacts of the browser wallet: kept encrypted, chosen in the payment form, and shown with what they proved. */
import { german } from "@svc/web/i18n/de/german.ts";
import { spanish } from "@svc/web/i18n/es/spanish.ts";
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { similarAddress } from "../../testkit/similarAddress.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { searchOrigin } from "../testkit/originData.ts";
import { setScene } from "../testkit/scene.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
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

test("a contact carries a proof that was checked, and none that does not fit", async () => {
  const { wallet, own, other, signed } = await owner.get();
  const { page } = wallet;
  await add(wallet, "Ann", other, signed);
  await wallet.says(/The viewing key does not belong to this address|the address does not belong/i);
  expect(await rows(wallet).count()).toBe(0);
  await page.getByLabel("Address of the contact").fill(own);
  await page
    .getByLabel(/^Signed message of the contact/)
    .fill(signed.replace("for the shop", "for Eve"));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await wallet.says(/signature does not belong to this address/i);
  expect(await rows(wallet).count()).toBe(0);
  await page.getByLabel(/^Signed message of the contact/).fill(signed);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await rows(wallet)
    .getByText(/Proved control of this address on/)
    .waitFor();
  await rows(wallet)
    .getByText(/Ann, for the shop/)
    .waitFor();
  expect(await screenFaults(page, "contacts")).toEqual([]);
  await keepPictures(page, "contacts");
});

test("contacts outlive a reload, and nobody reads them in the store", async () => {
  const { wallet, other } = await owner.get();
  await ensure(wallet, "Zoe Unmistakable", other);
  await wallet.reload();
  await wallet.goTo("Settings");
  await rows(wallet).filter({ hasText: "Zoe" }).waitFor();
  const name = { name: "contact", bytes: new TextEncoder().encode("Zoe Unmistakable") };
  expect((await searchOrigin(wallet.page, [name])).findings).toEqual([]);
});

test("a contact is chosen in the payment form", async () => {
  const { wallet, own, other } = await owner.get();
  const { page } = wallet;
  await ensure(wallet, "Ann", own);
  await ensure(wallet, "Zoe Unmistakable", other);
  await wallet.goTo("Send");
  const choices = page.getByLabel("Choose a contact");
  const fields = page.getByLabel("To", { exact: true });
  await choices.selectOption({ value: other });
  await expect.poll(() => fields.inputValue()).toBe(other);
  expect(await screenFaults(page, "picker")).toEqual([]);
  await keepPictures(page, "contact-picker");
  await wallet.button("Add a payee").click();
  await choices.nth(1).selectOption({ value: own });
  await expect.poll(() => fields.nth(1).inputValue()).toBe(own);
  expect(await fields.first().inputValue()).toBe(other);
  await keepPictures(page, "contact-picker-several");
  await wallet.button("Remove payee 2").click();
});

test("an address that only looks like a contact's is warned of, beside the contact's", async () => {
  const { wallet, other } = await owner.get();
  const { page } = wallet;
  await ensure(wallet, "Zoe Unmistakable", other);
  await wallet.goTo("Settings");
  await wallet.button("Add a contact").click();
  await page.getByLabel("Address of the contact").fill(similarAddress(other));
  await wallet.says(/begins and ends like the address of a contact/);
  await keepPictures(page, "contact-look-alike-added");
  await wallet.button("Cancel").click();
  await wallet.goTo("Send");
  const field = page.getByLabel("To", { exact: true });
  await field.fill(similarAddress(other));
  await wallet.says(/begins and ends like the address of a contact/);
  expect(await page.getByTestId("look-alike").textContent()).toBe(other);
  expect(await page.getByTestId("contact-name").innerText()).toContain("Zoe Unmistakable");
  await keepPictures(page, "contact-look-alike");
  await field.fill("");
  await expect.poll(() => page.getByTestId("look-alike").count()).toBe(0);
});

test.each([
  ["Deutsch", german],
  ["Español", spanish],
] as const)("contacts are whole in %s", async (name, { locale, texts }) => {
  const { wallet } = await owner.get();
  const { page } = wallet;
  const say = (key: "contacts.title" | "contacts.add" | "form.cancel") => {
    const text = texts[key];
    return typeof text === "string" ? text : text.other;
  };
  const press = (text: string) => page.getByRole("button", { name: text, exact: true }).click();
  await page.evaluate(() => (location.hash = "#/settings"));
  await page.getByRole("radio", { name }).click();
  await page.getByRole("heading", { name: say("contacts.title") }).waitFor();
  await press(say("contacts.add"));
  await page.getByRole("button", { name: say("form.cancel"), exact: true }).waitFor();
  expect(await page.getByRole("main").innerText()).not.toContain("Signed message of the contact");
  expect(await screenFaults(page, `contacts in ${locale}`)).toEqual([]);
  await keepPictures(page, `contacts-${locale}`);
  await press(say("form.cancel"));
  await page.getByRole("radio", { name: "English" }).click();
  await page.getByRole("button", { name: "Add a contact" }).waitFor();
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
