/** The wallet that its browser keeps: without a network, with a server that sends altered files, and when a newer build comes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { HASHES_FILE } from "@svc/web/build/fileHashes.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { placePages } from "../testkit/placePages.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { LocalNode } from "../testkit/localNode.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { PageServer } from "../testkit/pageServer.ts";

const PASSPHRASE = "a passphrase without a network";
/** Longer than a page waits for its worker, by the page's clock, which the test moves. */
const SLOW_MS = 10_000;
/** Longer than a page asks the newer build to take over, by the same clock. */
const LONG_MS = 90_000;

let folder: TemporaryFolder;
let pages: PageServer;
let node: LocalNode;
let browser: Browser;

// Each test begins with a server and a node that answer.
beforeEach(async () => {
  pages.change();
  await node.stop();
  await node.start();
});

beforeAll(async () => {
  folder = temporaryFolder();
  pages = await PageServer.start();
  node = await LocalNode.create(["--http-origin", pages.url]);
  browser = await launchBrowser();
  await placePages(join(folder.path, "old"), node.url);
  await placePages(join(folder.path, "new"), `${node.url} self`, { isNewer: true });
  await pages.show(join(folder.path, "old"));
});

afterAll(async () => {
  await browser?.close();
  await node?.dispose();
  await pages?.stop();
  folder?.remove();
});

/** Hashes of a build by path. */
async function hashesOf(name: string): Promise<Readonly<Record<string, string>>> {
  return JSON.parse(await readFile(join(folder.path, name, HASHES_FILE), "utf8"));
}

/** Waits until the browser keeps the pages. */
async function kept(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

/** SHA-256 of everything that is kept, by path. */
async function keptHashes(page: Page): Promise<Readonly<Record<string, string>>> {
  const files = await page.evaluate(async () => {
    const found: [string, string][] = [];
    for (const name of await caches.keys()) {
      const store = await caches.open(name);
      for (const request of await store.keys()) {
        const response = await store.match(request);
        const text = new Uint8Array((await response?.arrayBuffer()) ?? new ArrayBuffer());
        const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", text));
        const hex = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        found.push([new URL(request.url).pathname, hex]);
      }
    }
    return found;
  });
  return Object.fromEntries(files);
}

/** The status of a page's question for a file, and the SHA-256 of what came. */
function answered(page: Page, path: string): Promise<readonly [number, string]> {
  return page.evaluate(async (asked) => {
    const answer = await fetch(asked);
    const digest = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
    const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0"));
    return [answer.status, hex.join("")] as const;
  }, path);
}

/** Scripts of the page and of its workers. */
function scripts(page: Page): Promise<readonly string[]> {
  const workers = page.workers().map((worker) => new URL(worker.url()).pathname);
  return page
    .evaluate(() => [...document.scripts].map(({ src }) => new URL(src).pathname))
    .then((own) => [...own, ...workers]);
}

test("opens without a network, with the last known data and their age, and goes on when it is back", async () => {
  pages.change();
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  const { page } = wallet;
  await wallet.create();
  const address = await wallet.address();
  await kept(page);
  pages.change(() => Promise.reject(new Error("no network")));
  await node.stop();
  await page.reload();
  await wallet.unlock();
  await wallet.goTo("Home");
  await wallet.says(/Last known, as of .* ago/);
  expect(await wallet.address()).toBe(address);
  await wallet.goTo("Home");
  expect(await axeFaults(page)).toEqual([]);
  await keepPictures(page, "home-without-network");
  await node.start();
  pages.change();
  await wallet.ready();
  // What is kept are files of the build and nothing else.
  const hashes = await hashesOf("old");
  const found = await keptHashes(page);
  expect(Object.keys(found).length).toBeGreaterThan(8);
  for (const [path, hash] of Object.entries(found)) {
    expect(hashes[path.endsWith("/") ? `${path}index.html` : path], path).toBe(hash);
  }
  expect(await page.evaluate(() => isSecureContext && crossOriginIsolated)).toBe(true);
  expect(wallet.watch.faults).toEqual([]);
  await wallet.close();
});

/** The server answers every file with one more line at its end. */
const altering = async (_: string, response: Response): Promise<Response> => {
  if (!response.ok) return response;
  const headers = new Headers(response.headers);
  headers.delete("content-encoding");
  // Altered content is what is sent, not how.
  const own = { "Cache-Control": "no-store", ETag: '"other"' };
  for (const [name, value] of Object.entries(own)) headers.set(name, value);
  return new Response("steal()", { headers });
};

test("a server that begins to send altered files changes nothing that is kept, and none of them is ever kept", async () => {
  pages.change();
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  const { page } = wallet;
  await wallet.create();
  await kept(page);
  await wallet.reload();
  const before = await keptHashes(page);
  const hashes = await hashesOf("old");
  const prover = Object.keys(hashes).find((path) => path.includes("prover_bg")) ?? "";
  expect(before[prover]).toBeUndefined();
  pages.change(altering);
  await (await page.context().newCDPSession(page)).send("Network.clearBrowserCache");
  await wallet.reload();
  const asked = await page.evaluate(
    (path) =>
      fetch(path).then(
        () => "answered",
        () => "stopped",
      ),
    prover,
  );
  expect(asked).toBe("stopped");
  expect(await keptHashes(page)).toEqual(before);
  pages.change();
  const status = await page.evaluate((path) => fetch(path).then((answer) => answer.status), prover);
  expect(status).toBe(200);
  await expect.poll(async () => (await keptHashes(page))[prover]).toBe(hashes[prover]);
  await wallet.close();
});

test("where one file comes altered the first time, nothing is kept at all", async () => {
  pages.change((path, response) =>
    path.endsWith("manifest.webmanifest") ? altering(path, response) : response,
  );
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  const { page } = wallet;
  await wallet.create();
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        return registration === undefined ? await caches.keys() : "under way";
      }),
    )
    .toEqual([]);
  await wallet.reload();
  await wallet.close();
});

test("a newer build is used whole or not at all, once its owner asks or the page begins anew", async () => {
  pages.change();
  await pages.show(join(folder.path, "old"));
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  const { page } = wallet;
  await wallet.create();
  await kept(page);
  await wallet.reload();
  const [old, fresh] = [await hashesOf("old"), await hashesOf("new")];
  const only = (one: Readonly<Record<string, string>>, other: typeof one) =>
    new Set(Object.keys(one).filter((path) => !(path in other)));
  const [onlyOld, onlyNew] = [only(old, fresh), only(fresh, old)];
  const before = await keptHashes(page);
  const used = async () => {
    const paths = await scripts(page);
    return [paths.some((path) => onlyOld.has(path)), paths.some((path) => onlyNew.has(path))];
  };
  await pages.show(join(folder.path, "new"));
  expect(await used()).toEqual([true, false]);
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
  await page.getByText("A newer version of this page is ready").waitFor();
  expect(await used()).toEqual([true, false]);
  expect(await axeFaults(page)).toEqual([]);
  await keepPictures(page, "newer-page-ready");
  // A page of the old build that has none of its scripts yet; its server has them no longer.
  const loading = await page.context().newPage();
  const session = await page.context().newCDPSession(loading);
  await session.send("Emulation.setScriptExecutionDisabled", { value: true });
  await loading.goto(`${pages.url}/wallet/`);
  await session.send("Emulation.setScriptExecutionDisabled", { value: false });
  await wallet.button("Load it now").click();
  await wallet.unlock();
  await wallet.ready();
  expect(await used()).toEqual([false, true]);
  await session.send("Network.clearBrowserCache");
  const [script = ""] = [...onlyOld].filter((path) => path.endsWith(".js") && path in before);
  const missing = [...onlyOld].find((path) => !(path in before) && path.endsWith(".js"));
  expect(await answered(loading, script)).toEqual([200, old[script]]);
  expect((await answered(loading, missing ?? "/assets/none.js"))[0]).toBe(404);
  await loading.close();
  // Back again, without a word of the owner: the page that begins has nothing to lose.
  await pages.show(join(folder.path, "old"));
  await page.evaluate(async () => {
    await (await navigator.serviceWorker.getRegistration())?.update();
  });
  await page.getByText("A newer version of this page is ready").waitFor();
  // Beside another page it waits, and what is typed meanwhile is not lost.
  const other = await page.context().newPage();
  await other.goto(`${pages.url}/signer.html`);
  await page.clock.install();
  await page.reload();
  const typed = page.getByRole("textbox", { name: "Passphrase" });
  await typed.pressSequentially("abc");
  await other.close();
  await page.clock.fastForward(LONG_MS);
  expect([await used(), await typed.inputValue()]).toEqual([[false, true], "abc"]);
  // Where nothing was done, it takes over as soon as the other page has closed, however long that was.
  const another = await page.context().newPage();
  await another.goto(`${pages.url}/signer.html`);
  await page.reload();
  await typed.waitFor();
  await page.clock.fastForward(SLOW_MS);
  expect(await used()).toEqual([false, true]);
  await another.close();
  await expect.poll(used).toEqual([true, false]);
  await wallet.unlock();
  await wallet.ready();
  await wallet.close();
});
