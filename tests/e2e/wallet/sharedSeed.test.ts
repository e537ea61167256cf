/** Two browsers with the same seed pay from the same note: a real node, real proofs, and what each page says. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { expectOneSum } from "./expectOneSum.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import type { WalletPage } from "../testkit/walletPage.ts";

const ELSEWHERE = /another wallet with the same seed did/;
const REPLACED = "Not paid: another payment spent the same coins";

const PASSPHRASE = "a passphrase of one of two";

const scene = setScene();

/** Two wallets of one seed with the same coins. Nobody is mined to any more. */
const pair = shareAmongTests(
  async () => {
    const first = await openWallet(scene, PASSPHRASE);
    const seed = await first.create();
    await first.earn();
    await first.stopMining();
    const second = await openWallet(scene, PASSPHRASE);
    await second.restore(seed);
    await expectSameSum(first, second);
    return { first, second };
  },
  async ({ first, second }) => {
    for (const wallet of [first, second]) await wallet.close();
  },
);

let payee: WalletPage;
beforeEach(async () => {
  payee = await openWallet(scene, PASSPHRASE);
  await payee.create();
});
afterEach(() => payee.close());

/** The two wallets, of which every coin can be spent, and an address to pay to. */
async function begun() {
  const { first, second } = await pair.get();
  await expectOneSum(async () => [
    await first.sum("total"),
    await first.sum("spendable"),
    await second.sum("spendable"),
  ]);
  return { first, second, to: await payee.address() };
}

async function expectSameSum(first: WalletPage, second: WalletPage): Promise<void> {
  await expectOneSum(async () => [await first.sum("total"), await second.sum("total")]);
}

/** The payee has got these payments and no other. */
async function expectReceived(...memos: readonly string[]): Promise<void> {
  await payee.goTo("History");
  for (const memo of memos) await payee.row("+", memo).waitFor();
  const rows = payee.page.getByTestId("history-row");
  await expect.poll(() => rows.count()).toBe(memos.length);
}

/** The lost payment's line says what became of it, and the other wallet's payment of this amount has a line of its own. */
async function expectHistory(second: WalletPage, memo: string, amount: string): Promise<void> {
  await second.goTo("History");
  await second.page.getByRole("radio", { name: "Sent" }).check();
  const rows = second.page.getByTestId("history-row");
  await rows.filter({ hasText: memo }).filter({ hasText: "Replaced" }).click();
  await second.page.getByRole("dialog").getByText(ELSEWHERE).waitFor();
  await second.page.keyboard.press("Escape");
  await rows
    .filter({ hasText: "Sent" })
    .filter({ hasText: `−${amount}` })
    .waitFor();
}

describe("two wallets of one seed", () => {
  test("pay from one note while both wait: the second says who has it, and comes right with the next block", async () => {
    const { first, second, to } = await begun();
    // From here on the chain stands still, so that both plan from the same note.
    await scene.node.freeze();
    for (const wallet of [first, second]) await wallet.ready();
    await first.beginPayment({ to, amount: "0.5", memo: "of the first" });
    await first.sent();
    await second.beginPayment({ to, amount: "0.75", memo: "of the second" });
    await second.page
      .getByRole("heading", { name: "Another payment of the same coins is known" })
      .waitFor();
    await second.page.getByText(ELSEWHERE).waitFor();
    await scene.node.stop();
    await scene.node.start();
    await second.page.getByRole("heading", { name: REPLACED }).waitFor();
    await second.page.getByText(ELSEWHERE).waitFor();
    await expectReceived("of the first");
    await expectHistory(second, "of the second", "0.5");
    await expectSameSum(first, second);

    // Its bytes were out: it can be paid once more, and its owner is told what that means.
    await second.goTo("Send");
    await second.page.getByLabel("To", { exact: true }).fill(to);
    await second.page.getByLabel("Amount", { exact: true }).fill("0.25");
    await second.page.getByLabel("Memo", { exact: true }).fill("once more");
    await second.button("Review").click();
    await second.page.getByText("by the blocks of this node another payment spent").waitFor();
    await second.button("Pay once more, from other notes").click();
    await second.sent();
    await expectReceived("of the first", "once more");
    await expectSameSum(first, second);
    for (const { watch } of [first, second, payee]) expect(watch.faults).toEqual([]);
  });

  test("one of which is still proving when a block has the other's payment: it stops and says so", async () => {
    const { first, second, to } = await begun();
    await scene.node.freeze();
    await first.ready();
    await second.ready();
    // The second one's proof is held up: a new page has a prover without its circuit.
    const context = second.page.context();
    await context.route("**/action-circuit*", () => undefined);
    await second.reload();
    await second.beginPayment({ to, amount: "0.7", memo: "of the slower" });
    await second.page.getByText("Nothing has been sent yet.").waitFor();
    await first.beginPayment({ to, amount: "0.4", memo: "of the faster" });
    await first.sent();
    await scene.node.stop();
    await scene.node.start();
    await second.page.getByRole("heading", { name: REPLACED }).waitFor();
    await second.page.getByText(ELSEWHERE).waitFor();
    await expectReceived("of the faster");
    await expectSameSum(first, second);
    await expectHistory(second, "of the slower", "0.4");

    // Nothing of it had left: it is simply made again.
    await context.unroute("**/action-circuit*");
    await second.beginPayment({ to, amount: "0.7", memo: "again" });
    await second.sent();
    await expectReceived("of the faster", "again");
    await expectSameSum(first, second);
    for (const { watch } of [first, second, payee]) expect(watch.faults).toEqual([]);
  });
});
