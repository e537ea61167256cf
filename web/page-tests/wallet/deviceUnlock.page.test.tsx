/** Unlock with a passkey of this device, beside the passphrase: how it is set up and removed, and what it says when it fails. */
import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { isDeviceOffered } from "../../state/device/isDeviceOffered.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { giveDevice } from "../testkit/owned/giveDevice.ts";
import { PASSPHRASE } from "../testkit/keys/cheapKeyring.ts";
import { OwnedWallet } from "../testkit/owned/ownedWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { button, field, goTo } from "../testkit/walletScreen.ts";

const NEXT = "five other words, even here";

const dialog = page.getByRole("dialog");
const byDevice = page.getByRole("button", { name: "Unlock with this device" });

async function ask(passphrase = PASSPHRASE): Promise<void> {
  await dialog.getByLabelText("Passphrase", { exact: true }).fill(passphrase);
  await dialog.getByRole("button", { name: "Ask this device" }).click();
}

/** Sets the device up, from the settings. */
async function setUp(): Promise<void> {
  await button("Set up this device").click();
  await ask();
  await expect.element(page.getByText(/This device opens the wallet from now on/)).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await expect.element(button("Remove this device")).toBeVisible();
}

async function lock(): Promise<void> {
  await goTo("Settings");
  await button("Lock now").click();
  await expect.element(field("Passphrase")).toBeVisible();
}

async function unlock(passphrase = PASSPHRASE): Promise<void> {
  await field("Passphrase").fill(passphrase);
  await page.getByRole("button", { name: "Unlock", exact: true }).click();
  await opened();
}

async function opened(): Promise<void> {
  await expect.element(page.getByRole("navigation", { name: "Main" })).toBeVisible();
}

/** The locked page asks for the passphrase alone, once the browser has said what its device can. */
async function expectNoOffer(): Promise<void> {
  expect(await isDeviceOffered()).toBe(true);
  expect(byDevice.query()).toBeNull();
}

describe("the unlock with this device", () => {
  test("opens the wallet beside the passphrase, and is removed", async () => {
    const device = await giveDevice();
    await OwnedWallet.show({ hash: "#/settings" });
    await button("Set up this device").click();
    expect(await axeFaults()).toEqual([]);
    await ask("not the passphrase");
    await expect.element(page.getByText(/This passphrase does not open the wallet/)).toBeVisible();
    expect(await device.count()).toBe(0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await setUp();
    expect(await device.count()).toBe(1);
    expect(await axeFaults()).toEqual([]);
    await lock();
    await expect.element(byDevice).toBeVisible();
    expect(await screenFaults("device-unlock")).toEqual([]);
    await byDevice.click();
    await opened();

    await lock();
    await unlock();
    await goTo("Settings");
    await button("Remove this device").click();
    const removed = page.getByText(/This device no longer opens the wallet/);
    await expect.element(removed).toBeVisible();
    await expect.element(button("Set up this device")).toBeVisible();
    await lock();
    await expectNoOffer();
    await unlock();
  });

  test("outlives a change of the passphrase", async () => {
    await giveDevice();
    await OwnedWallet.show({ hash: "#/settings" });
    await setUp();
    await button("Change passphrase").click();
    await dialog.getByLabelText("Passphrase now").fill(PASSPHRASE);
    await dialog.getByLabelText("New passphrase").fill(NEXT);
    await dialog.getByLabelText("Passphrase again").fill(NEXT);
    await dialog.getByRole("button", { name: "Change passphrase" }).click();
    await expect.element(page.getByText(/The passphrase is changed/)).toBeVisible();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await lock();
    await byDevice.click();
    await opened();
    await lock();
    await unlock(NEXT);
  });

  test("that a person cancels while it is set up is told of, and can be set up later", async () => {
    const device = await giveDevice();
    await device.refuseOwner();
    await OwnedWallet.show({ hash: "#/settings" });
    await button("Set up this device").click();
    await ask();
    await expect.element(page.getByText(/No passkey was made: it was cancelled/)).toBeVisible();
    expect(await axeFaults()).toEqual([]);
    expect(await device.count()).toBe(0);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await device.remove();
    await giveDevice();
    await setUp();
  });

  test("whose passkey is gone is told of, the passphrase opens, and it is set up anew", async () => {
    const device = await giveDevice();
    await OwnedWallet.show({ hash: "#/settings" });
    await setUp();
    await lock();
    await device.forget();
    await byDevice.click();
    await expect.element(page.getByText(/its passkey is not there any more/)).toBeVisible();
    expect(await axeFaults()).toEqual([]);
    await unlock();
    await goTo("Settings");
    await button("Remove this device").click();
    await setUp();
    await lock();
    await byDevice.click();
    await opened();
  });

  test("that a person cancels is told of, and the passphrase opens", async () => {
    const device = await giveDevice();
    await OwnedWallet.show({ hash: "#/settings" });
    await setUp();
    await lock();
    await device.refuseOwner();
    await byDevice.click();
    await expect.element(page.getByText(/it was cancelled, or/)).toBeVisible();
    await unlock();
  });

  test("whose slot was damaged or swapped is told of, and the passphrase opens", async () => {
    await giveDevice();
    const wallet = await OwnedWallet.show({ hash: "#/settings" });
    await setUp();
    const { deviceSlot } = wallet.vault;
    if (deviceSlot === undefined) throw new TypeError("the vault has no slot for the device");
    deviceSlot.sealed[40] = (deviceSlot.sealed[40] ?? 0) ^ 1;
    await lock();
    await byDevice.click();
    const told = page.getByText(/The passkey of this device does not open the wallet/);
    await expect.element(told).toBeVisible();
    await unlock();
  });

  test("is refused where the device holds no secrets, and nothing is stored", async () => {
    await giveDevice({ hasPrf: false });
    const wallet = await OwnedWallet.show({ hash: "#/settings" });
    await button("Set up this device").click();
    await ask();
    const refused = page.getByText(/The passkeys of this device cannot hold a key/);
    await expect.element(refused).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(button("Set up this device")).toBeVisible();
    expect(wallet.vault).not.toHaveProperty("deviceSlot");
    expect(wallet.workers.callsOf("replaceVault")).toEqual([]);
    await lock();
    await expectNoOffer();
  });

  test("is not offered without such a device", async () => {
    await OwnedWallet.show({ hash: "#/settings" });
    await expect.element(button("Change passphrase")).toBeVisible();
    expect(await isDeviceOffered()).toBe(false);
    expect(button("Set up this device").query()).toBeNull();
  });
});
