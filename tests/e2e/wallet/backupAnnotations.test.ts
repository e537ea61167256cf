/** Annotations in a backup file: contacts, names of addresses and remarks come back with the wallet; a file that lies brings nothing. */
import { readFileSync } from "node:fs";
import { argon2id as nobleArgon2id } from "@noble/hashes/argon2.js";
import { afterEach, expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { openBackup, sealBackup } from "@svc/web/keyring/backupFile.ts";
import type { Argon2id } from "@svc/web/keyring/passphraseKey.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { passphraseBytes } from "@svc/web/wallet-api/passphraseBytes.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { searchOrigin } from "../testkit/originData.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated annotations here";
const CONTACT = "Zoe Unmistakable";
const NAME = "Rent of the flat";
const REMARK = "for the new roof";

const scene = setScene();
const core = await loadCoreFile();
const raw = core.addressAt(core.fullViewingKey(new Uint8Array(32).fill(9)), 0);
const opened: WalletPage[] = [];

afterEach(async () => {
  for (const wallet of opened.splice(0)) await wallet.close();
});

/** A browser without a wallet, for one test. */
async function newcomer(): Promise<WalletPage> {
  const wallet = await openWallet(scene, PASSPHRASE);
  opened.push(wallet);
  return wallet;
}

/** The file of a wallet whose owner wrote annotations of each kind. Its second address was given to somebody, and nobody paid to it yet. */
const owner = shareAmongTests(async () => {
  const wallet = await newcomer();
  const { page } = wallet;
  await wallet.create();
  await wallet.earn();
  await wallet.stopMining();
  await wallet.goTo("Receive");
  await wallet.button("New address").click();
  await wallet.button("Name of address 2").click();
  await page.getByRole("textbox", { name: "Name of address 2" }).fill(NAME);
  await wallet.button("Save").click();
  await page.getByTestId("own-address").filter({ hasText: NAME }).waitFor();
  const address = await wallet.address();
  await remarkNewest(wallet);
  await wallet.goTo("Settings");
  await wallet.button("Add a contact").click();
  await page.getByLabel("Name", { exact: true }).fill(CONTACT);
  await page.getByLabel("Address of the contact").fill(foreignTo(address));
  await wallet.button("Save").click();
  await page.getByTestId("contact").filter({ hasText: CONTACT }).waitFor();
  return { address, bytes: await savedFile(wallet) };
});

/** An address of nobody, on the network of another one. */
function foreignTo(address: string): string {
  return core.encodeAddress(address.split(":", 1)[0] ?? "", raw);
}

async function remarkNewest(wallet: WalletPage): Promise<void> {
  const { page } = wallet;
  await wallet.goTo("History");
  await page.getByRole("radio", { name: "Mined" }).click();
  await page.getByTestId("history-row").first().click();
  await wallet.button("Add a remark").click();
  await page.getByLabel("Your remark", { exact: true }).fill(REMARK);
  await wallet.button("Save").click();
  await page.getByTestId("remark").waitFor();
  await page.keyboard.press("Escape");
}

async function savedFile(wallet: WalletPage): Promise<Uint8Array> {
  const { page } = wallet;
  await wallet.button("Backup file").click();
  const saved = page.waitForEvent("download");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await keepPictures(page, "backup-file");
  await dialog.getByRole("button", { name: "Save file" }).click();
  const bytes = readFileSync(await (await saved).path());
  await wallet.says(/The file is saved/);
  return bytes;
}

/** Runs in the page: damages a record of the open wallet's store. */
async function damage(name: string): Promise<void> {
  const opening = indexedDB.open("svc-wallet");
  await new Promise((resolve) => opening.addEventListener("success", resolve));
  const transaction = opening.result.transaction("records", "readwrite");
  transaction.objectStore("records").put(new Uint8Array(64).fill(1), name);
  await new Promise((resolve) => transaction.addEventListener("complete", resolve));
  opening.result.close();
}

async function chooseFile(wallet: WalletPage, bytes: Uint8Array): Promise<void> {
  const file = { name: "wallet.json", mimeType: "application/json", buffer: Buffer.from(bytes) };
  await wallet.page.getByLabel("Backup file").setInputFiles(file);
  await wallet.page.getByLabel("Passphrase of the file", { exact: true }).fill(PASSPHRASE);
  await wallet.button("Restore wallet").click();
}

/** Looks for all annotations in an open wallet. */
async function findsAll(wallet: WalletPage, address: string): Promise<void> {
  const { page } = wallet;
  await wallet.goTo("Settings");
  await page.getByTestId("contact").filter({ hasText: CONTACT }).waitFor();
  await wallet.goTo("Receive");
  await page.getByTestId("own-address").filter({ hasText: NAME }).waitFor();
  expect(await wallet.address()).toBe(address);
  await wallet.goTo("History");
  await page.getByLabel("Search", { exact: true }).fill(REMARK);
  await page.getByTestId("history-row").filter({ hasText: REMARK }).waitFor();
}

test("annotations come back with the wallet, and nobody reads them in its store or file", async () => {
  const { address, bytes } = await owner.get();
  const annotations = [CONTACT, NAME, REMARK];
  const wallet = await newcomer();
  await wallet.button("Restore from a file").click();
  await chooseFile(wallet, bytes);
  await wallet.ready();
  await findsAll(wallet, address);
  const needles = annotations.map((word) => ({
    name: word,
    bytes: new TextEncoder().encode(word),
  }));
  expect((await searchOrigin(wallet.page, needles)).findings).toEqual([]);
  for (const word of annotations) expect(Buffer.from(bytes).includes(word)).toBe(false);
  // An address that was given to somebody is not given to another one.
  await wallet.goTo("Receive");
  await wallet.button("New address").click();
  await expect.poll(() => wallet.address()).not.toBe(address);
  await wallet.page.getByTestId("own-address").nth(2).waitFor();
  expect(wallet.watch.faults).toEqual([]);
  expect(wallet.watch.strangers).toEqual([]);
});

test("a tab that is killed while it restores has the wallet with its annotations, or no wallet", async () => {
  const { address, bytes } = await owner.get();
  const wallet = await newcomer();
  await wallet.button("Restore from a file").click();
  await chooseFile(wallet, bytes);
  const context = wallet.page.context();
  await crashPage(wallet.page);
  const again = await WalletPage.open(context, scene.node.url, PASSPHRASE);
  opened.push(again);
  const none = again.button("Restore from a file");
  await none
    .or(again.page.getByLabel("Passphrase", { exact: true }))
    .first()
    .waitFor();
  if (await none.isVisible()) {
    await none.click();
    await chooseFile(again, bytes);
  } else await again.unlock();
  await again.ready();
  await findsAll(again, address);
});

test("a file that lies about its annotations is refused in words, and nothing is stored", async () => {
  const { bytes } = await owner.get();
  const argon2id: Argon2id = (secret, salt, m, t) =>
    nobleArgon2id(secret, salt, { m, t, p: 1, dkLen: 32 });
  const secret = () => new Secret(passphraseBytes(PASSPHRASE));
  const { network: digest, networkName: name } = JSON.parse(
    JSON.parse(new TextDecoder().decode(bytes)).header,
  );
  using passphrase = secret();
  const content = openBackup(bytes, { network: digest, passphrase }, argon2id);
  // A contact of another network: whoever pays it pays nobody.
  const contacts = `{"contacts":[["${core.encodeAddress("away", raw)}","Zoe",null]],"version":1}`;
  using again = secret();
  const lie = sealBackup(
    { ...content, annotations: { ...content.annotations, contacts } },
    { network: { digest, name }, passphrase: again },
    argon2id,
    { memoryKib: PAGE_LIMITS.vaultKdfMemoryMinKib, passes: PAGE_LIMITS.vaultKdfPassesMin },
  );
  content.seed.erase();
  const wallet = await newcomer();
  await wallet.button("Restore from a file").click();
  await chooseFile(wallet, lie);
  await wallet.says(/its contacts cannot be read/);
  await keepPictures(wallet.page, "restore-file-lie");
  await wallet.page.reload();
  await wallet.button("Create a wallet").waitFor();
  await wallet.button("Restore from a file").click();
  await chooseFile(wallet, bytes);
  await wallet.ready();
});

test("names that are damaged do not keep the seed from being saved, and the wallet says so", async () => {
  const wallet = await newcomer();
  await wallet.create();
  const address = await wallet.address();
  await wallet.page.evaluate(damage, "labels");
  await wallet.goTo("Settings");
  const bytes = await savedFile(wallet);
  await wallet.says(/The names of addresses are not in it/);
  await keepPictures(wallet.page, "backup-file-without");
  const again = await newcomer();
  await again.button("Restore from a file").click();
  await chooseFile(again, bytes);
  await again.ready();
  expect(await again.address()).toBe(address);
});
