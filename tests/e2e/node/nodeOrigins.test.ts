/** Pages from one origin, a node at another (ADR 25): the build's list is what the browser lets through. */
import { createServer } from "node:http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { listenLocally } from "@svc/node-server/platform/testkit/listenLocally.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { placePages } from "../testkit/placePages.ts";
import { LocalNode } from "../testkit/localNode.ts";
import { PageServer } from "../testkit/pageServer.ts";
import { WalletPage } from "../testkit/walletPage.ts";

const PASSPHRASE = "four unrelated words here";

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
  await placePages(folder.path, node.url);
  await pages.show(folder.path);
});

afterAll(async () => {
  await browser?.close();
  await node?.dispose();
  await pages?.stop();
  folder?.remove();
});

test("pages of another origin work with the node that their build lists, and reach no other", async () => {
  const strange: string[] = [];
  const stranger = createServer((request, response) => {
    strange.push(request.url ?? "");
    response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end("{}");
  });
  const strangerPort = await listenLocally(stranger);
  try {
    const wallet = await WalletPage.open(await browser.newContext(), pages.url, PASSPHRASE);
    const { page } = wallet;
    await page.getByText(`This page comes from ${pages.url}: whoever runs`).waitFor();
    await wallet.create();
    await wallet.goTo("Settings");
    await page.getByRole("heading", { name: node.url }).waitFor();
    await page.getByText("Yes", { exact: true }).waitFor();
    expect(new Set(wallet.watch.strangers.map((url) => new URL(url).origin))).toEqual(
      new Set([node.url]),
    );
    expect(wallet.watch.faults).toEqual([]);
    const outcome = await page.evaluate(
      (url) =>
        fetch(url).then(
          () => "answered",
          () => "stopped",
        ),
      `http://127.0.0.1:${strangerPort}/`,
    );
    expect(outcome).toBe("stopped");
    expect(wallet.watch.faults.join()).toContain("connect-src");
    expect(strange).toEqual([]);
    // The origin that serves these pages is no node of the list, and there is nothing to choose; what other builds are for is said.
    expect(await page.getByTestId("node").count()).toBe(1);
    expect(await page.getByLabel("Follow", { exact: true }).count()).toBe(0);
    await page.getByText(`These pages were built to talk to ${node.url} only`).waitFor();
  } finally {
    stranger.closeAllConnections();
    await new Promise((resolve) => stranger.close(resolve));
  }
});
