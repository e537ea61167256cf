/**
 * The whole way of a private payment in real browsers: two wallets in contexts of their own, a
 * real node, a proof computed in the page.
 */
import { describe, expect, test } from "vitest";
import { MainThread } from "./mainThread.ts";
import { openWallet } from "./openWallet.ts";
import { setScene } from "./scene.ts";
import type { WalletPage } from "./walletPage.ts";

const AMOUNT = "12.345";
const MEMO = "For the bread — thank you! ☕";
/** Longest task of the main thread while a payment is made (milliseconds of the processor). */
const LONGEST_TASK_MS = 100;

const scene = setScene();

describe("a payment from one browser to another", () => {
  test("arrives with amount and memo, and survives reloads and a restart of the node", async () => {
    const alice = await openWallet(scene, "a passphrase of Alice");
    const bob = await openWallet(scene, "a passphrase of Bob");
    await alice.create();
    await bob.create();

    expect(Number(await alice.earn())).toBeGreaterThan(Number(AMOUNT));

    const to = await bob.address();
    const thread = await MainThread.watch(scene.browser, alice.page);
    await alice.beginPayment({ to, amount: AMOUNT, memo: MEMO });
    await alice.page.getByText("Nothing has been sent yet.").waitFor();
    await alice.sent();
    expect(await thread.longestMs(LONGEST_TASK_MS)).toBeLessThanOrEqual(LONGEST_TASK_MS);

    await expectReceived(bob);
    await bob.reload();
    await expectReceived(bob);
    await alice.reload();
    await expectSent(alice);

    await scene.node.stop();
    await alice.page.getByText("The node does not answer").first().waitFor({ state: "attached" });
    await scene.node.start();
    await alice.ready();
    await expectSent(alice);
    await bob.reload();
    await expectReceived(bob);

    for (const { watch } of [alice, bob]) {
      expect(watch.faults).toEqual([]);
      expect(watch.strangers).toEqual([]);
    }
  });
});

async function expectReceived(wallet: WalletPage): Promise<void> {
  await wallet.goTo("History");
  await wallet
    .row(`+${AMOUNT}`, MEMO)
    .filter({ hasText: /Confirmed|Arriving/ })
    .click();
  expect(await wallet.page.getByTestId("memo").innerText()).toBe(MEMO);
  await wallet.page.keyboard.press("Escape");
  expect(await wallet.sum("total")).toBe(AMOUNT);
}

async function expectSent(wallet: WalletPage): Promise<void> {
  await wallet.goTo("History");
  await wallet.page.getByRole("radio", { name: "Sent" }).check();
  await wallet.row(`−${AMOUNT}`, MEMO).waitFor();
}
