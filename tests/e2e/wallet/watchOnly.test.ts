/** A wallet that only watches: made from a full viewing key, it shows the balance of the seed's wallet and pays nothing. */
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";

const OWNER = "four unrelated words here";
const WATCHER = "the words of an accountant";

const scene = setScene();
const core = await loadCoreFile();

test("shows what the seed's wallet has, is marked as watching, and has no way to pay", async () => {
  const owner = await openWallet(scene, OWNER);
  const seed = await owner.create();
  const address = await owner.address();
  await owner.earn();
  await owner.stopMining();
  const total = await owner.shownTotal();
  const full = callCore(() => core.fullViewingKey(decodeHex(seed)));
  const incoming = callCore(() => core.incomingViewingKey(full));

  const watcher = await openWallet(scene, WATCHER);
  const { page } = watcher;
  await watcher.button("Watch a wallet").click();
  const key = page.getByLabel("Full viewing key");
  await key.fill(encodeHex(incoming));
  await watcher.says(/This is an incoming viewing key/);
  await page.getByLabel("Passphrase", { exact: true }).fill(WATCHER);
  await page.getByLabel("Passphrase again").fill(WATCHER);
  await key.fill("ff".repeat(96));
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await watcher.says(/The viewing key is not usable/);
  expect(await axeFaults(page)).toEqual([]);
  await keepPictures(page, "watch-form");
  await key.fill(encodeHex(full));
  await page.getByRole("button", { name: "Watch", exact: true }).click();
  await watcher.ready();
  await watcher.says(/This wallet only watches/);
  await expect.poll(() => watcher.shownTotal()).toBe(total);
  expect(await watcher.address()).toBe(address);

  // Marked on every screen; nothing leads to a payment, not even its address.
  const marked = page.getByTestId("network-line").filter({ visible: true });
  for (const screen of ["Home", "Receive", "History", "Settings"] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one screen after the other
    await watcher.goTo(screen);
    // oxlint-disable-next-line no-await-in-loop
    expect(await marked.innerText()).toContain("Watch only");
    // oxlint-disable-next-line no-await-in-loop
    expect(await page.getByRole("link", { name: "Send" }).count()).toBe(0);
  }
  for (const name of ["Reveal seed", "Paper backup", "Backup file"]) {
    // oxlint-disable-next-line no-await-in-loop
    expect(await watcher.button(name).count()).toBe(0);
  }
  await page.evaluate(() => (location.hash = "#/send"));
  await page.getByTestId("total").waitFor();
  expect(await axeFaults(page)).toEqual([]);
  await keepPictures(page, "watch-home");

  await page.reload();
  await watcher.says(/Watch only/);
  await watcher.unlock();
  await watcher.ready();
  expect(await watcher.shownTotal()).toBe(total);
  expect(watcher.watch.faults).toEqual([]);
  expect(watcher.watch.strangers).toEqual([]);
  await owner.close();
  await watcher.close();
}, 240_000);
