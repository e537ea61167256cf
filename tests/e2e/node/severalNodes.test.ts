/**
 * The page with several nodes: payments go to one that is not followed, pages are compared, a node that stands still is left and what was
 * proved is kept, another node stands in for one that is away, and the settings say all of it (docs/guides/wallet-checks.md).
 */
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { MEMO_AT, NOTE_AT, veiledRecord } from "../../integration/evidence/veiledRecord.ts";
import { freePort } from "../../network/testkit/freePort.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { placePages } from "../testkit/placePages.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { LyingProxy, recordsOf, refusing, tipOf, type LieAt } from "../testkit/lyingProxy.ts";
import { PageServer } from "../testkit/pageServer.ts";
import { rightTotal } from "./rightTotal.ts";
import { shareAmongTests } from "../testkit/shareAmongTests.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { workedCheckpoint } from "../testkit/workedCheckpoint.ts";
import { WORKED_PROFILE, WorkedNode } from "../testkit/workedNode.ts";

/** Whom the blocks pay. */
const OWNER = "07".repeat(32);
/** Blocks of the first chain, and those that a node which stands still does not show. */
const [BEGINNING, HIDDEN] = [60, 40];
/** Blocks above a payment, after which pages with it are compared. */
const COMPARED = 20;
const PASSPHRASE = "a passphrase for two nodes";

let folder: TemporaryFolder;
let browser: Browser;
/** Two nodes of one network. The first serves the pages; the page knows the second one under two addresses, as two nodes. */
let first: WorkedNode;
let other: WorkedNode;
let second: LyingProxy;
let third: LyingProxy;
/** A node that stands still since the beginning, and the wallet that follows it. */
let frozen: { readonly proxy: LyingProxy; readonly wallet: WalletPage };
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = temporaryFolder();
  const [port, otherPort] = [await freePort(), await freePort()];
  second = await LyingProxy.before(`http://127.0.0.1:${otherPort}`);
  third = await LyingProxy.before(`http://127.0.0.1:${otherPort}`);
  const checkpoints = await workedCheckpoint(WORKED_PROFILE);
  await placePages(folder.path, `self ${second.url} ${third.url}`, { checkpoints });
  first = await WorkedNode.start({ port, pages: folder.path });
  other = await WorkedNode.start({ port: otherPort, pages: null });
  browser = await launchBrowser();
  await mine(BEGINNING);
  const tip: unknown = await (await fetch(`${first.url}/v1/tip`)).json();
  await mine(HIDDEN);
  // It takes its time until a wallet says so: it begins here, and the last test waits for it.
  const proxy = await followed();
  proxy.tell(standsStill(Object(tip)));
  const wallet = await openAt(proxy);
  await wallet.restore(OWNER);
  await wallet.page.getByText(/^Shown: about/).waitFor();
  frozen = { proxy, wallet };
  open.splice(0);
});

afterAll(async () => {
  // What a beginning that failed left open.
  for (const part of open.splice(0).toReversed()) await part.close();
  await frozen?.wallet.close();
  await paid.drop();
  await browser?.close();
  await frozen?.proxy.close();
  await second?.close();
  await third?.close();
  await first?.stop();
  await other?.stop();
  folder?.remove();
});

afterEach(async () => {
  for (const part of open.splice(0).toReversed()) await part.close();
  for (const proxy of [second, third]) {
    proxy.comeBack();
    proxy.repent();
  }
});

/** Both nodes have these blocks. The second node mines, so that they carry the payments that it has. */
async function mine(count: number): Promise<void> {
  await first.take(await other.mine(count, OWNER));
}

async function followed(): Promise<LyingProxy> {
  const proxy = await LyingProxy.before(first.url);
  open.push(proxy);
  return proxy;
}

/** A browser without a wallet, which agreed to the network. */
async function walletAt({ url }: LyingProxy): Promise<WalletPage> {
  const context = await browser.newContext({ timezoneId: "UTC" });
  const wallet = await WalletPage.open(context, url, PASSPHRASE);
  await wallet.button("I checked both: use this network").click();
  return wallet;
}

/** One that ends with the test. */
async function openAt(node: LyingProxy): Promise<WalletPage> {
  const wallet = await walletAt(node);
  open.push(wallet);
  return wallet;
}

/** A tip that does not move, and no blocks above it. */
function standsStill(tip: Readonly<Record<string, unknown>>): LieAt {
  const highest = BigInt(String(tip["sinkBlueScore"]));
  const cut = recordsOf((records) => records.filter(({ blueScore }) => blueScore <= highest));
  const tell = tipOf(tip);
  return async (path, answer) => cut(path, await tell(path, answer));
}

/** Every ciphertext is another one: no root covers that. Payments are not shown whole, since that would say so. */
function hidesPayments(): LieAt {
  const hide = recordsOf((records) =>
    records.map((record) => veiledRecord(record, [NOTE_AT, MEMO_AT])),
  );
  const refuse = refusing(/^\/v1\/evidence\/payload/, 404, "chain/pruned");
  return async (path, answer) => refuse(path, await hide(path, answer));
}

/** The lines of the list about a node. */
function nodeLines({ page }: WalletPage, url: string) {
  return page.getByTestId("node").filter({ has: page.getByRole("heading", { name: url }) });
}

/** Waits until the list says these words about a node; tells what it says instead. */
async function says(wallet: WalletPage, url: string, words: readonly string[]): Promise<void> {
  for (const text of words) {
    const line = nodeLines(wallet, url).getByText(text, { exact: true }).first();
    await line.waitFor().catch(async (cause: unknown) => {
      const said = await wallet.page.getByTestId("node").allInnerTexts();
      throw new Error(`the list says: ${said.join("\n---\n")}`, { cause });
    });
  }
}

const payments = ({ asked }: LyingProxy) => asked.filter((line) => line.startsWith("POST /v1/tx"));

/** Somebody who was paid, with the payment deep enough to be compared, and the node that the payer follows. */
const paid = shareAmongTests(
  async () => {
    const node = await LyingProxy.before(first.url);
    const payerNode = await LyingProxy.before(first.url);
    const wallet = await walletAt(node);
    const seed = await wallet.create();
    const payer = await walletAt(payerNode);
    await payer.restore(OWNER);
    await payer.beginPayment({ to: await wallet.address(), amount: "2.5", memo: "bread" });
    await payer.sent();
    await mine(COMPARED);
    const { faults } = payer.watch;
    await payer.close();
    return { node, payerNode, wallet, seed, faults };
  },
  async ({ node, payerNode, wallet }) => {
    await wallet.close();
    await node.close();
    await payerNode.close();
  },
);

describe("a page that knows several nodes", () => {
  test("pays through the second one, and the followed one hears of it from a block", async () => {
    const { wallet, payerNode, faults } = await paid.get();
    expect(payments(payerNode)).toEqual([]);
    // The same bytes once more for each minute that no block had them.
    expect(new Set(payments(second)).size).toBe(1);
    expect(payments(third)).toEqual([]);
    await wallet.goTo("History");
    await wallet.row("+2.5", "bread").waitFor();
    expect(faults).toEqual([]);
  });

  test("lists them with their roles and what each said, readable by all", async () => {
    const proxy = await followed();
    const wallet = await openAt(proxy);
    await wallet.restore(OWNER);
    await wallet.page.getByText(/^Shown: about/).waitFor();
    await wallet.goTo("Settings");
    await says(wallet, proxy.url, ["Followed", "Online", "Shown by this node"]);
    await says(wallet, second.url, [
      "Second opinion",
      "Payments go here",
      "Online",
      "It told the last compared blocks the same",
    ]);
    await says(wallet, third.url, ["In reserve", "Online", "It has the last proved block"]);
    await keepPictures(wallet.page, "nodes");
    for (const [width, colorScheme] of [
      [320, "light"],
      [1_280, "dark"],
    ] as const) {
      await wallet.page.setViewportSize({ width, height: 800 });
      await wallet.page.emulateMedia({ colorScheme });
      expect(await axeFaults(wallet.page)).toEqual([]);
      const wide = await wallet.page.evaluate(() => document.documentElement.scrollWidth);
      expect(wide).toBeLessThanOrEqual(width);
    }
    expect(wallet.watch.faults).toEqual([]);
  });

  test("has no second one where somebody wants none, chosen by the keyboard", async () => {
    const proxy = await followed();
    const wallet = await openAt(proxy);
    await wallet.restore(OWNER);
    await wallet.goTo("Settings");
    const field = wallet.page.getByLabel("Second node");
    await field.focus();
    await wallet.page.keyboard.press("End");
    await wallet.page.getByText(/^Used once the page has loaded again/).waitFor();
    await wallet.page.keyboard.press("Tab");
    await wallet.page.keyboard.press("Enter");
    await wallet.page.getByLabel("Passphrase", { exact: true }).waitFor();
    // The wallet that follows the frozen node has both for others, and asks them meanwhile.
    const byThisPage = () =>
      [second, third].map(({ asked }) => asked.filter((line) => line.includes(proxy.url)).length);
    const asked = byThisPage();
    expect(asked[0]).toBeGreaterThan(0);
    await wallet.unlock();
    await wallet.goTo("Settings");
    await says(wallet, proxy.url, ["Followed", "Payments go here"]);
    await says(wallet, second.url, ["Not used"]);
    await wallet.goTo("Home");
    await wallet.ready();
    expect(byThisPage()).toEqual(asked);
  });

  test("shows a payment whose ciphertext the followed one changed, and says that they differ", async () => {
    const { seed } = await paid.get();
    const proxy = await followed();
    proxy.tell(hidesPayments());
    const wallet = await openAt(proxy);
    // It is up to date, but not called so while the two nodes differ.
    const restoring = wallet.restore(seed).catch(() => undefined);
    await wallet.notice(/^Another node tells of the same blocks otherwise$/).waitFor();
    await keepPictures(wallet.page, "nodes-differ");
    await wallet.goTo("History");
    await wallet.row("+2.5", "bread").waitFor();
    expect(await wallet.sum("total")).toBe("2.5");
    await wallet.goTo("Settings");
    await says(wallet, second.url, ["It told some of the last compared blocks otherwise"]);
    proxy.repent();
    await wallet.close();
    await restoring;
  });

  test("goes on where the second one is away: another one stands in, and that is said", async () => {
    second.goAway();
    const proxy = await followed();
    const wallet = await openAt(proxy);
    await wallet.restore(OWNER);
    await wallet.goTo("Settings");
    await says(wallet, second.url, [
      "Second opinion: another node stands in",
      "Does not answer",
      `The node at ${second.url} does not answer.`,
    ]);
    await says(wallet, third.url, ["Second opinion", "Payments go here", "Online"]);
    await keepPictures(wallet.page, "nodes-away");
    third.goAway();
    await wallet.goTo("Home");
    await wallet.goTo("Settings");
    await says(wallet, third.url, ["Does not answer"]);
    await mine(2);
    await wallet.goTo("Home");
    await expect.poll(() => wallet.shownTotal()).toBe(await rightTotal(other.url, OWNER));
    await wallet.ready();
    expect(wallet.watch.faults).toEqual([]);
  });

  test("leaves one that stands still: what was proved is kept, and one page makes it right", async () => {
    const { wallet } = frozen;
    await paid.drop();
    await wallet.goTo("Home");
    await wallet.notice(/^Another node knows later blocks than this one$/).waitFor();
    await keepPictures(wallet.page, "nodes-behind");
    const proved = wallet.page.getByTestId("proved");
    const before = await proved.innerText();
    expect(before).toMatch(/^What was checked stays: up to .* of work shown above\.$/);
    await wallet.page.getByRole("link", { name: "Ask another node" }).click();
    await nodeLines(wallet, second.url)
      .getByText(/blocks above the followed node$/)
      .waitFor();
    await wallet.page.getByLabel("Follow", { exact: true }).selectOption(second.url);
    second.goAway();
    await wallet.button("Use these nodes").click();
    await wallet.unlock();
    await wallet.page.getByText("The node does not answer").first().waitFor({ state: "attached" });
    await wallet.goTo("Home");
    expect(await proved.innerText()).toBe(before);

    const asked = second.asked.length;
    second.comeBack();
    await wallet.ready();
    await expect.poll(() => wallet.shownTotal()).toBe(await rightTotal(other.url, OWNER));
    const since = second.asked.slice(asked);
    expect(since.filter((line) => line.startsWith("GET /v1/blocks"))).toHaveLength(1);
    expect(since.filter((line) => line.startsWith("GET /v1/start"))).toEqual([]);
    await wallet
      .notice(/^Another node knows later blocks than this one$/)
      .waitFor({ state: "detached" });
    await wallet.goTo("Settings");
    await says(wallet, second.url, ["Followed"]);
    await says(wallet, third.url, ["Second opinion", "Payments go here"]);
    await says(wallet, frozen.proxy.url, ["In reserve"]);
    await nodeLines(wallet, frozen.proxy.url)
      .getByText(/blocks below the followed node$/)
      .waitFor();
  });
});

test("a page for any node knows those that somebody adds, and the node that an earlier version stored", async () => {
  const pages = await PageServer.start();
  open.push({ close: () => pages.stop() });
  const place = temporaryFolder();
  open.push({ close: async () => place.remove() });
  await placePages(place.path, "any", { checkpoints: await workedCheckpoint(WORKED_PROFILE) });
  await pages.show(place.path);
  const context = await browser.newContext({ timezoneId: "UTC" });
  await context.addInitScript((url) => {
    if (localStorage.getItem("svc.nodes") === null) localStorage.setItem("svc.node", url);
  }, second.url);
  const wallet = await WalletPage.open(context, pages.url, PASSPHRASE);
  open.push(wallet);
  await wallet.button("I checked both: use this network").click();
  await wallet.restore(OWNER);
  await wallet.goTo("Settings");
  await says(wallet, second.url, ["Followed", "Payments go here"]);
  await says(wallet, pages.url, ["Not used"]);
  const field = wallet.page.getByLabel("Address of another node");
  await field.fill("http://node.example");
  await field.press("Enter");
  await wallet.page.getByText(/^Over the network only HTTPS is used/).waitFor();
  await field.fill(third.url);
  await field.press("Enter");
  await keepPictures(wallet.page, "nodes-any");
  expect(await axeFaults(wallet.page)).toEqual([]);
  await wallet.button("Use these nodes").click();
  await wallet.unlock();
  await wallet.goTo("Settings");
  await says(wallet, third.url, ["Second opinion", "Payments go here"]);
  expect(await wallet.page.evaluate(() => localStorage.getItem("svc.node"))).toBeNull();
  await wallet.button(`Remove ${third.url}`).click();
  await wallet.button("Use these nodes").click();
  await wallet.unlock();
  await wallet.goTo("Settings");
  await says(wallet, second.url, ["Followed", "Payments go here"]);
  expect(await wallet.page.getByTestId("node").count()).toBe(2);
});
