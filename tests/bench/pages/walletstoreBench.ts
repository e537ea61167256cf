/** Benchmark of a browser wallet with 60,000 notes: how long it takes to open it, and to take in a block, over a real IndexedDB. */
import type { Browser, Page } from "playwright-core";
import { launchBrowser, openPage } from "../../e2e/testkit/browser.ts";
import { MainThread } from "../../e2e/testkit/mainThread.ts";
import { callStore, StoreServer } from "../../e2e/storage/storeServer.ts";
import type { Bench, BenchOptions, Report } from "../run/bench.ts";
import { median } from "../run/median.ts";
import { workerTimeMs } from "./workerTime.ts";

const NOTES = 60_000;
/** Of each round. The first makes what later ones go on with, and counts like them. */
const BLOCKS = 12;
/** Bound of a task on the page's main thread, in milliseconds; the deliberately long task exceeds it. */
const TASK_MS = 50;

/** The benchmark. */
export const walletstoreBench: Bench = {
  kind: "report",
  name: "walletstore",
  about: `a browser wallet with ${NOTES} notes: opening it, and the commit of a block`,
  figures: [
    { field: "open_ms", better: "lower" },
    { field: "commit_ms", better: "lower" },
    { field: "longest_task_ms", better: "lower" },
  ],
  async run(options): Promise<Report> {
    const server = await StoreServer.start();
    const browser = await launchBrowser();
    try {
      const { page } = await openPage(await browser.newContext(), server.url);
      return await measure(browser, page, options);
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

type Times = Readonly<Record<string, number>>;

async function measure(browser: Browser, page: Page, { rounds }: BenchOptions): Promise<Report> {
  await callStore(page, "fill", NOTES);
  const opens: Times[] = [];
  const blocks: Times[] = [];
  const watch = await MainThread.watch(browser, page);
  for (let round = 0; round < rounds; round += 1) {
    // A fresh worker, as after an unlock.
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await page.evaluate(() => Reflect.get(globalThis, "killStore")());
    // oxlint-disable-next-line no-await-in-loop
    await callStore(page, "ready");
    // oxlint-disable-next-line no-await-in-loop
    opens.push(await timesOf(() => callStore(page, "open")));
    for (let block = 0; block < BLOCKS; block += 1) {
      // oxlint-disable-next-line no-await-in-loop
      blocks.push(await timesOf(() => callStore(page, "block")));
    }
  }
  const longest = await watch.longestMs(TASK_MS);
  const sizes = Object(await callStore(page, "sizes"));
  return reportOf({ opens, blocks, longest, rows: sizes.rows });
}

/** The times that the worker tells, and the processor time that it took; with the view, and what Chromium does in its thread. */
async function timesOf(call: () => Promise<unknown>): Promise<Times> {
  const before = workerTimeMs();
  const told = Object.entries(Object(await call())).map(([name, ms]) => [name, Number(ms)]);
  const after = workerTimeMs();
  const cpu = before === null || after === null ? Number.NaN : after - before;
  return { ...Object.fromEntries(told), cpu };
}

type Measured = {
  readonly opens: readonly Times[];
  readonly blocks: readonly Times[];
  readonly longest: number;
  readonly rows: readonly number[];
};

function reportOf({ opens, blocks, longest, rows }: Measured): Report {
  const part = (times: readonly Times[], name: string): number =>
    median(times.map((one) => one[name] ?? Number.NaN));
  const open = opens.map((one) => sumOf(one, ["load", "tree"]));
  const commit = blocks.map((one) => sumOf(one, ["apply", "store"]));
  const stored = rows.reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20;
  const fields = {
    open_ms: median(open),
    open_cpu_ms: part(opens, "cpu"),
    open_parts_ms: { load: part(opens, "load"), tree: part(opens, "tree") },
    commit_ms: median(commit),
    commit_longest_ms: Math.max(...commit),
    commit_cpu_ms: part(blocks, "cpu"),
    commit_parts_ms: { apply: part(blocks, "apply"), store: part(blocks, "store") },
    view_ms: part(blocks, "view"),
    longest_task_ms: longest,
    records: rows.length,
    stored_mib: stored,
    samples: { open_ms: open, commit_ms: commit },
  };
  return {
    fields,
    lines: [
      `  open     ${fields.open_ms.toFixed(0)} ms, the state ${fields.open_parts_ms.load.toFixed(0)} of it; ${fields.open_cpu_ms.toFixed(0)} ms of the processor`,
      `  commit   ${fields.commit_ms.toFixed(1)} ms of a block, ${fields.commit_longest_ms.toFixed(1)} at most; with its view ${fields.commit_cpu_ms.toFixed(1)} ms of the processor`,
      `  view     ${fields.view_ms.toFixed(1)} ms`,
      `  page     longest task ${longest.toFixed(1)} ms`,
      `  stored   ${rows.length} records, ${stored.toFixed(1)} MiB`,
    ],
  };
}

function sumOf(times: Times, names: readonly string[]): number {
  return names.reduce((sum, name) => sum + (times[name] ?? Number.NaN), 0);
}
