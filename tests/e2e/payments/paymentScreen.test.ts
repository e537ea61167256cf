/** The payment screen over a real proof: cancelled, asked to lock, and wanted in another tab (B8). */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import type { PaymentText, WalletPage } from "../testkit/walletPage.ts";

const scene = setScene();

/** A wallet with coins that all tests of this file pay from, to itself. */
let wallet: WalletPage;
let own: string;

beforeAll(async () => {
  wallet = await openWallet(scene, "a passphrase of the payer");
  await wallet.create();
  own = await wallet.address();
  await wallet.earn();
});

// How the payment of the test before ended is told once, on its own screen. Its change, and mined coins, may still be maturing.
beforeEach(async () => void (await wallet.sum("spendable")));

/** A payment of an amount of its own: the same again, while the first waits, would count as its repetition (decision 24). */
function payment(memo = ""): PaymentText {
  made += 1;
  return { to: own, amount: `1.${made}`, memo };
}

let made = 0;

describe("the payment screen", () => {
  test("a payment that is cancelled while it is proved sends nothing, and can leave the list", async () => {
    const memo = "came to nothing";
    const pressed = wallet.cancelWhileProving();
    await wallet.beginPayment(payment(memo));
    await pressed;
    await wallet.page.getByText("Cancelled. Nothing was sent.").waitFor();
    await wallet.button("Back to the payment").click();
    await wallet.goTo("History");
    await wallet.page.getByRole("radio", { name: "Sent" }).check();
    const row = wallet.page.getByTestId("history-row").filter({ hasText: memo });
    await row.filter({ hasText: "Cancelled" }).click();
    await wallet.button("Remove from the list").click();
    await row.waitFor({ state: "detached" });
  });

  test("a payment goes on behind the question whether to lock", async () => {
    const asked = wallet.pressWhileProving("Lock");
    await wallet.beginPayment(payment());
    await asked;
    await wallet.page.getByText("Cancel the payment and lock?").waitFor();
    await wallet.button("Go on paying").click();
    await wallet.sent();
  });

  test("B8: another tab is told that a payment is under way, and takes the wallet only when it insists", async () => {
    // The proof is held up: nothing may depend on which of two tabs is quicker. A new page has a prover without its circuit.
    await wallet.page.context().route("**/action-circuit*", () => undefined);
    await wallet.reload();
    const other = await wallet.page.context().newPage();
    await other.goto(`${scene.node.url}/wallet/`);
    const take = other.getByRole("button", { name: "Use it here" });
    await take.waitFor();
    await wallet.beginPayment(payment());
    await wallet.page.getByText("Nothing has been sent yet.").waitFor();
    await take.click();
    await other.getByText("The other tab is making a payment").waitFor();
    expect(await wallet.page.getByText("The wallet moved to another tab").count()).toBe(0);
    await wallet.page.context().unrouteAll({ behavior: "ignoreErrors" });
    await other.getByRole("button", { name: "Cancel the payment and use it here" }).click();
    await wallet.page.getByText("The wallet moved to another tab").waitFor();
    await other.getByRole("button", { name: "Unlock" }).waitFor();
    await other.close();
    await wallet.button("Use it here").click();
    await wallet.unlock();
    await wallet.ready();
  });
});
