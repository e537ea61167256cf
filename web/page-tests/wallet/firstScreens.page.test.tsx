/** The first screens of a browser without a wallet. */
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { screenFaults } from "../testkit/screenFaults.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { newcomer } from "../testkit/snapshots.ts";

const PASSPHRASE = "four unrelated words here";

test("the first screen is whole", async () => {
  await showWallet(newcomer());
  await expect.element(page.getByRole("button", { name: "Create a wallet" })).toBeVisible();
  expect(await screenFaults("welcome")).toEqual([]);
});

test("B9: a fault stands at its field and goes when it is mended", async () => {
  await showWallet(newcomer());
  await userEvent.click(page.getByRole("button", { name: "Create a wallet" }));
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
});
