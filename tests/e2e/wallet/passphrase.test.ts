/** Passphrase and automatic lock of the browser wallet, as they are stored: through a tab that dies meanwhile, and over a reload. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { crashPage } from "../testkit/crashPage.ts";
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

/** Fills in the form that changes the passphrase. */
async function fillChange(wallet: WalletPage): Promise<void> {
  await wallet.goTo("Settings");
  await wallet.button("Change passphrase").click();
  const dialog = wallet.page.getByRole("dialog");
  await dialog.getByLabel("Passphrase now").fill(OLD);
  await dialog.getByLabel("New passphrase").fill(NEXT);
  await dialog.getByLabel("Passphrase again").fill(NEXT);
}

describe("the passphrase", () => {
  test.each(["before", "while", "after"] as const)(
    "a tab that dies %s the new one is stored leaves one that opens the wallet",
    async (moment) => {
      const wallet = await created();
      const address = await wallet.address();
      await fillChange(wallet);
      const stored = moment === "after" ? headerChanged(wallet.page) : Promise.resolve();
      const dialog = wallet.page.getByRole("dialog");
      await Promise.all([
        dialog.getByRole("button", { name: "Change passphrase" }).click(),
        stored,
      ]);
      if (moment === "while") await wallet.page.locator("dialog [aria-busy=true]").waitFor();
      await crashPage(wallet.page);

      const context = wallet.page.context();
      const again = await WalletPage.open(context, scene.node.url, OLD);
      const opens = again.page.getByRole("navigation", { name: "Main" });
      const refused = again.page.getByText("This passphrase does not open the wallet.");
      if (moment === "after") {
        await again.unlock(OLD);
        await refused.waitFor();
      }
      await again.unlock(NEXT);
      await opens.or(refused).first().waitFor();
      if (moment === "after") expect(await refused.count()).toBe(0);
      if (await refused.isVisible()) await again.unlock(OLD);
      await again.ready();
      expect(await again.address()).toBe(address);
      expect(again.watch.faults).toEqual([]);
      expect(again.watch.strangers).toEqual([]);
    },
  );
});

test("the chosen time of the automatic lock is kept over a reload", async () => {
  const wallet = await created();
  const choice = wallet.page.getByRole("radio", { name: "5 minutes", exact: true });
  await wallet.goTo("Settings");
  await choice.click();
  // A choice shows once it is stored, so it may not be checked yet when the press is done.
  await expect.poll(() => choice.isChecked()).toBe(true);
  await wallet.reload();
  await wallet.goTo("Settings");
  await expect.poll(() => choice.isChecked()).toBe(true);
});

/** Resolves as soon as the stored vault has another header. */
function headerChanged(page: Page): Promise<void> {
  return page.evaluate(async () => {
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
}
