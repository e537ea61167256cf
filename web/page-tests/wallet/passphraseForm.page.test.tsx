/** The passphrase in the settings: changed, asked for before the seed is shown, and asked for again after a time without input. */
import { expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { axeFaults } from "../testkit/axeFaults.ts";
import { PASSPHRASE } from "../testkit/keys/cheapKeyring.ts";
import { OwnedWallet } from "../testkit/owned/ownedWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { button, field } from "../testkit/walletScreen.ts";

const NEXT = "five other words, even here";

const dialog = page.getByRole("dialog");
const inDialog = (label: string) => dialog.getByLabelText(label, { exact: true });
const choice = (name: string) => page.getByRole("radio", { name, exact: true });

async function fillChange(now: string, next: string): Promise<void> {
  await inDialog("Passphrase now").fill(now);
  await inDialog("New passphrase").fill(next);
  await inDialog("Passphrase again").fill(next);
  await dialog.getByRole("button", { name: "Change passphrase" }).click();
}

async function unlock(passphrase: string): Promise<void> {
  await field("Passphrase").fill(passphrase);
  await page.getByRole("button", { name: "Unlock", exact: true }).click();
}

test("the passphrase is changed: the new one opens the wallet, the old one does not", async () => {
  const { model } = await OwnedWallet.show({ hash: "#/settings" });
  await button("Change passphrase").click();
  await fillChange("not the passphrase", NEXT);
  const refused = page.getByText("This passphrase does not open the wallet");
  await expect.element(dialog.getByText("This passphrase does not open the wallet")).toBeVisible();
  await fillChange(PASSPHRASE, "short");
  await expect.element(dialog.getByText(/needs at least 10 characters/)).toBeVisible();
  expect(await screenFaults("change-passphrase")).toEqual([]);
  await fillChange(PASSPHRASE, NEXT);
  await expect.element(dialog.getByText("The passphrase is changed")).toBeVisible();
  await dialog.getByRole("button", { name: "Close" }).last().click();

  await button("Lock now").click();
  await unlock(PASSPHRASE);
  await expect.element(refused).toBeVisible();
  await unlock(NEXT);
  await page.getByRole("link", { name: "Receive", exact: true }).click();
  await expect.element(page.getByTestId("address")).toHaveTextContent(model.own);
});

test("the hint follows what is typed, and the day stands beside the revealed seed", async () => {
  await OwnedWallet.show({ hash: "#/settings" });
  await button("Change passphrase").click();
  const next = inDialog("New passphrase");
  await next.fill("short");
  await expect.element(page.getByText(/^At least 10 characters/)).toBeVisible();
  await next.fill("abcabcabcabcabc");
  await expect.element(page.getByText(/^Easy to guess/)).toBeVisible();
  expect(await axeFaults()).toEqual([]);
  await next.fill(PASSPHRASE);
  await expect.element(page.getByText(/^Long enough to be strong/)).toBeVisible();
  await userEvent.keyboard("{Escape}");

  await button("Reveal seed").click();
  await inDialog("Passphrase").fill(PASSPHRASE);
  await dialog.getByRole("button", { name: "Reveal", exact: true }).click();
  await expect.element(dialog.getByText("First used")).toBeVisible();
  await expect.element(dialog.getByText("2026-11-28", { exact: true })).toBeVisible();
  expect(await axeFaults()).toEqual([]);
});

test("the automatic lock comes after the chosen time without input", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { workers } = await OwnedWallet.show({ hash: "#/settings" });
  await expect.element(choice("15 minutes")).toBeChecked();
  await choice("5 minutes").click();
  await expect.element(choice("5 minutes")).toBeChecked();
  expect(workers.callsOf("setAutoLock")).toEqual([["short"]]);
  expect(await axeFaults()).toEqual([]);

  for (let times = 0; times < 2; times += 1) {
    // oxlint-disable-next-line no-await-in-loop -- time goes on after each input
    await userEvent.keyboard("{Shift}");
    vi.advanceTimersByTime(290_000);
  }
  // A lock on its way has come by the time that the browser has taken another key.
  await userEvent.keyboard("{Shift}");
  expect(workers.callsOf("lock")).toEqual([]);
  await expect.element(button("Lock now")).toBeVisible();
  vi.advanceTimersByTime(310_000);
  await expect.element(button("Unlock")).toBeVisible();
});
