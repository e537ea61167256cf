/** Viewing keys: shown after their warning and the passphrase, the ones that belong to the seed, and saved as a file. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { axeFaults } from "../testkit/axeFaults.ts";
import { savedFiles } from "../testkit/savedFiles.ts";
import { PASSPHRASE } from "../testkit/keys/cheapKeyring.ts";
import { showSettings } from "../testkit/keys/showKeys.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { button, textOf } from "../testkit/walletScreen.ts";

const NOW_MS = Date.UTC(2026, 10, 30, 12);

test.each([
  ["Incoming", 64, /sees every payment that this seed ever receives/],
  ["Full", 96, /receives and spends, for ever/],
] as const)(
  "%s: the key of %i bytes is shown after its warning and the passphrase",
  async (name, bytes, warning) => {
    vi.setSystemTime(NOW_MS);
    const files = savedFiles();
    const { core } = await ModelWallet.unpaid();
    const { keys, workers } = await showSettings();
    await button("Show a viewing key").click();
    const dialog = page.getByRole("dialog");
    const passphrase = dialog.getByLabelText("Passphrase", { exact: true });
    const shown = page.getByTestId("viewing-key");
    await dialog.getByRole("radio", { name, exact: true }).click();
    await expect.element(dialog.getByText(warning)).toBeVisible();
    // Without consent there is nowhere to type a passphrase.
    expect(passphrase.query()).toBeNull();
    await dialog.getByRole("checkbox").click();
    await passphrase.fill("not the passphrase");
    await dialog.getByRole("button", { name: "Show the key" }).click();
    await expect.element(page.getByText(/This passphrase does not open the wallet/)).toBeVisible();
    expect(shown.query()).toBeNull();
    await passphrase.fill(PASSPHRASE);
    await dialog.getByRole("button", { name: "Show the key" }).click();
    await expect.element(shown).toBeVisible();
    const full = callCore(() => core.fullViewingKey(keys.seed));
    const key = encodeHex(bytes === 96 ? full : callCore(() => core.incomingViewingKey(full)));
    expect(key).toHaveLength(2 * bytes);
    expect(textOf(shown)).toContain(key);
    expect(textOf(shown)).toContain("2026-11-01");
    expect(textOf(shown)).not.toContain(encodeHex(keys.seed));
    await expect.element(dialog.getByRole("img", { name: /QR code/ })).toBeVisible();
    expect(await axeFaults()).toEqual([]);
    await dialog.getByRole("button", { name: "Save as a file" }).click();
    const saved = `viewing-key-${name.toLowerCase()}-net-2026-11-30.txt`;
    expect(files.map((file) => file.name)).toEqual([saved]);
    expect(await files[0]?.content.text()).toBe(`${key}\n`);
    await userEvent.keyboard("{Escape}");
    await expect.element(dialog).not.toBeInTheDocument();
    expect(document.documentElement.outerHTML).not.toContain(key);
    expect(workers.callsOf("exportKey")).toHaveLength(2);
  },
);

test("consent to one key is none to the other", async () => {
  await showSettings();
  await button("Show a viewing key").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox").click();
  await expect.element(dialog.getByLabelText("Passphrase", { exact: true })).toBeVisible();
  await dialog.getByRole("radio", { name: "Full", exact: true }).click();
  await expect.element(dialog.getByRole("checkbox")).not.toBeChecked();
  expect(dialog.getByLabelText("Passphrase", { exact: true }).query()).toBeNull();
});
