/** Backups of the browser wallet: a file and a page of paper restore it; any other file is refused with a sentence. */
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { seedCheck } from "@svc/shared/wallet/state/seedText.ts";
import { PAGE_LIMITS } from "@svc/web/pageLimits.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";
const DAEMON_FILE = JSON.stringify({ magic: "svc-wallet-backup", version: 1 });

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

describe("a backup file", () => {
  test("brings the wallet back under its passphrase, and holds no seed in clear", async () => {
    const { wallet: first, seed, address, file } = await owner.get();
    expect(file.name).toMatch(/^wallet-[a-z0-9-]+-\d{4}-\d\d-\d\d\.json$/);
    expect(file.bytes.includes(Buffer.from(decodeHex(seed)))).toBe(false);
    expect(file.bytes.toString()).not.toContain(seed);
    expect(first.watch.strangers).toEqual([]);

    const wallet = await newcomer();
    await wallet.button("Restore from a file").click();
    await chooseFile(wallet, file.bytes, "not its passphrase");
    await wallet.says(/This passphrase does not open the wallet/);
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "restore-file");
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

  test("that is damaged, foreign or too large is refused in words, and nothing is stored", async () => {
    const { file } = await owner.get();
    const wallet = await newcomer();
    await wallet.button("Restore from a file").click();
    await wallet.page.getByLabel("Passphrase of the file", { exact: true }).fill(PASSPHRASE);
    await wallet.button("Restore wallet").click();
    await wallet.says(/Choose the file first/);
    const text = file.bytes.toString();
    const damaged = text.replace(/"sealed": "01/, '"sealed": "02');
    expect(damaged).not.toBe(text);
    const cases = [
      [Buffer.from(damaged), /it is damaged/],
      [file.bytes.subarray(0, 200), /it is no backup of this wallet/],
      [Buffer.from("a holiday picture"), /it is no backup of this wallet/],
      [Buffer.from(DAEMON_FILE), /wallet daemon/],
      [Buffer.alloc(PAGE_LIMITS.backupFileBytes + 1, 32), /it is too large/],
    ] as const;
    for (const [bytes, sentence] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one file after the other
      await chooseFile(wallet, bytes, PASSPHRASE);
      // oxlint-disable-next-line no-await-in-loop
      await wallet.says(sentence);
    }
    await wallet.page.reload();
    await wallet.button("Create a wallet").waitFor();
  });
});

describe("a paper backup", () => {
  test("is shown after the passphrase alone, and restores the wallet", async () => {
    const { wallet, seed, address } = await owner.get();
    const { page } = wallet;
    const paper = seed + seedCheck(decodeHex(seed));
    await wallet.goTo("Settings");
    await wallet.button("Paper backup").click();
    await confirmPassphrase(wallet, "not the passphrase", "Show the page");
    await wallet.says(/This passphrase does not open the wallet/);
    expect(await page.getByTestId("seed").count()).toBe(0);
    await confirmPassphrase(wallet, PASSPHRASE, "Show the page");
    await page.getByTestId("seed").waitFor();
    const groups = await page.getByTestId("seed").getByRole("listitem").allInnerTexts();
    expect(groups.map((text) => text.split("\n").at(-1)).join("")).toBe(paper);
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    await page.getByText("First used").waitFor();
    await page.getByText(/^\d{4}-\d\d-\d\d$/).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "paper-backup");

    // On paper there is the page alone: no menu, no buttons, no warning about printers.
    await page.emulateMedia({ media: "print" });
    for (const name of ["Print", "Close"]) {
      // oxlint-disable-next-line no-await-in-loop
      expect(await wallet.button(name).isVisible()).toBe(false);
    }
    expect(await page.getByRole("navigation").isVisible()).toBe(false);
    expect(await page.getByTestId("seed").isVisible()).toBe(true);
    await keepPictures(page, "paper-backup-printed");
    await page.emulateMedia({ media: "screen" });

    await wallet.button("Close").click();
    await page.getByTestId("seed").waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(seed.slice(0, 8));

    const again = await newcomer();
    await again.restore(paper);
    expect(await again.address()).toBe(address);
  });
});
