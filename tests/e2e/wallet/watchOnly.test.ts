/** A wallet that only watches: made from the full viewing key that the seed's wallet shows, it has the same balance, and has it after a reload. */
import { expect, test } from "vitest";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const OWNER = "four unrelated words here";
const WATCHER = "the words of an accountant";

const scene = setScene();

/** The full viewing key, as the settings of its wallet show it. */
async function shownKey(owner: WalletPage): Promise<string> {
  await owner.goTo("Settings");
  await owner.button("Show a viewing key").click();
  const dialog = owner.page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Full", exact: true }).check();
  await dialog.getByRole("checkbox").check();
  await dialog.getByLabel("Passphrase", { exact: true }).fill(OWNER);
  await dialog.getByRole("button", { name: "Show the key" }).click();
  const text = await owner.page.getByTestId("viewing-key").innerText();
  await owner.page.keyboard.press("Escape");
  return /[0-9a-f]{192}/.exec(text)?.[0] ?? "";
}

test("shows what the seed's wallet has, by the key that this one shows, and does so after a reload", async () => {
  const owner = await openWallet(scene, OWNER);
  await owner.create();
  const address = await owner.address();
  await owner.earn();
  await owner.stopMining();
  const total = await owner.shownTotal();
  const key = await shownKey(owner);

  const watcher = await openWallet(scene, WATCHER);
  const { page } = watcher;
  await watcher.button("Watch a wallet").click();
  await page.getByLabel("Full viewing key").fill(key);
  await page.getByLabel("Passphrase", { exact: true }).fill(WATCHER);
  await page.getByLabel("Passphrase again").fill(WATCHER);
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await watcher.ready();
  await watcher.says(/This wallet only watches/);
  await expect.poll(() => watcher.shownTotal()).toBe(total);
  expect(await watcher.address()).toBe(address);

  await page.reload();
  await watcher.says(/Watch only/);
  await watcher.unlock();
  await watcher.ready();
  await watcher.goTo("Home");
  expect(await watcher.shownTotal()).toBe(total);
  for (const { watch } of [owner, watcher]) {
    expect(watch.faults).toEqual([]);
    expect(watch.strangers).toEqual([]);
  }
  await owner.close();
  await watcher.close();
});
