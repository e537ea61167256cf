/** The wallet in several tabs of one browser: one has it and follows the chain, the others show it and ask no node. */
import { beforeAll, describe, expect, test } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const PASSPHRASE = "a passphrase for several tabs";
const WAIT = { timeout: STEP_HANG_MS };

const scene = setScene();

/** The tab that has the wallet at first. */
let first: WalletPage;

beforeAll(async () => {
  first = await openWallet(scene, PASSPHRASE);
  await first.create();
  await first.earn();
  await first.stopMining();
});

/** Another tab of the same browser. */
function openTab(): Promise<WalletPage> {
  return WalletPage.open(first.page.context(), scene.node.url, PASSPHRASE);
}

/** Waits until the tab shows the wallet that another tab has. */
async function followed(tab: WalletPage): Promise<void> {
  await tab.says(/The wallet is open in another tab|The wallet moved to another tab/);
  await tab.page.getByTestId("total").waitFor();
}

describe("a wallet that is open in another tab", () => {
  test("is shown in a second one, which follows it and asks no node", async () => {
    const second = await openTab();
    const asked: string[] = [];
    second.page.on("request", (request) => {
      if (request.url().includes("/v1/")) asked.push(request.url());
    });
    await followed(second);
    expect(await second.shownTotal()).toBe(await first.shownTotal());
    const before = await first.shownTotal();
    await first.mine();
    await first.goTo("Home");
    await expect.poll(() => first.shownTotal(), WAIT).not.toBe(before);
    await first.stopMining();
    await expect
      .poll(async () => {
        return (await second.shownTotal()) === (await first.shownTotal());
      }, WAIT)
      .toBe(true);
    expect(await second.shownTotal()).not.toBe(before);
    expect(await second.page.getByRole("link", { name: "Send" }).count()).toBe(0);
    expect(await second.page.getByRole("link", { name: "Receive" }).count()).toBe(0);
    expect(asked).toEqual([]);
    expect(await axeFaults(second.page)).toEqual([]);
    await keepPictures(second.page, "tabs-home");
    expect(second.watch.faults).toEqual([]);
    await second.page.close();
  });

  test("has its history there, with details and files", async () => {
    const own = await first.address();
    await first.beginPayment({ to: own, amount: "1.25", memo: "both tabs" });
    await first.sent();
    const second = await openTab();
    await followed(second);
    await second.goTo("History");
    await second.page.getByTestId("history-row").first().waitFor();
    await second.page.getByLabel("Search").fill("both tabs");
    const row = second.page.getByTestId("history-row").filter({ hasText: "both tabs" });
    await row.first().waitFor();
    await expect.poll(() => row.count(), WAIT).toBe(1);
    await second.page.getByText("Save the list as a file").click();
    const saving = second.page.waitForEvent("download");
    await second.button(/CSV/).click();
    expect((await saving).suggestedFilename()).toMatch(/\.csv$/);
    await keepPictures(second.page, "tabs-history");
    await row.first().click();
    await second.page.getByTestId("memo").waitFor();
    expect(await axeFaults(second.page)).toEqual([]);
    await keepPictures(second.page, "tabs-detail");
    await second.page.close();
  });

  test("is used in the second one on request, and the first one follows then", async () => {
    const second = await openTab();
    await followed(second);
    await second.button("Use it here").click();
    await second.unlock();
    await second.ready();
    await followed(first);
    await first.says(/The wallet moved to another tab/);
    expect(await second.page.getByRole("link", { name: "Send" }).first().isVisible()).toBe(true);
    await first.button("Use it here").click();
    await first.unlock();
    await first.ready();
    await followed(second);
    await second.page.close();
  });

  test("is locked in all of them by a lock in any", async () => {
    const second = await openTab();
    await followed(second);
    await second
      .button(/^Lock$/)
      .filter({ visible: true })
      .click();
    await first.button("Unlock").waitFor();
    await second.page.getByTestId("total").waitFor({ state: "detached" });
    await first.unlock();
    await first.ready();
    await followed(second);
    await first
      .button(/^Lock$/)
      .filter({ visible: true })
      .click();
    await first.button("Unlock").waitFor();
    await second.page.getByTestId("total").waitFor({ state: "detached" });
    await first.unlock();
    await first.ready();
    await second.page.close();
  });

  test("goes to who asks for it, not to who has waited longer", async () => {
    const [waits, asks] = [await openTab(), await openTab()];
    await followed(waits);
    await followed(asks);
    await asks.button("Use it here").click();
    await asks.button("Unlock").waitFor();
    await asks.unlock();
    await asks.ready();
    await followed(waits);
    await waits.page.close();
    await first.button("Use it here").click();
    await first.unlock();
    await first.ready();
    await asks.page.close();
  });

  test("is not shown or changed by what another page of the origin says", async () => {
    const second = await openTab();
    await followed(second);
    const total = await second.shownTotal();
    const liar = await first.page.context().newPage();
    await liar.goto(`${scene.node.url}/explorer/`);
    const name = await workerPath(second);
    await liar.evaluate((path) => {
      const channel = new BroadcastChannel(`svc-wallet-shown ${path}`);
      for (let turn = 0; turn < 200; turn += 1) {
        channel.postMessage({ kind: "shown", body: '{"wallet":{"balances":{"total":"9"}}}' });
        channel.postMessage({ kind: "ask", from: "me", number: turn, ask: { call: "vault" } });
      }
      channel.close();
    }, name);
    await second.goTo("History");
    await second.page.getByTestId("history-row").first().waitFor();
    await second.goTo("Home");
    expect(await second.shownTotal()).toBe(total);
    expect(second.watch.faults).toEqual([]);
    await liar.close();
    await second.page.close();
  });

  test("goes to a tab that followed it when its own tab dies, which says so", async () => {
    const second = await openTab();
    await followed(second);
    const total = await second.shownTotal();
    await crashPage(first.page);
    await second.says(/The other tab was closed/);
    expect(await axeFaults(second.page)).toEqual([]);
    await keepPictures(second.page, "tabs-ended");
    await second.unlock();
    await second.ready();
    await expect.poll(() => second.shownTotal(), WAIT).toBe(total);
    expect(second.watch.faults).toEqual([]);
  });
});

/** The file of the wallet worker of a tab, by which its build is known. */
async function workerPath({ page }: WalletPage): Promise<string> {
  const found = page.workers().find((worker) => worker.url().includes("wallet.worker"));
  return new URL(found?.url() ?? "").pathname;
}
