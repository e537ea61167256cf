/** Passphrase and automatic lock of the browser wallet: changed in the settings, and through a tab that dies meanwhile. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const OLD = "four unrelated words here";
const NEXT = "five other words, even here";

const scene = setScene();
const opened: WalletPage[] = [];

afterEach(async () => {
  for (const wallet of opened.splice(0)) await wallet.close();
});

async function created(): Promise<WalletPage> {
  const wallet = await openWallet(scene, OLD);
  opened.push(wallet);
  await wallet.create();
  return wallet;
}

async function fillChange(wallet: WalletPage, now: string, next: string): Promise<void> {
  const dialog = wallet.page.getByRole("dialog");
  await dialog.getByLabel("Passphrase now").fill(now);
  await dialog.getByLabel("New passphrase").fill(next);
  await dialog.getByLabel("Passphrase again").fill(next);
}

const submit = (wallet: WalletPage) =>
  wallet.page.getByRole("dialog").getByRole("button", { name: "Change passphrase" });

async function openChange(wallet: WalletPage): Promise<void> {
  await wallet.goTo("Settings");
  await wallet.button("Change passphrase").click();
}

describe("the passphrase", () => {
  test("is changed: the new one opens the wallet, the old one does not", async () => {
    const wallet = await created();
    const address = await wallet.address();
    await openChange(wallet);
    await fillChange(wallet, "not the passphrase", NEXT);
    await submit(wallet).click();
    await wallet.says(/This passphrase does not open the wallet/);
    await fillChange(wallet, OLD, "short");
    await submit(wallet).click();
    await wallet.says(/needs at least 10 characters/);
    await fillChange(wallet, OLD, NEXT);
    expect(await axeFaults(wallet.page)).toEqual([]);
    await keepPictures(wallet.page, "change-passphrase");
    await submit(wallet).click();
    await wallet.says(/The passphrase is changed/);
    await wallet.page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();

    await wallet.button("Lock now").click();
    await wallet.unlock(OLD);
    await wallet.says(/This passphrase does not open the wallet/);
    await wallet.unlock(NEXT);
    await wallet.ready();
    expect(await wallet.address()).toBe(address);
    expect(wallet.watch.faults).toEqual([]);
    expect(wallet.watch.strangers).toEqual([]);
  });

  test.each(["before", "while", "after"] as const)(
    "a tab that dies %s the new one is stored leaves one that opens the wallet",
    async (moment) => {
      const wallet = await created();
      const address = await wallet.address();
      await openChange(wallet);
      await fillChange(wallet, OLD, NEXT);
      const stored = moment === "after" ? headerChanged(wallet.page) : Promise.resolve();
      await submit(wallet).click();
      if (moment === "while") await wallet.page.locator("dialog [aria-busy=true]").waitFor();
      await stored;
      await crashPage(wallet.page);

      const context = wallet.page.context();
      const again = await WalletPage.open(context, scene.node.url, OLD);
      await again.unlock(NEXT);
      const opens = again.page.getByRole("navigation", { name: "Main" });
      const refused = again.page.getByText("This passphrase does not open the wallet.");
      await opens.or(refused).first().waitFor();
      if (moment === "after") expect(await refused.count()).toBe(0);
      if (await refused.isVisible()) await again.unlock(OLD);
      await again.ready();
      expect(await again.address()).toBe(address);
    },
  );
});

describe("the automatic lock", () => {
  test("comes after the chosen time without input, which the wallet keeps", async () => {
    const wallet = await created();
    const { page } = wallet;
    await wallet.goTo("Settings");
    const choice = (name: string) => page.getByRole("radio", { name, exact: true });
    expect(await choice("15 minutes").isChecked()).toBe(true);
    // A choice shows once it is stored, so it may not be checked yet when the press is done.
    await choice("5 minutes").click();
    await expect.poll(() => choice("5 minutes").isChecked()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, "settings-security");

    await wallet.reload();
    await wallet.goTo("Settings");
    await expect.poll(() => choice("5 minutes").isChecked()).toBe(true);
    await page.clock.install();
    await page.clock.fastForward("04:30");
    await page.keyboard.press("Shift");
    await page.clock.fastForward("04:30");
    expect(await wallet.button("Lock now").isVisible()).toBe(true);
    await page.clock.fastForward("00:40");
    await wallet.button("Unlock").waitFor();
  });
});

/** Resolves as soon as the stored vault has another header. */
function headerChanged(page: Page): Promise<void> {
  const changed = page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
      });
    const database = await done(indexedDB.open("svc-wallet"));
    const header = async (): Promise<string> =>
      (await done(database.transaction("vault").objectStore("vault").get("vault"))).header;
    const first = await header();
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    while ((await header()) === first);
  });
  // A page that dies first has nothing to tell.
  return changed.catch(() => undefined);
}
