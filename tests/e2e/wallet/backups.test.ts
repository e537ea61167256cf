/** Backups of the browser wallet: a file and a page of paper restore it in another browser; a damaged file stores nothing. */
import { readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { seedCheck } from "@svc/shared/wallet/state/seedText.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";

const scene = setScene();
const opened: WalletPage[] = [];

/** A browser without a wallet, for one test. */
async function newcomer(): Promise<WalletPage> {
  const wallet = await openWallet(scene, "another browser's passphrase");
  opened.push(wallet);
  return wallet;
}

afterEach(async () => {
  for (const wallet of opened.splice(0)) await wallet.close();
});

/** An open wallet with its seed, its address and its backup file; each test leaves it so. */
const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    const seed = await wallet.create();
    const address = await wallet.address();
    const file = await savedFile(wallet);
    return { wallet, seed, address, file };
  },
  ({ wallet }) => wallet.close(),
);

async function confirmPassphrase(wallet: WalletPage, passphrase: string, submit: string) {
  const dialog = wallet.page.getByRole("dialog");
  await dialog.getByLabel("Passphrase", { exact: true }).fill(passphrase);
  await dialog.getByRole("button", { name: submit }).click();
}

async function savedFile(wallet: WalletPage): Promise<{ name: string; bytes: Buffer }> {
  await wallet.goTo("Settings");
  await wallet.button("Backup file").click();
  const saved = wallet.page.waitForEvent("download");
  await confirmPassphrase(wallet, PASSPHRASE, "Save file");
  const download = await saved;
  await wallet.says(/The file is saved/);
  await wallet.page.keyboard.press("Escape");
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), bytes };
}

async function chooseFile(wallet: WalletPage, bytes: Buffer, passphrase: string): Promise<void> {
  const file = { name: "wallet.json", mimeType: "application/json", buffer: bytes };
  await wallet.page.getByLabel("Backup file").setInputFiles(file);
  await wallet.page.getByLabel("Passphrase of the file", { exact: true }).fill(passphrase);
  await wallet.button("Restore wallet").click();
}

test("a backup file brings the wallet back under its passphrase, and holds no seed in clear", async () => {
  const { wallet: first, seed, address, file } = await owner.get();
  expect(file.name).toMatch(/^wallet-[a-z0-9-]+-\d{4}-\d\d-\d\d\.json$/);
  expect(file.bytes.includes(Buffer.from(decodeHex(seed)))).toBe(false);
  expect(file.bytes.toString()).not.toContain(seed);
  expect(first.watch.strangers).toEqual([]);

  const wallet = await newcomer();
  await wallet.button("Restore from a file").click();
  await chooseFile(wallet, file.bytes, "not its passphrase");
  await wallet.says(/This passphrase does not open the wallet/);
  await chooseFile(wallet, file.bytes, PASSPHRASE);
  await wallet.ready();
  expect(await wallet.address()).toBe(address);
  await wallet.goTo("Settings");
  await wallet.button("Lock now").click();
  await wallet.unlock(PASSPHRASE);
  await wallet.ready();
  expect(wallet.watch.faults).toEqual([]);
  expect(wallet.watch.strangers).toEqual([]);
});

test("a file that is damaged stores nothing", async () => {
  const { file } = await owner.get();
  const text = file.bytes.toString();
  const damaged = text.replace(/"sealed": "01/, '"sealed": "02');
  expect(damaged).not.toBe(text);
  const wallet = await newcomer();
  await wallet.button("Restore from a file").click();
  await chooseFile(wallet, Buffer.from(damaged), PASSPHRASE);
  await wallet.says(/it is damaged/);
  await wallet.page.reload();
  await wallet.button("Create a wallet").waitFor();
});

test("a paper backup restores the wallet", async () => {
  const { wallet, seed, address } = await owner.get();
  const { page } = wallet;
  await wallet.goTo("Settings");
  await wallet.button("Paper backup").click();
  await confirmPassphrase(wallet, PASSPHRASE, "Show the page");
  await page.getByTestId("seed").waitFor();
  const groups = await page.getByTestId("seed").getByRole("listitem").allInnerTexts();
  const paper = groups.map((text) => text.split("\n").at(-1)).join("");
  expect(paper).toBe(seed + seedCheck(decodeHex(seed)));
  await wallet.button("Close").click();

  const again = await newcomer();
  await again.restore(paper);
  expect(await again.address()).toBe(address);
});
