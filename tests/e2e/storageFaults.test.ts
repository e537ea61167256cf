/** A browser whose storage is cleared, forgotten with its window, or written by a newer version of the page. */
import { afterEach, describe, expect, test } from "vitest";
import { setScene } from "./scene.ts";
import { WalletPage } from "./WalletPage.ts";

const PASSPHRASE = "a passphrase for faulty disks";
const scene = setScene();
const opened: WalletPage[] = [];

afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

async function openWallet(): Promise<WalletPage> {
  const context = await scene.browser.newContext();
  const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
  opened.push(wallet);
  return wallet;
}

/** Removes what the origin has stored, as a browser does that is short of space, or a person. */
async function clearStorage({ page }: WalletPage): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", {
    origin: scene.node.url,
    storageTypes: "all",
  });
  await devtools.detach();
}

describe("a browser that forgets", () => {
  test("stops the open wallet in words, and the seed brings everything back", async () => {
    const wallet = await openWallet();
    const seed = await wallet.create();
    await wallet.mine();
    await wallet.sum("spendable");
    await wallet.goTo("Receive");
    await wallet.button("Stop mining to it").click();
    await wallet.button("Mine to this wallet").waitFor();
    await wallet.goTo("Home");
    await wallet.page.getByText("Nothing waits").waitFor();
    const total = await wallet.sum("total");
    await clearStorage(wallet);
    await wallet.page.getByText("The browser removed the data of this wallet").waitFor();
    await wallet.button("Reload the page").click();
    await wallet.restore(seed);
    await expect.poll(() => wallet.sum("total"), { timeout: 60_000 }).toBe(total);
  });

  test("is told of before it does: a private window has promised nothing", async () => {
    const wallet = await openWallet();
    await wallet.create();
    await wallet.goTo("Settings");
    await wallet.page.getByText("This browser has not promised to keep").waitFor();
  });
});

describe("a newer version of the page", () => {
  test("in another tab takes the wallet from this one, which says so before and after a reload", async () => {
    const wallet = await openWallet();
    await wallet.create();
    const newer = await wallet.page.context().newPage();
    await newer.goto(`${scene.node.url}/blocks/`);
    await newer.evaluate(
      () =>
        new Promise<void>((resolve, reject) => {
          const request = indexedDB.open("svc-wallet", 1_000);
          request.addEventListener("success", () => {
            request.result.close();
            resolve();
          });
          request.addEventListener("error", () => reject(request.error ?? new Error("no reason")));
        }),
    );
    await wallet.page.getByText("The wallet moved to another tab").waitFor();
    await wallet.page.reload();
    await wallet.page.getByText(/newer/).waitFor();
  });
});
