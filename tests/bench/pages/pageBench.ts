/** Benchmark of the wallet page: bytes until it can be used, opens and has paid; its longest task, its memory, its start without a network. */
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../../e2e/testkit/browser.ts";
import { heapMib } from "../../e2e/explorer/heapMib.ts";
import { LocalNode } from "../../e2e/testkit/localNode.ts";
import { MainThread } from "../../e2e/testkit/mainThread.ts";
import { openWallet } from "../../e2e/testkit/openWallet.ts";
import type { WalletPage } from "../../e2e/testkit/walletPage.ts";
import type { Bench, Report } from "../run/bench.ts";
import { PageScene } from "./pageScene.ts";
import { PageSteps } from "./pageSteps.ts";

const PASSPHRASE = "a passphrase that is measured";
const PAYMENTS = 10;
/** Milliseconds: no task of the page is to be longer, and the one that is held on purpose has to be. */
const TASK_MS = 50;
/** What the first screen is to do without. */
const BEHIND = /^\/workers\/|\.wasm$/;

/** The benchmark. One pass; its samples are the payments. */
export const pageBench: Bench = {
  kind: "report",
  name: "page",
  about: `the wallet page: its bytes until it is usable, open and has paid, and ${PAYMENTS} payments in it`,
  figures: [
    { field: "welcome_kib", better: "lower" },
    { field: "open_kib", better: "lower" },
    { field: "prove_kib", better: "lower" },
    { field: "lcp_ms", better: "lower" },
    { field: "longest_task_ms", better: "lower" },
    { field: "heap_mib", better: "lower" },
    { field: "offline_start_ms", better: "lower" },
  ],
  async run(): Promise<Report> {
    const node = await LocalNode.create();
    await node.start();
    const scene = await PageScene.start(node.url);
    const browser = await launchBrowser();
    try {
      return reportOf(await measure(browser, scene), scene);
    } finally {
      await browser.close();
      scene.stop();
      await node.dispose();
    }
  },
};

type Measured = {
  readonly welcomeKib: number;
  readonly openKib: number;
  readonly proveKib: number;
  readonly lcpMs: number;
  readonly tasks: Readonly<Record<string, number>>;
  readonly heapMib: number;
  readonly offlineMs: number;
  readonly payments: readonly number[];
  /** Milliseconds of what else a person waits for. */
  readonly steps: Readonly<Record<string, number>>;
};

async function measure(browser: Browser, scene: PageScene): Promise<Measured> {
  scene.hold(BEHIND);
  const wallet = await openWallet({ browser, node: scene }, PASSPHRASE);
  const { page } = wallet;
  await wallet.button("Restore a wallet").click();
  await page.getByLabel("Seed").fill("00");
  await wallet.button("Back").click();
  const welcomeKib = scene.fileKib;
  if (scene.release() === 0) throw new Error("nothing was kept from the first screen");
  const lcpMs = await largestPaint(page);
  const tasks: Record<string, number> = {};
  const watched = async (name: string, work: () => Promise<unknown>): Promise<void> => {
    const thread = await MainThread.watch(browser, page);
    await work();
    tasks[name] = await thread.longestMs(TASK_MS);
  };
  const steps = new PageSteps();
  let seed = "";
  await watched("create", async () => {
    seed = await steps.timed("created", () => wallet.create());
  });
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  const openKib = scene.fileKib;
  const own = await wallet.address();
  await watched("scan", () => steps.earn(wallet));
  const payments: number[] = [];
  const pay = (amount: string) => async () => {
    // Change of the payment before has to be deep enough.
    await wallet.sum("spendable");
    const began = performance.now();
    await wallet.beginPayment({ to: own, amount, memo: "measured" });
    await wallet.sent();
    payments.push(performance.now() - began);
    await page.getByRole("link", { name: "Done" }).click();
  };
  await watched("send", pay("0.1"));
  const proveKib = scene.fileKib - openKib;
  // Equal payments would be taken for a repetition.
  for (let more = 1; more < PAYMENTS; more += 1) await pay(`0.${more + 10}`)();
  const heap = await heapMib(page);
  await wallet.sum("spendable");
  await steps.cancel(wallet, { to: own, amount: "0.3", memo: "cancelled" });
  await steps.reload(wallet);
  await steps.restore({ browser, node: scene }, PASSPHRASE, seed);
  return {
    ...{ welcomeKib, openKib, proveKib, lcpMs, tasks, payments },
    steps: steps.ms,
    heapMib: heap,
    offlineMs: await startOffline(wallet, scene),
  };
}

/** From the reload of a page that has no network to the field for the passphrase. */
async function startOffline({ page }: WalletPage, scene: PageScene): Promise<number> {
  scene.goAway();
  const began = performance.now();
  await page.reload({ waitUntil: "commit" });
  await page.getByLabel("Passphrase", { exact: true }).waitFor();
  return performance.now() - began;
}

function largestPaint(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => {
          resolve(Math.max(...list.getEntries().map(({ startTime }) => startTime)));
        }).observe({ type: "largest-contentful-paint", buffered: true });
      }),
  );
}

function reportOf(measured: Measured, scene: PageScene): Report {
  const { welcomeKib, openKib, proveKib, lcpMs, tasks, offlineMs, payments } = measured;
  const longest = Math.max(...Object.values(tasks));
  const files = [...scene.sent].filter(([path]) => !/^\/(?:v1|local|api)\//.test(path));
  const largest = files.toSorted(([, a], [, b]) => b - a).slice(0, 8);
  return {
    fields: {
      welcome_kib: welcomeKib,
      open_kib: openKib,
      prove_kib: proveKib,
      lcp_ms: lcpMs,
      longest_task_ms: longest,
      heap_mib: measured.heapMib,
      offline_start_ms: offlineMs,
      tasks_ms: tasks,
      largest_kib: Object.fromEntries(largest.map(([path, bytes]) => [path, bytes / 1_024])),
      steps_ms: measured.steps,
      samples: { payments_ms: payments },
    },
    lines: [
      `  files    ${welcomeKib.toFixed(0)} KiB until the first screen is used, ${openKib.toFixed(0)} until the wallet is open and kept, ${proveKib.toFixed(0)} more until it has paid`,
      `  page     largest paint after ${lcpMs.toFixed(0)} ms, longest task ${longest.toFixed(0)} ms of the processor`,
      `  memory   ${measured.heapMib.toFixed(1)} MiB of living objects after ${payments.length} payments`,
      `  offline  the passphrase is asked for after ${offlineMs.toFixed(0)} ms`,
      `  steps    ${Object.entries(measured.steps)
        .map(([name, ms]) => `${name} ${ms} ms`)
        .join(", ")}`,
      ...largest.map(([path, bytes]) => `  ${(bytes / 1_024).toFixed(0).padStart(6)} KiB  ${path}`),
    ],
  };
}
