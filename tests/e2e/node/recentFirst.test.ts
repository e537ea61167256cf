/** A restored wallet shows and spends what came lately before its older blocks are read, and has everything when they are. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  encodeContainer,
  readContainer,
  readRecords,
} from "@svc/shared/protocol/http/recordContainer.ts";
import { axeFaults } from "../testkit/axeFaults.ts";
import { launchBrowser } from "../testkit/browser.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { keepPictures } from "../testkit/keepPictures.ts";
import { LyingProxy } from "../testkit/lyingProxy.ts";
import { rightTotal } from "./rightTotal.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { WORKED_PROFILE, WorkedNode } from "../testkit/workedNode.ts";

const OWNER = "07".repeat(32);
const MINER = "09".repeat(32);
const PASSPHRASE = "a passphrase of recent blocks";
/** On this network recent blocks are the last 90, and a birthday 360 below the tip lies far back. */
const ANCHOR_AGE = 30;
/** Blocks that pay the owner long ago, between, and lately; and those until the last can be spent. */
const [OLD, BETWEEN, LATELY, MATURE] = [8, 330, 3, 24];
/** Blocks of one page of older blocks: they come in several. */
const PAGE = 60;
/** No recent block lies below this one. */
const RECENT = BigInt(OLD + BETWEEN + LATELY + MATURE - 3 * ANCHOR_AGE - 8);
/** Older pages up to here are let through before the rest. */
const FIRST = 130n;

const folder = mkdtempSync(join(tmpdir(), "recent-first-"));
const PROFILE = profileOfYoungAnchors();
let node: WorkedNode;
let proxy: LyingProxy;
let browser: Browser;
let context: BrowserContext;
const older = { asked: 0, gate: Promise.withResolvers<void>() };

beforeAll(async () => {
  node = await WorkedNode.start({ profile: PROFILE });
  for (const [blocks, seed] of [
    [OLD, OWNER],
    [BETWEEN, MINER],
    [LATELY, OWNER],
    [MATURE, MINER],
  ] as const) {
    await node.mine(blocks, seed);
  }
  proxy = await LyingProxy.before(node.url);
  // Older blocks come a few at a time, and from some page on only when the test lets them.
  proxy.tell(async (path, answer) => {
    if (!path.startsWith("/v1/blocks") || answer.status !== 200) return answer;
    const page = readContainer(answer.body, 2_000);
    if (page.firstIndex > RECENT) return answer;
    older.asked += 1;
    if (page.firstIndex > FIRST) await older.gate.promise;
    const records = readRecords(page).slice(0, PAGE);
    return { ...answer, body: Buffer.from(encodeContainer(page.firstIndex, records)) };
  });
  browser = await launchBrowser();
  context = await browser.newContext({ timezoneId: "UTC" });
});

afterAll(async () => {
  older.gate.resolve();
  await browser?.close();
  await proxy?.close();
  await node?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The worked network, on which each block pays its miner a note, and payments are young. */
function profileOfYoungAnchors(): string {
  const worked: unknown = JSON.parse(readFileSync(WORKED_PROFILE, "utf8"));
  const file = join(folder, "young.json");
  const change = { minerSlotPayoutIntervalDaa: 1, maxShieldedAnchorAge: ANCHOR_AGE };
  writeFileSync(file, JSON.stringify({ ...Object(worked), ...change }));
  return file;
}

async function openPage(): Promise<WalletPage> {
  return WalletPage.open(context, proxy.url, PASSPHRASE);
}

function databases(page: Page): Promise<readonly (string | undefined)[]> {
  return page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name));
}

test("what came lately is paid with before older blocks are read, and nothing is lost by a kill", async () => {
  const payee = await WalletPage.open(
    await browser.newContext({ timezoneId: "UTC" }),
    node.url,
    PASSPHRASE,
  );
  await payee.button("I checked both: use this network").click();
  await payee.create();
  const to = await payee.address();

  let owner = await openPage();
  await owner.button("I checked both: use this network").click();
  await owner.restore(OWNER);
  await owner.says(/At least: this is what came since/);
  await owner.says(/Reading older blocks/);
  const recent = Number(await owner.sum("total"));
  await expect.poll(() => older.asked).toBeGreaterThan(3);
  // The first notes are among what was read by now, and not shown: it is not known yet whether they are spent.
  expect(Number(await owner.shownTotal())).toBe(recent);
  expect(await axeFaults(owner.page)).toEqual([]);
  await keepPictures(owner.page, "recent-first");

  await owner.goTo("Send");
  await owner.says(/can be sent.* · Reading older blocks/);
  await owner.beginPayment({ to, amount: "1.5", memo: "before the rest" });
  await owner.sent();
  await crashPage(owner.page);

  // Another program over the same stores: the payment is on its way, and the rest is still to be read.
  owner = await openPage();
  await owner.unlock();
  await owner.ready();
  await owner.says(/At least: this is what came since/);
  expect(await databases(owner.page)).toContain("svc-wallet-older");
  await owner.goTo("History");
  await owner
    .row("1.5", "before the rest")
    .filter({ hasText: /Waiting/ })
    .waitFor();
  await node.mine(MATURE, MINER);
  await owner
    .row("1.5", "before the rest")
    .filter({ hasText: /Arriving|Confirmed/ })
    .waitFor();
  await payee.goTo("Home");
  await expect.poll(() => payee.shownTotal()).toBe("1.5");
  await owner.goTo("Home");
  const late = Number(await owner.shownTotal());

  older.gate.resolve();
  await owner.page.getByTestId("at-least").waitFor({ state: "detached" });
  await owner.ready();
  const whole = await rightTotal(node.url, OWNER, PROFILE);
  expect(Number(whole)).toBeGreaterThan(late);
  await owner.goTo("Home");
  await expect.poll(() => owner.shownTotal()).toBe(whole);
  const kept = () => databases(owner.page);
  await expect.poll(kept).not.toContain("svc-wallet-older");
  await owner.goTo("History");
  const row = owner.row("1.5", "before the rest");
  await row.filter({ hasText: /Arriving|Confirmed/ }).waitFor();
  expect(await row.count()).toBe(1);
  await row.click();
  await owner.says(new RegExp(to.slice(-8)));
  await owner.page.keyboard.press("Escape");

  // A wallet that knows everything opens as one, pays with what is old, and agrees with one that reads the chain alone.
  await owner.reload();
  await owner.goTo("Home");
  expect(await owner.page.getByTestId("at-least").count()).toBe(0);
  await expect.poll(() => owner.shownTotal()).toBe(whole);
  await owner.beginPayment({
    to,
    amount: String(Math.floor(recent) + 100),
    memo: "with old coins",
  });
  await owner.sent();
  expect(owner.watch.faults).toEqual([]);
});
