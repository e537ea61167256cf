/** Viewing keys of the browser wallet: shown after their warning and the passphrase, and the ones that belong to the seed. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";

const PASSPHRASE = "four unrelated words here";

const scene = setScene();
const core = await loadCoreFile();

const owner = shareAmongTests(
  async () => {
    const wallet = await openWallet(scene, PASSPHRASE);
    return { wallet, seed: await wallet.create() };
  },
  ({ wallet }) => wallet.close(),
);

test.each([
  ["Incoming", 64, /sees every payment that this seed ever receives/],
  ["Full", 96, /receives and spends, for ever/],
] as const)(
  "%s: the key of %i bytes is shown after its warning and the passphrase",
  async (name, bytes, warning) => {
    const { wallet, seed } = await owner.get();
    const { page } = wallet;
    await wallet.goTo("Settings");
    await wallet.button("Show a viewing key").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name, exact: true }).check();
    await dialog.getByText(warning).waitFor();
    // Without consent there is nowhere to type a passphrase.
    expect(await dialog.getByLabel("Passphrase", { exact: true }).count()).toBe(0);
    await dialog.getByRole("checkbox").check();
    await dialog.getByLabel("Passphrase", { exact: true }).fill("not the passphrase");
    await dialog.getByRole("button", { name: "Show the key" }).click();
    await wallet.says(/This passphrase does not open the wallet/);
    expect(await page.getByTestId("viewing-key").count()).toBe(0);
    await dialog.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
    await dialog.getByRole("button", { name: "Show the key" }).click();
    const text = await page.getByTestId("viewing-key").innerText();
    const full = callCore(() => core.fullViewingKey(decodeHex(seed)));
    const key = bytes === 96 ? full : callCore(() => core.incomingViewingKey(full));
    expect(text).toContain(encodeHex(key));
    expect(text).toMatch(/\d{4}-\d\d-\d\d/);
    expect(text).not.toContain(seed);
    await dialog.getByRole("img", { name: /QR code/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await keepPictures(page, `viewing-key-${bytes}`);
    const saved = page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Save as a file" }).click();
    const download = await saved;
    expect(readFileSync(await download.path(), "utf8")).toBe(`${encodeHex(key)}\n`);
    expect(download.suggestedFilename()).toMatch(/^viewing-key-(incoming|full)-[a-z0-9-]+\.txt$/);
    await page.keyboard.press("Escape");
    expect(await page.content()).not.toContain(encodeHex(key));
    expect(wallet.watch.faults).toEqual([]);
    expect(wallet.watch.strangers).toEqual([]);
  },
);
