/** The payment screen from the form to the end, as the browser review looked at it (B5 to B8, B11, B15). */
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
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
}, 300_000);

// How the payment of the test before ended is told once, on its own screen. Its change, and mined coins, may still be maturing.
beforeEach(async () => void (await wallet.sum("spendable")));

/** A payment of an amount of its own: the same again, while the first waits, would count as its repetition (decision 24). */
function payment(memo = ""): PaymentText {
  made += 1;
  return { to: own, amount: `1.${made}`, memo };
}

let made = 0;

/** What the screen showed, noted inside the page at every change from now on. */
async function watchScreen(): Promise<() => Promise<readonly Sight[]>> {
  await wallet.page.evaluate(() => {
    const seen: { stage: string; text: string; form: boolean; lost: boolean }[] = [];
    Object.assign(globalThis, { seenOnScreen: seen });
    const look = () => {
      const stages = document.querySelector("[data-testid=stage]");
      const live = stages?.parentElement?.querySelector("[aria-live=polite]");
      seen.push({
        stage: stages?.getAttribute("data-stage") ?? "",
        text: live?.textContent ?? "",
        form: document.querySelector("main form") !== null,
        lost: document.activeElement === document.body,
      });
    };
    new MutationObserver(look).observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      characterData: true,
    });
  });
  return () => wallet.page.evaluate(() => Reflect.get(globalThis, "seenOnScreen"));
}

type Sight = { stage: string; text: string; form: boolean; lost: boolean };

/** A payment from its review to its end: what the screen showed after Send was pressed, and whether the keyboard's place came along. */
const paid = shareAmongTests(async () => {
  await wallet.reviewPayment(payment());
  const review = await isPlaceAt("review");
  const seen = await watchScreen();
  await wallet.page.getByRole("button", { name: /^Send / }).click();
  await wallet.sent();
  return { seen: await seen(), places: { review, end: await isPlaceAt("end") } };
});

/** Whether the keyboard's place comes to this step. */
function isPlaceAt(step: string): Promise<boolean> {
  const isThere = (wanted: string): boolean =>
    document.activeElement?.getAttribute("data-step") === wanted;
  const there = wallet.page.waitForFunction(isThere, step);
  return there.then(
    () => true,
    () => false,
  );
}

/** A payment that was cancelled while it was proved; gives its memo. */
const cancelled = shareAmongTests(async () => {
  const memo = "came to nothing";
  const pressed = wallet.cancelWhileProving();
  await wallet.beginPayment(payment(memo));
  await pressed;
  await wallet.page.getByText("Cancelled. Nothing was sent.").waitFor();
  await wallet.button("Back to the payment").click();
  return memo;
});

describe("the payment screen", () => {
  test("B5: says in the live region what it is doing, stage by stage", async () => {
    const { seen } = await paid.get();
    const texts = seen.filter(({ stage }) => stage === "proving").map(({ text }) => text);
    expect(new Set(texts)).toEqual(new Set(["Computing the zero-knowledge proof"]));
  });

  test("B6: goes from the review to the progress without showing the form in between", async () => {
    const { seen } = await paid.get();
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.filter(({ form }) => form)).toEqual([]);
  });

  test("B11: the keyboard's place goes along from step to step", async () => {
    const { seen, places } = await paid.get();
    expect(places).toEqual({ review: true, end: true });
    expect(seen.filter(({ stage, lost }) => stage === "proving" && lost)).toEqual([]);
  });

  test("B8: a payment is filled in again from the history", async () => {
    const memo = await cancelled.get();
    await wallet.goTo("Send");
    await wallet.page.getByLabel("Memo", { exact: true }).fill("");
    await wallet.goTo("History");
    await wallet.page.getByTestId("history-row").filter({ hasText: memo }).click();
    await wallet.button("Fill in again").click();
    expect(await wallet.page.getByLabel("Memo", { exact: true }).inputValue()).toBe(memo);
    expect(await wallet.page.getByLabel("To", { exact: true }).inputValue()).toBe(own);
  });

  test("B7: a payment that came to nothing sinks, is not called sent, and can leave the list", async () => {
    const memo = await cancelled.get();
    await wallet.goTo("Home");
    const rows = wallet.page.getByTestId("history-row");
    // A block mined to the wallet since then stands above it.
    await rows.first().filter({ hasText: "Mined" }).waitFor();
    await wallet.goTo("History");
    await wallet.page.getByRole("radio", { name: "Sent" }).check();
    const row = rows.filter({ hasText: "Cancelled" }).filter({ hasText: memo });
    expect(await row.innerText()).not.toContain("Sent");
    await row.click();
    await wallet.button("Remove from the list").click();
    await row.waitFor({ state: "detached" });
    await cancelled.drop();
  });

  test("B8: Lock asks before it ends a payment, and the payment can go on", async () => {
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
