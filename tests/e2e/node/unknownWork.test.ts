/**
 * The page on a network whose work it does not know, or knew weeks ago, and a node that shows cheap headers (ADR 63): whatever depth and headers
 * the node has, no payment is called confirmed, and the page says why.
 */
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { checkpointsText } from "@svc/shared/light/checkpointOf.ts";
import { knownWork } from "../../testkit/knownWork.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { PageServer } from "../testkit/pageServer.ts";
import { placePages } from "../testkit/placePages.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { WORKED_PROFILE, WorkedNode } from "../testkit/workedNode.ts";

const OWNER = "07".repeat(32);
const PASSPHRASE = "a passphrase for cheap headers";
/** Deep enough for the first rewards, by depth alone; each block takes 16 hashes. */
const BLOCKS = 60;
/** Compact bits that take 262,144 hashes. */
const KNOWN_BITS = 0x1e_40_00_00;
const WEEK_MS = 604_800_000n;
const UNKNOWN = /^This program knows no work of this network yet$/;

let folder: TemporaryFolder;
let browser: Browser;
let pages: PageServer;
let node: WorkedNode;
/** The time of its newest block. */
let nowMs: bigint;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  pages = await PageServer.start();
  node = await WorkedNode.start({ origins: [pages.url], pages: null });
  await node.mine(BLOCKS, OWNER);
  const tip: unknown = await (await fetch(`${node.url}/v1/tip`)).json();
  nowMs = BigInt(Object(tip).sinkTimestamp);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await node?.stop();
  await pages?.stop();
  folder?.remove();
});

afterEach(async () => {
  for (const part of open.splice(0).toReversed()) await part.close();
});

/** A wallet that follows the node, with pages that know so much of the network's work. */
async function walletWith(name: string, checkpoints: string): Promise<WalletPage> {
  const place = join(folder.path, name);
  await placePages(place, node.url, { checkpoints });
  await pages.show(place);
  const context = await browser.newContext({ timezoneId: "UTC" });
  const wallet = await WalletPage.open(context, pages.url, PASSPHRASE);
  await wallet.button("I checked both: use this network").click();
  // The page may never say "Up to date": something needs attention.
  const restoring = wallet.restore(OWNER).catch(() => undefined);
  open.push({ close: () => restoring }, wallet);
  await wallet.page.getByText("Recent", { exact: true }).first().waitFor();
  return wallet;
}

/** No line of the history is called confirmed, by whatever. */
async function nothingSettled(wallet: WalletPage): Promise<void> {
  const { page } = wallet;
  await wallet.goTo("Home");
  await page.getByText("Show each").first().click();
  await page
    .getByText(/^Arriving/)
    .first()
    .waitFor();
  expect(await page.getByText(/^Confirmed/).count()).toBe(0);
}

describe("a wallet under a node with cheap headers", () => {
  test("that knows no work of the network says so, and calls nothing confirmed", async () => {
    const wallet = await walletWith("none", "");
    await wallet.notice(UNKNOWN).waitFor();
    await keepPictures(wallet.page, "unknown-work-home");
    await nothingSettled(wallet);
    await wallet.page.getByTestId("history-row").last().click();
    await wallet.page
      .getByText("Checked, but this program knows no work of this network yet")
      .waitFor();
    await keepPictures(wallet.page, "unknown-work-detail");
    await wallet.page.keyboard.press("Escape");
    await wallet.goTo("Settings");
    await wallet.page
      .getByText(/this program knows no work of this network yet$/)
      .first()
      .waitFor();
    // It is no fault of the node's.
    expect(await wallet.page.getByText("Last fault").count()).toBe(0);
    await keepPictures(wallet.page, "unknown-work-settings");
  });

  test.each([4n, 18n, 52n])(
    "that knew its work %s weeks ago calls nothing confirmed",
    async (weeks) => {
      const { canonicalJson } = loadNetwork(await loadCoreFile(), { file: WORKED_PROFILE });
      const then = { nowMs: nowMs - weeks * WEEK_MS, bits: KNOWN_BITS };
      const known = await knownWork(canonicalJson, then);
      const wallet = await walletWith(`known-${weeks}`, checkpointsText(known));
      if (weeks === 4n) {
        // Such headers are too easy yet, and nothing counts.
        await wallet.notice(/^This node shows less work than the network has$/).waitFor();
        await wallet.page.getByText("Nothing was checked yet, so nothing counts.").waitFor();
        expect(await wallet.page.getByText(/^Confirmed/).count()).toBe(0);
      } else {
        // They are told for what they are worth.
        await wallet.says(/^Shown: about 0 seconds of work above block/);
        await nothingSettled(wallet);
      }
      await keepPictures(wallet.page, `known-work-${weeks}`);
    },
  );
});
