/** The server gets another version of the pages while a tab has the old one open. */
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { placePages } from "../testkit/placePages.ts";
import { LocalNode } from "../testkit/localNode.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { PageServer } from "../testkit/pageServer.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";

const PASSPHRASE = "a passphrase for updates";

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
  await placePages(join(folder.path, "old"), node.url);
});

afterAll(async () => {
  await browser?.close();
  await node?.dispose();
  await pages?.stop();
  folder?.remove();
});

/** The build as a server has it after an update: files whose names match are other ones, so these are gone. */
async function without(pattern: RegExp): Promise<string> {
  const copy = await mkdtemp(join(folder.path, "new-"));
  await cp(join(folder.path, "old"), copy, { recursive: true });
  const files = await readdir(copy, { recursive: true });
  const gone = files.filter((name) => pattern.test(name));
  expect(gone.length).toBeGreaterThan(0);
  for (const name of gone) await rm(join(copy, name));
  return copy;
}

/** The seed of a wallet with coins: only the node's own page may have it mine. */
const mined = shareAmongTests(async () => {
  const wallet = await openWallet({ browser, node }, PASSPHRASE);
  const seed = await wallet.create();
  await wallet.earn();
  await wallet.close();
  return seed;
});

test.each([
  ["the prover", /prover_bg.*\.wasm$/],
  ["every script of a worker", /workers\/.*\.js$/],
])("a payment that needs %s says so, sends nothing, and a reload helps", async (_, pattern) => {
  await pages.show(join(folder.path, "old"));
  const seed = await mined.get();
  const wallet = await openWallet({ browser, node: pages }, PASSPHRASE);
  await wallet.restore(seed);
  await wallet.sum("spendable");
  const to = await wallet.address();
  await pages.show(await without(pattern));
  await wallet.beginPayment({ to, amount: "0.5", memo: "an old page" });
  await wallet.page.getByText("The server has a newer version of this page").first().waitFor();
  await pages.show(join(folder.path, "old"));
  await wallet.reload();
  await wallet.beginPayment({ to, amount: "0.5", memo: "a new page" });
  await wallet.sent();
  await wallet.close();
});
