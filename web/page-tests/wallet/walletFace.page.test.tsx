/** The wallet's screens as the browser review looked at them: "Ugly" 2 to 10 and 13, and what it says about accessibility. */
import { asTxId } from "@svc/shared/base/brand.ts";
import { describe, expect, test, vi } from "vitest";
import { commands, page } from "vitest/browser";
import type { SendView } from "../../wallet-api/walletApi.ts";
import { exampleSnapshot } from "../../wallet-worker/testkit/exampleSnapshot.ts";
import type { FakeWorkers } from "../testkit/fakeWorkers.ts";
import { ModelWallet } from "../testkit/modelWallet.ts";
import { screenFaults } from "../testkit/screenFaults.ts";
import { PHONE } from "../testkit/screenRules.ts";
import { showWallet } from "../testkit/showWallet.ts";
import { button, field, goTo, type ScreenName } from "../testkit/walletScreen.ts";

/** A memo that shows "abc" backwards where nobody takes care. */
const TURNED = "\u202ecba\u202c for bread";

/** ms. Some minutes after the last block of the model chain. */
const NOW_MS = 1_300_000;

const row = (text: string) => page.getByTestId("history-row").filter({ hasText: text });

/** Shows a wallet that mined, and that paid itself with the turned memo, on the screen with this hash. */
async function showPaid(hash: string): Promise<{ model: ModelWallet; workers: FakeWorkers }> {
  vi.setSystemTime(NOW_MS);
  const model = await ModelWallet.open();
  model.payOwn(125_000_000n, TURNED);
  return { model, workers: await showWallet(model.snapshot(), { hash, wallet: model.answers() }) };
}

describe("a wallet that nobody has paid", () => {
  test("U4: shows no empty boxes, and the way to the first coins", async () => {
    const model = await ModelWallet.unpaid();
    const snapshot = model.snapshot();
    const node = { ...snapshot.node, minesOnRequest: true };
    await showWallet({ ...snapshot, node }, { wallet: model.answers() });
    await expect.element(page.getByText("Nothing here yet")).toBeVisible();
    await expect.element(page.getByText(/Show your address to whoever pays you/)).toBeVisible();
    await expect.element(page.getByText(/you can have it mine to you/)).toBeVisible();
    expect(page.getByTestId("spendable").query()).toBeNull();
    expect(page.getByText("Spendable soon").query()).toBeNull();
    expect(await screenFaults("home-empty")).toEqual([]);
  });

  test("U8: a phone has the lock and the explorer at hand, and asks nothing of its owner to reach them", async () => {
    const model = await ModelWallet.unpaid();
    const workers = await showWallet(model.snapshot(), { wallet: model.answers() });
    await page.viewport(PHONE.width, PHONE.height);
    const top = page.getByRole("banner");
    await expect
      .element(top.getByRole("link", { name: "Explorer" }))
      .toHaveAttribute("href", "/explorer/");
    await top.getByRole("button", { name: "Lock" }).click();
    // The keyring first, then the wallet's worker.
    await expect.poll(() => workers.callsOf("lock")).toEqual([[], []]);
    await workers.tell({ ...model.snapshot(), access: "locked", wallet: null });
    await expect.element(button("Unlock")).toBeVisible();
  });
});

describe("a wallet with coins", () => {
  test("U6, U7: review and end say what was paid to whom, the address in groups", async () => {
    const model = await ModelWallet.open();
    const snapshot = model.snapshot();
    const workers = await showWallet(snapshot, {
      hash: "#/send",
      wallet: { ...model.answers(), send: async () => undefined },
    });
    await field("To").fill(model.own);
    await field("Amount").fill("1.25");
    await field("Memo").fill(TURNED);
    await button("Review").click();
    const main = page.getByRole("main");
    await expect.element(button(/^Send /)).toBeVisible();
    const text = () => main.element().textContent;
    expect(text()).toContain(model.own);
    expect(text()).toContain("cba for bread");
    expect(text()).not.toContain("\u202e");
    expect(await screenFaults("review")).toEqual([]);
    await button(/^Send /).click();
    const payee = { address: model.own, amount: "1.25", memo: TURNED };
    await expect.poll(() => workers.callsOf("send").map(([payees]) => payees)).toEqual([[payee]]);
    await workers.tell({ ...snapshot, send: sent() });
    await expect.element(page.getByRole("heading", { name: "Payment sent" })).toBeVisible();
    expect(text()).toMatch(/1\.25\s*coins/);
    await expect.element(main.getByText(/^To \w+:\w{8}…\w{8}$/)).toBeVisible();
    await expect.element(button("Copy the transaction id")).toBeVisible();
    expect(await screenFaults("sent")).toEqual([]);
  });

  test("U2, U3, U13: rows stand under their day, mined ones of a day in one, and no memo turns them around", async () => {
    await showPaid("#/history");
    await expect.element(page.getByText("Today", { exact: true })).toBeVisible();
    const mined = row("Mined");
    await expect.element(mined.filter({ hasText: /\d+ blocks/ })).toBeVisible();
    expect(mined.elements()).toHaveLength(1);
    const paid = row("cba for bread");
    expect(paid.element().textContent).toMatch(/just now|minutes? ago/);
    expect(paid.element().textContent).not.toContain("\u202e");
    expect(await screenFaults("history")).toEqual([]);
    await mined.click();
    await expect.poll(() => mined.elements().length).toBeGreaterThan(1);
    await expect.element(page.getByRole("radio", { name: "Mined" })).toBeChecked();
    await page.getByRole("radio", { name: "All" }).click();
    await expect.element(paid).toBeVisible();
  });

  test("U6: a payment's details copy its name and lead to the explorer, which looks for it among others", async () => {
    await showPaid("#/history");
    await row("cba for bread")
      .filter({ hasText: /Arriving|Confirmed/ })
      .click();
    await expect.element(button("Copy the transaction id")).toBeVisible();
    const link = page.getByRole("link", { name: "Look it up in the explorer" });
    await expect
      .element(link)
      .toHaveAttribute("href", expect.stringMatching(/^\/explorer\/search#[0-9a-f]{64}$/));
    await expect.element(link).toHaveAttribute("target", "_blank");
    await expect.element(page.getByText(/its server does not learn which one/)).toBeVisible();
    expect(await screenFaults("detail")).toEqual([]);
  });

  test("U13: where the system replaces colours a frame shows the current screen", async () => {
    await showPaid("#/history");
    await commands.emulateMedia({ forcedColors: "active" });
    const current = page.getByRole("link", { name: "History", exact: true });
    expect(getComputedStyle(current.element()).borderTopStyle).toBe("solid");
    const other = page.getByRole("link", { name: "Receive", exact: true });
    expect(getComputedStyle(other.element()).borderTopStyle).toBe("none");
  });

  test.each<ScreenName>(["Home", "Receive", "Send", "History", "Settings"])(
    "%s has nothing that axe finds, and nothing too small to be pressed",
    async (screen) => {
      await showPaid("#/");
      await goTo(screen);
      await expect
        .element(page.getByRole("link", { name: screen, exact: true }).first())
        .toHaveAttribute("aria-current", "page");
      expect(await screenFaults(screen.toLowerCase())).toEqual([]);
    },
  );
});

/** A payment that a node has. */
function sent(): SendView {
  const { send } = exampleSnapshot;
  if (send === null) throw new TypeError("the example has a payment under way");
  const txid = asTxId("ab".repeat(32));
  return { ...send, stage: "sent", fraction: null, cancellable: false, parts: 1, out: 1, txid };
}
