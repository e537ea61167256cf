/** Several wallets in one browser profile: each has its own keys, passphrase and history, and none is touched by what is done with another. */
import { beforeAll, describe, expect, test } from "vitest";
import { axeFaults } from "../testkit/axeFaults.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { STEP_HANG_MS } from "../../testkit/hangMs.ts";

const FIRST = "a passphrase for the first wallet";
const SECOND = "quite another one for the second";
const WAIT = { timeout: STEP_HANG_MS };

const scene = setScene();

let page: WalletPage;
/** Address of the first wallet, and its sum once nothing is mined to it any more. */
let first: { readonly address: string; readonly total: string };
let second: string;
/** All that was asked for, from the beginning: method, address, headers and body. */
const heard: string[] = [];

beforeAll(async () => {
  page = await openWallet(scene, FIRST);
  page.page.on("request", (request) => {
    const headers = JSON.stringify(request.headers());
    heard.push(`${request.method()} ${request.url()} ${headers} ${request.postData() ?? ""}`);
  });
  await page.create();
  await page.earn();
  await page.stopMining();
  first = { address: await page.address(), total: await totalOf() };
});

async function totalOf(): Promise<string> {
  await page.goTo("Home");
  return page.shownTotal();
}

/** Opens the locked wallet and waits until it is up to date. */
async function open(passphrase: string): Promise<void> {
  await page.unlock(passphrase);
  await page.ready();
}

/** The choice of a wallet on the locked screen. */
function choice(name: string) {
  return page.page.getByRole("radio", { name });
}

/** Waits until this wallet is the one that the passphrase is asked for. */
async function isChosen(name: string): Promise<void> {
  await expect.poll(() => choice(name).isChecked(), WAIT).toBe(true);
}

/** The open wallet is the first one, with all that it had. */
async function isFirst(): Promise<void> {
  expect(await page.address()).toBe(first.address);
  await expect.poll(totalOf, WAIT).toBe(first.total);
  await page.goTo("History");
  await page.page.getByTestId("history-row").first().waitFor();
}

/** The open wallet is the second one, which got nothing. */
async function isSecond(): Promise<void> {
  expect(await page.address()).toBe(second);
  expect(await totalOf()).toBe("0");
  await page.goTo("History");
  await page.says(/No payments yet/);
  expect(await page.page.getByTestId("history-row").count()).toBe(0);
}

describe("a second wallet of one browser", () => {
  test("is made beside the first, which is locked meanwhile and can be gone back to", async () => {
    await page.goTo("Settings");
    await page.button("Add a wallet").click();
    await page.page.getByRole("heading", { name: "One more wallet" }).waitFor();
    expect(await axeFaults(page.page)).toEqual([]);
    await keepPictures(page.page, "wallets-new");
    await page.button("Back to your wallets").click();
    await open(FIRST);
    await isFirst();
    await page.goTo("Settings");
    await page.button("Add a wallet").click();
    await page.create(SECOND);
    second = await page.address();
    expect(second).not.toBe(first.address);
    await isSecond();
  });

  test("has a name of its own, and stands beside the first in the settings", async () => {
    await page.goTo("Settings");
    await page.button("Rename Wallet 2").click();
    const field = page.page.getByLabel("Name of Wallet 2");
    await field.fill("Savings");
    expect(await axeFaults(page.page)).toEqual([]);
    await field.press("Enter");
    const entries = page.page.getByTestId("wallet-entry");
    await expect.poll(() => entries.filter({ hasText: "Savings" }).count(), WAIT).toBe(1);
    expect(await entries.allInnerTexts()).toEqual([
      expect.stringMatching(/Wallet 1[^]*Locked[^]*Switch/),
      expect.stringMatching(/Savings[^]*Open now/),
    ]);
    expect(await page.page.getByTestId("network-line").first().innerText()).toContain("Savings");
    expect(await axeFaults(page.page)).toEqual([]);
    await keepPictures(page.page, "wallets-settings");
  });

  test("gives way to the first, which its own passphrase alone opens", async () => {
    await page.goTo("Settings");
    await page.button("Switch to Wallet 1").click();
    await isChosen("Wallet 1");
    expect(await axeFaults(page.page)).toEqual([]);
    await keepPictures(page.page, "wallets-locked");
    await page.unlock(SECOND);
    await page.says(/This passphrase does not open the wallet/);
    expect(await page.page.getByTestId("total").count()).toBe(0);
    await open(FIRST);
    await isFirst();
  });

  test("is chosen on the locked screen after a reload, and each is as it was", async () => {
    await page.page.reload();
    await choice("Wallet 1").waitFor({ state: "attached" });
    await page.page.getByLabel("Passphrase", { exact: true }).fill("typed for the first");
    await choice("Savings").click();
    await isChosen("Savings");
    const field = page.page.getByLabel("Passphrase", { exact: true });
    // What was typed for one wallet is not offered to another.
    await expect.poll(() => field.inputValue(), WAIT).toBe("");
    await open(SECOND);
    await isSecond();
    await page.page.reload();
    await open(SECOND);
    await isSecond();
    await page.page.reload();
    await choice("Wallet 1").click();
    await isChosen("Wallet 1");
    await open(FIRST);
    await isFirst();
  });

  test("is shown in another tab once it is switched to", async () => {
    const tab = await WalletPage.open(page.page.context(), scene.node.url, FIRST);
    await tab.page.getByTestId("total").waitFor();
    await expect.poll(() => tab.shownTotal(), WAIT).toBe(first.total);
    await page.goTo("Settings");
    await page.button(/Switch to .*Savings/).click();
    await isChosen("Savings");
    await tab.page.getByTestId("total").waitFor({ state: "detached" });
    await open(SECOND);
    await tab.page.getByTestId("total").waitFor();
    await expect.poll(() => tab.shownTotal(), WAIT).toBe("0");
    expect(await tab.page.getByTestId("network-line").first().innerText()).toContain("Savings");
    expect(tab.watch.faults).toEqual([]);
    await tab.page.close();
  });

  test("says nothing of the wallets to the node", async () => {
    const id = await secondId();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(heard.filter((request) => request.includes("/v1/")).length).toBeGreaterThan(10);
    const words = [id, "Savings", first.address, second, "wallet-"];
    for (const word of words) {
      const naming = heard.filter((request) => request.includes(word) && !isMining(request));
      expect(naming.filter((request) => !request.includes("/assets/"))).toEqual([]);
    }
  });

  test("that is damaged does not keep the first one shut", async () => {
    const whole = await storedProfile(await secondId());
    await storedProfile(await secondId(), "{}");
    await page.page.reload();
    await page.page.getByRole("heading", { name: "The wallet had to stop" }).waitFor();
    expect(await axeFaults(page.page)).toEqual([]);
    await keepPictures(page.page, "wallets-damaged");
    await choice("Wallet 1").click();
    await isChosen("Wallet 1");
    await open(FIRST);
    await isFirst();
    await storedProfile(await secondId(), whole);
    await page.goTo("Settings");
    await page.button(/Switch to .*Savings/).click();
    await isChosen("Savings");
    await open(SECOND);
    await isSecond();
  });

  test("is removed, and the first is intact", async () => {
    await page.goTo("Settings");
    await page.button("Remove wallet…").click();
    await page.says(/What is removed is .*Savings/);
    expect(await axeFaults(page.page)).toEqual([]);
    await keepPictures(page.page, "wallets-remove");
    await page.page.getByRole("dialog").getByRole("checkbox").click();
    await page.page.getByRole("button", { name: "Remove wallet", exact: true }).click();
    await page.button("Unlock").first().waitFor();
    await expect.poll(() => page.page.getByText("Savings").count(), WAIT).toBe(0);
    await page.unlock(SECOND);
    await page.says(/This passphrase does not open the wallet/);
    await open(FIRST);
    await isFirst();
    await page.page.reload();
    await open(FIRST);
    await isFirst();
    const names = await page.page.evaluate(async () =>
      (await indexedDB.databases())
        .map(({ name = "" }) => name)
        .filter((name) => name !== "svc-derived"),
    );
    expect(names.toSorted()).toEqual(["svc-wallet", "svc-wallets"]);
    expect(page.watch.faults).toEqual([]);
    expect(page.watch.strangers).toEqual([]);
  });
});

/** A local node is told an address to mine to, once its owner presses that button. */
function isMining(request: string): boolean {
  return request.includes("/local/mine");
}

/** Id of the second wallet, as its database is called. */
async function secondId(): Promise<string> {
  const names = await page.page.evaluate(async () =>
    (await indexedDB.databases()).map(({ name = "" }) => name),
  );
  return names.find((name) => name.startsWith("svc-wallet-"))?.slice("svc-wallet-".length) ?? "";
}

/** The profile of a wallet's network as it is stored; `next` takes its place. */
function storedProfile(id: string, next?: string): Promise<string> {
  return page.page.evaluate(
    async ([name, text]) => {
      const done = <T>(request: IDBRequest<T>): Promise<T> =>
        new Promise((resolve, reject) => {
          request.addEventListener("success", () => resolve(request.result));
          request.addEventListener("error", () => reject(request.error ?? new Error("request")));
        });
      const database = await done(indexedDB.open(name));
      const meta = database.transaction("meta", "readwrite").objectStore("meta");
      const network = Object(await done(meta.get("network")));
      const before = String(network.profileJson);
      if (text !== undefined) await done(meta.put({ ...network, profileJson: text }, "network"));
      database.close();
      return before;
    },
    [`svc-wallet-${id}`, next] as const,
  );
}
