/** Unlock of the browser wallet with a passkey of the device, beside the passphrase: over a reload, without a network, and through a tab that dies. */
import type { Page } from "playwright-core";
import { afterEach, describe, expect, test } from "vitest";
import { crashPage } from "../testkit/crashPage.ts";
import { giveDevice, type FakeDevice } from "./passkeys.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";
const BY_DEVICE = "Unlock with this device";

const scene = setScene();
const opened: WalletPage[] = [];

afterEach(async () => {
  for (const wallet of opened.splice(0)) await wallet.close();
});

/** Passkeys belong to the name of a host, and an address of numbers is none. */
const namedUrl = () => scene.node.url.replace("127.0.0.1", "localhost");

/** An open wallet in a browser with a device. */
async function created(): Promise<{ wallet: WalletPage; device: FakeDevice }> {
  const context = await scene.browser.newContext();
  const wallet = await WalletPage.open(context, namedUrl(), PASSPHRASE);
  opened.push(wallet);
  const device = await giveDevice(wallet.page);
  await wallet.create();
  return { wallet, device };
}

/** Requests of every open page, whichever way it was opened: the node, its own scripts, and whether the node mines here. */
const USUAL = /^\/(?:v1\/|workers\/|local\/mine$)/;

async function beginSetUp(wallet: WalletPage): Promise<void> {
  const dialog = wallet.page.getByRole("dialog");
  await wallet.goTo("Settings");
  await wallet.button("Set up this device").click();
  await dialog.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await dialog.getByRole("button", { name: "Ask this device" }).click();
}

async function setUp(wallet: WalletPage): Promise<void> {
  await beginSetUp(wallet);
  await wallet.says(/This device opens the wallet from now on/);
  await wallet.page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
  await wallet.button("Remove this device").waitFor();
}

async function lock(wallet: WalletPage): Promise<void> {
  await wallet.goTo("Settings");
  await wallet.button("Lock now").click();
  await wallet.page.getByLabel("Passphrase", { exact: true }).waitFor();
}

function expectQuiet({ watch }: WalletPage): void {
  expect(watch.faults).toEqual([]);
  expect(watch.strangers).toEqual([]);
}

describe("the unlock with this device", () => {
  test("opens the wallet beside the passphrase, over a reload, without a request, and is removed", async () => {
    const { wallet, device } = await created();
    const address = await wallet.address();
    await setUp(wallet);
    expect(await device.count()).toBe(1);

    await wallet.goTo("Home");
    await wallet.page.reload();
    await wallet.button(BY_DEVICE).waitFor();
    const asked = requestsOf(wallet.page);
    await wallet.button(BY_DEVICE).click();
    await wallet.ready();
    expect(asked.filter((path) => !USUAL.test(path))).toEqual([]);
    expect(await wallet.address()).toBe(address);

    await lock(wallet);
    await wallet.unlock(PASSPHRASE);
    await wallet.ready();
    await wallet.goTo("Settings");
    await wallet.button("Remove this device").click();
    await wallet.says(/This device no longer opens the wallet/);
    await wallet.button("Set up this device").waitFor();
    await lock(wallet);
    expect(await wallet.button(BY_DEVICE).count()).toBe(0);
    await wallet.unlock(PASSPHRASE);
    await wallet.ready();
    expectQuiet(wallet);
  });

  test("opens the wallet without a network, with what is known last", async () => {
    const { wallet } = await created();
    await setUp(wallet);
    await wallet.page.evaluate(async () => {
      await navigator.serviceWorker.ready;
    });
    await scene.node.stop();
    try {
      await wallet.page.reload();
      await wallet.button(BY_DEVICE).click();
      await wallet.goTo("Home");
      await wallet.says(/Last known, as of .* ago/);
    } finally {
      await scene.node.start();
    }
    await wallet.ready();
    expectQuiet(wallet);
  });

  test.each(["before", "after"] as const)(
    "of a tab that dies %s the slot is stored leaves the passphrase, which opens the wallet",
    async (moment) => {
      const { wallet, device } = await created();
      const address = await wallet.address();
      if (moment === "before") await device.isAttended(false);
      const stored = moment === "after" ? slotStored(wallet.page) : Promise.resolve();
      await Promise.all([beginSetUp(wallet), stored]);
      if (moment === "before") await wallet.page.locator("dialog [aria-busy=true]").waitFor();
      await crashPage(wallet.page);

      const again = await WalletPage.open(wallet.page.context(), namedUrl(), PASSPHRASE);
      await again.unlock();
      await again.ready();
      expect(await again.address()).toBe(address);
    },
  );
});

/** The paths that the page asks for from now on. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on("request", (request) => paths.push(new URL(request.url()).pathname));
  return paths;
}

/** Resolves as soon as the stored vault has a slot for the device. */
function slotStored(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.addEventListener("success", () => resolve(request.result));
        request.addEventListener("error", () => reject(request.error ?? new Error("no database")));
      });
    const database = await done(indexedDB.open("svc-wallet"));
    const hasSlot = async (): Promise<boolean> => {
      const vaults = database.transaction("vault").objectStore("vault");
      return "deviceSlot" in (await done(vaults.get("vault")));
    };
    // oxlint-disable-next-line no-await-in-loop -- one look after the other
    while (!(await hasSlot()));
  });
}
