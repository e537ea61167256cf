/**
 * The whole way of a private payment in real browsers: two wallets in contexts of their own, a
 * real node, a proof computed in the page.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { IS_FULL } from "@svc/node-server/platform/testkit/testRun.ts";
import { readCsv } from "@svc/shared/base/csv.ts";
import { parseCoins } from "@svc/shared/base/money.ts";
import { MainThread } from "../testkit/mainThread.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const AMOUNT = "12.345";
const MEMO = "For the bread — thank you! ☕";
const CSV_BOUNDS = { records: 2, fields: 20, chars: 1_000 };
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
    const thread = IS_FULL ? await MainThread.watch(scene.browser, alice.page) : null;
    await alice.beginPayment({ to, amount: AMOUNT, memo: MEMO });
    await alice.page.getByText("Nothing has been sent yet.").waitFor();
    await alice.sent();
    if (IS_FULL)
      expect(await thread?.longestMs(LONGEST_TASK_MS)).toBeLessThanOrEqual(LONGEST_TASK_MS);

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
    await expectSaved(alice, to);
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

/** The list of the payments sent, as the files that the page saves of it. */
async function expectSaved(wallet: WalletPage, to: string): Promise<void> {
  await wallet.page.getByText("Save the list as a file").click();
  const [header, line] = readCsv(await saved(wallet, "For a spreadsheet (CSV)"), CSV_BOUNDS);
  const cell = (name: string) => line?.fields[header?.fields.indexOf(name) ?? -1];
  expect(["kind", "amount", "to", "memo"].map(cell)).toEqual(["sent", AMOUNT, to, MEMO]);
  const { rows } = JSON.parse(await saved(wallet, "For a program (JSON)"));
  expect(rows).toMatchObject([
    { kind: "sent", amountSompi: String(parseCoins(AMOUNT)), memo: { text: MEMO } },
  ]);
}

async function saved(wallet: WalletPage, button: string): Promise<string> {
  const saving = wallet.page.waitForEvent("download");
  await wallet.button(button).click();
  return readFileSync(await (await saving).path(), "utf8");
}
