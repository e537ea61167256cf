/** A wallet that only watches: the form that makes it, its mark on every screen, and nothing in it that leads to a payment. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { axeFaults } from "../testkit/axeFaults.ts";
import { PASSPHRASE } from "../testkit/keys/cheapKeyring.ts";
import { showFirst } from "../testkit/keys/showKeys.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button, field, goTo, textOf } from "../testkit/walletScreen.ts";

const watch = () => page.getByRole("button", { name: "Watch", exact: true });

test("the form tells an incoming key and one that is none from a full one, which it watches", async () => {
  const { core } = await ModelWallet.unpaid();
  const { keys, workers } = await showFirst();
  const full = callCore(() => core.fullViewingKey(keys.seed));
  const incoming = callCore(() => core.incomingViewingKey(full));
  await button("Watch a wallet").click();
  const key = field("Full viewing key");
  await key.fill(encodeHex(incoming));
  await expect.element(page.getByText(/This is an incoming viewing key/)).toBeVisible();
  await expect.element(key).toHaveAttribute("aria-invalid", "true");
  await field("Passphrase").fill(PASSPHRASE);
  await field("Passphrase again").fill(PASSPHRASE);
  await watch().click();
  expect(workers.callsOf("watch")).toEqual([]);
  await key.fill("ff".repeat(96));
  await watch().click();
  await expect.element(page.getByText(/The viewing key is not usable/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  expect(workers.callsOf("adopt")).toEqual([]);
  await key.fill(encodeHex(full));
  await watch().click();
  await expect.poll(() => workers.callsOf("adopt")).toHaveLength(1);
  // There is no seed to be written down.
  await expect.poll(() => workers.callsOf("confirmBackup")).toHaveLength(1);
});

test("the wallet is marked on every screen, and no button and no address leads to a payment", async () => {
  const model = await ModelWallet.open();
  const snapshot = { ...model.snapshot(), watchOnly: true };
  await showWallet(snapshot, { wallet: model.answers() });
  await expect.element(page.getByText(/This wallet only watches/)).toBeVisible();
  for (const screen of ["Home", "Receive", "History", "Settings"] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one screen after the other
    await goTo(screen);
    const shown = page.getByRole("link", { name: screen, exact: true }).first();
    // oxlint-disable-next-line no-await-in-loop
    await expect.element(shown).toHaveAttribute("aria-current", "page");
    const marks = page.getByTestId("network-line").elements();
    const seen = marks.filter((mark) => mark.checkVisibility());
    expect(seen.map(({ textContent }) => textContent)).toEqual([
      expect.stringContaining("Watch only"),
    ]);
    expect(page.getByRole("link", { name: "Send" }).query()).toBeNull();
  }
  for (const name of ["Reveal seed", "Paper backup", "Backup file"]) {
    expect(button(name).query()).toBeNull();
  }
  location.hash = "#/send";
  await expect.element(page.getByTestId("total")).toBeVisible();
  expect(textOf(page.getByTestId("total"))).toMatch(/630/);
  expect(page.getByLabelText("To", { exact: true }).query()).toBeNull();
  expect(await axeFaults()).toEqual([]);
});
