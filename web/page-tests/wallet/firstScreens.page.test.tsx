/** The first screens of a browser without a wallet. */
import { encodeHex } from "@svc/shared/base/hex.ts";
import { seedCheck } from "@svc/shared/wallet/state/seedText.ts";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button } from "../testkit/walletScreen.ts";
import { newcomer } from "../testkit/snapshots.ts";

const PASSPHRASE = "four unrelated words here";

/** A moment on 30 November 2026. */
const NOW_MS = Date.UTC(2026, 10, 30, 12);

test("the first screen is whole", async () => {
  await showWallet(newcomer());
  await expect.element(page.getByRole("button", { name: "Create a wallet" })).toBeVisible();
  expect(await screenFaults("welcome")).toEqual([]);
});

test("B9: a fault stands at its field and goes when it is mended", async () => {
  await showWallet(newcomer());
  await button("Create a wallet").click();
  const first = page.getByLabelText("Passphrase", { exact: true });
  const second = page.getByLabelText("Passphrase again");
  const short = page.getByText("The passphrase needs at least 10 characters.");
  const differs = page.getByText("The two passphrases differ.");
  await first.fill("short");
  await second.fill("short");
  await page.getByRole("button", { name: "Create wallet" }).click();
  await expect.element(short).toBeVisible();
  await expect.element(first).toHaveAttribute("aria-invalid", "true");
  await first.fill(PASSPHRASE);
  await expect.element(differs).toBeVisible();
  expect(short.query()).toBeNull();
  await second.fill(PASSPHRASE);
  await expect.element(differs).not.toBeInTheDocument();
  await button("Back").click();
  await button("Restore a wallet").click();
  const seed = page.getByLabelText("Seed");
  await seed.fill("12 zz");
  await expect.element(page.getByText("“z”, character 3, cannot be part of a seed")).toBeVisible();
  await expect.element(seed).toHaveAttribute("aria-invalid", "true");
  await expect.element(page.getByText("2 / 64")).toBeVisible();
});

test("B2: a day that has not come is refused at its field", async () => {
  vi.setSystemTime(NOW_MS);
  await showWallet(newcomer());
  await button("Restore a wallet").click();
  const day = page.getByLabelText("When was this wallet first used?");
  const wrong = page.getByText("This day has not come yet.");
  await day.fill("2026-11-29");
  await expect.element(wrong).not.toBeInTheDocument();
  await day.fill("2130-01-01");
  await expect.element(wrong).toBeVisible();
  await expect.element(day).toHaveAttribute("aria-invalid", "true");
});

test("B3: a wrong digit of the seed on paper is noticed at its field", async () => {
  const seed = new Uint8Array(32).fill(0x5a);
  const paper = encodeHex(seed) + seedCheck(seed);
  await showWallet(newcomer());
  await button("Restore a wallet").click();
  const typed = page.getByLabelText("Seed");
  await typed.fill(`0${paper.slice(1)}`);
  await expect.element(page.getByText("The check digits do not fit")).toBeVisible();
  await expect.element(typed).toHaveAttribute("aria-invalid", "true");
  await typed.fill(paper);
  await expect.element(page.getByText("The check digits fit.")).toBeVisible();
  await expect.element(typed).not.toHaveAttribute("aria-invalid", "true");
});

test("B14: a wallet that was removed leaves no screen behind for the next one", async () => {
  const model = await ModelWallet.open();
  const open = model.snapshot();
  const workers = await showWallet(open, {
    hash: "#/settings",
    wallet: { ...model.answers(), erase: async () => undefined },
  });
  await button("Remove wallet…").click();
  const remove = page.getByRole("button", { name: "Remove wallet", exact: true });
  await expect.element(remove).toBeDisabled();
  await page.getByRole("checkbox", { name: /^I have the seed/ }).click();
  await remove.click();
  await expect.poll(() => workers.callsOf("erase")).toEqual([[open.wallets.current]]);
  await workers.tell(newcomer());
  await expect.element(button("Create a wallet")).toBeVisible();
  expect(location.hash).toBe("#/");
  expect(page.getByRole("dialog").query()).toBeNull();
  await workers.tell(open);
  await expect.element(page.getByTestId("total")).toBeVisible();
});
