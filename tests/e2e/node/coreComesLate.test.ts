/** The wallet page before its core has come: it can be used, and says what it waits for. */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { placePages } from "../testkit/placePages.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { LocalNode } from "../testkit/localNode.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { PageServer } from "../testkit/pageServer.ts";

const PASSPHRASE = "a passphrase before the core";
const CORE = /core_bg.*\.wasm$/;

let folder: TemporaryFolder;
let pages: PageServer;
let node: LocalNode;
let browser: Browser;

beforeAll(async () => {
  folder = temporaryFolder();
  pages = await PageServer.start();
  node = await LocalNode.create(["--http-origin", pages.url]);
  await node.start();
  browser = await launchBrowser();
  const built = join(folder.path, "pages");
  await placePages(built, node.url);
  await pages.show(built);
});

afterAll(async () => {
  await browser?.close();
  await node?.dispose();
  await pages?.stop();
  folder?.remove();
});

/** Keeps the core back until it is let go. */
function holdCore(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  pages.change(async (path, response) => {
    if (CORE.test(path)) await promise;
    return response;
  });
  return resolve;
}

test("the first screen and its forms can be used while the core is kept back, and go on when it comes", async () => {
  const letGo = holdCore();
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  const { page } = wallet;
  await wallet.button("Restore a wallet").click();
  await page.getByLabel("Seed").fill("00");
  await wallet.button("Back").click();
  await wallet.button("Create a wallet").click();
  await page.getByLabel("Passphrase", { exact: true }).fill(PASSPHRASE);
  await page.getByLabel("Passphrase again").fill(PASSPHRASE);
  await page.getByText("The program is still loading").waitFor();
  expect(await wallet.button("Create wallet").isDisabled()).toBe(true);
  await page.getByLabel("Passphrase again").press("Enter");
  expect(await axeFaults(page)).toEqual([]);
  await keepPictures(page, "create-before-core");
  letGo();
  // What was typed is still there.
  await wallet.button("Create wallet").click();
  await wallet.button("Show the seed").waitFor();
  expect(wallet.watch.faults).toEqual([]);
  await wallet.close();
});

test("a core that does not come is said, and loaded again; so is that of a stored wallet", async () => {
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  const { page } = wallet;
  pages.change();
  await wallet.create();
  const broken = () =>
    pages.change((path, response) =>
      CORE.test(path) ? new Response("", { status: 503 }) : response,
    );
  // Before the page begins: a core that came once is kept.
  broken();
  const fresh = await openWallet({ browser, node: pages }, PASSPHRASE);
  await fresh.page.getByText("The program could not be loaded").waitFor();
  expect(await axeFaults(fresh.page)).toEqual([]);
  await keepPictures(fresh.page, "welcome-without-core");
  await fresh.button("Create a wallet").click();
  pages.change();
  await fresh.button("Try again").click();
  await fresh.page.getByText("The program could not be loaded").waitFor({ state: "detached" });
  await fresh.close();
  const letGo = holdCore();
  // A browser that lost what it kept of the pages, and not the wallet.
  await page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    await Promise.all(registrations.map((registration) => registration.unregister()));
    await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  });
  const line = await page.context().newCDPSession(page);
  await line.send("Network.clearBrowserCache");
  const reloaded = wallet.reload();
  await page.getByText("The program is still loading").waitFor();
  letGo();
  await reloaded;
  await wallet.close();
});
