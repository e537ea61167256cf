/**
 * A browser tab that dies between the plan of a payment and its broadcast: whatever the wallet had acknowledged is
 * there afterwards, no payment is made twice, and no coin is missing. The renderer process is crashed, workers and all.
 */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { SOMPI_PER_COIN } from "@svc/shared/base/money.ts";
import { walletFee } from "@svc/shared/wallet/state/fee.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { drawnOrder } from "../../testkit/drawnCases.ts";
import { crashPage } from "../testkit/crashPage.ts";
import { openWallet } from "../testkit/openWallet.ts";
import { setScene } from "../testkit/scene.ts";
import { WalletPage } from "../testkit/walletPage.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";

const POINTS = killsOf({ reduced: 3, full: 50 });
/** ms. A minute for each point at least. */
const TEST_MS = Math.max(HANG_MS, (POINTS + 5) * 60_000);
const PASSPHRASE = "a passphrase that outlives tabs";
/** Coins that are enough for every payment of the test, each from a note of its own. */
const NOTES = Math.min(POINTS + 2, 8);
/** One note spent, one payee, change. */
const FEE = walletFee(2);

/**
 * When the tab dies. `held`: the signed bytes left it and reach no node. `taken`: the node has them, its answer never
 * comes. The others are stages of the page, `proving` from a part of the bar on. The seed says in which order they come.
 */
const MOMENTS = ["proving", "held", "building", "taken", "signing"] as const;
type Moment = (typeof MOMENTS)[number];
type Point = { readonly moment: Moment; readonly part: number };

/** Parts of the bar at which the tab dies while it proves, in hundredths. */
const BAR = { from: 6, below: 91 } as const;

const scene = setScene();

test(
  `after ${POINTS} kills of the tab nothing acknowledged is lost`,
  async () => {
    const random = seededRandom("tab kills");
    const moments = drawnOrder(random, MOMENTS);
    console.log(`moments: ${moments.slice(0, POINTS).join(", ")}`);
    let wallet = await richWallet();
    const own = await wallet.address();
    let total = await totalOf(wallet);
    let lost = 0;
    for (let index = 0; index < POINTS; index += 1) {
      const part = (BAR.from + random.below(BAR.below - BAR.from)) / 100;
      const point = { moment: moments[index % moments.length] ?? "proving", part };
      const memo = `kill ${String(index).padStart(3, "0")}`;
      const acknowledged = await killAt(wallet, point, { to: own, amount: "1", memo });
      wallet = await reopen(wallet);
      const applied = await outcome(wallet, memo);
      if (acknowledged && !applied) lost += 1;
      if (applied) total -= FEE;
      // To the last digit: a note that was forgotten, or a payment that was made twice, would show here.
      await expect.poll(() => totalOf(wallet)).toBe(total);
    }
    expect(lost).toBe(0);
    expect(wallet.watch.faults).toEqual([]);
    reportKills("tab", POINTS);
  },
  TEST_MS,
);

/** A wallet with some notes that can be spent, to which nothing is mined any more. */
async function richWallet(): Promise<WalletPage> {
  const wallet = await openWallet(scene, PASSPHRASE, "", { serviceWorkers: "block" });
  await wallet.create();
  await wallet.mine();
  await wallet.goTo("Home");
  const notes = async () => {
    const text = await wallet.page.getByText(/^In \d+ notes?$/).innerText();
    return Number(/\d+/.exec(text)?.[0]);
  };
  await expect.poll(notes).toBeGreaterThanOrEqual(NOTES);
  await wallet.stopMining();
  return wallet;
}

/** Begins the payment and kills the tab. Tells whether the signed bytes had left it: then it must go through. */
async function killAt(
  wallet: WalletPage,
  { moment, part }: Point,
  payment: { readonly to: string; readonly amount: string; readonly memo: string },
): Promise<boolean> {
  const { page } = wallet;
  const context = page.context();
  const left = Promise.withResolvers<void>();
  let acknowledged = false;
  await context.route("**/v1/tx", async (route) => {
    acknowledged = true;
    if (moment === "taken") await route.fetch();
    left.resolve();
  });
  await wallet.reviewPayment(payment);
  const reached =
    moment === "held" || moment === "taken" ? left.promise : stageReached(page, moment, part);
  await page.getByRole("button", { name: /^Send / }).click();
  await reached;
  await crashPage(page);
  await context.unrouteAll({ behavior: "ignoreErrors" });
  return acknowledged;
}

/** Resolves once the page shows this stage or a later one; within the proof once the bar is that far. */
async function stageReached(page: Page, stage: string, part: number): Promise<void> {
  const reached = page.evaluate(
    ([wanted, from]) =>
      new Promise<void>((resolve) => {
        const order = ["building", "proving", "signing", "broadcasting"];
        const look = (): boolean => {
          const shown = document.querySelector("[data-testid=stage]")?.getAttribute("data-stage");
          const at = order.indexOf(shown ?? "");
          const over = document.querySelector("[data-testid=sent]") !== null;
          const bar = Number(document.querySelector("progress")?.getAttribute("value") ?? 0);
          const there = at === order.indexOf(wanted) && (wanted !== "proving" || bar >= from);
          return over || there || at > order.indexOf(wanted);
        };
        const observer = new MutationObserver(() => {
          if (!look()) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document, { subtree: true, childList: true, attributes: true });
      }),
    [stage, part] as const,
  );
  // A page that dies first has reached it.
  await reached.catch(() => undefined);
}

async function reopen(old: WalletPage): Promise<WalletPage> {
  const context = old.page.context();
  const wallet = await WalletPage.open(context, scene.node.url, PASSPHRASE);
  await wallet.unlock();
  await wallet.ready();
  return wallet;
}

/** Waits until nothing is under way, then tells whether the payment is in a block. */
async function outcome(wallet: WalletPage, memo: string): Promise<boolean> {
  await wallet.goTo("Home");
  await wallet.page.getByText("Nothing under way").waitFor();
  await wallet.goTo("History");
  const rows = wallet.page.getByTestId("history-row");
  await rows.first().waitFor();
  const row = rows.filter({ hasText: memo });
  // A payment that was made twice would have two lines.
  expect(await row.count()).toBeLessThanOrEqual(1);
  if ((await row.count()) === 0) return false;
  const text = await row.innerText();
  expect(text).toMatch(/Arriving|Confirmed|Not sent/);
  return /Arriving|Confirmed/.test(text);
}

async function totalOf(wallet: WalletPage): Promise<bigint> {
  const [whole = "0", fraction = ""] = (await wallet.sum("total")).split(".");
  return BigInt(whole) * SOMPI_PER_COIN + BigInt(fraction.padEnd(8, "0"));
}
