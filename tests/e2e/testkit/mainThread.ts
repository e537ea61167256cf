/**
 * Long-task monitor of a page's main thread: the CPU time of each task, as the browser traces it. A task is not
 * longer where it waits for a processor.
 */
import type { Browser, Page } from "playwright-core";
import { readTrace, type TraceEvent } from "./traceEvents.ts";

const MARK_CATEGORY = "blink.user_timing";
const TASK_CATEGORY = "disabled-by-default-devtools.timeline";
const BEGIN = "the window begins";
/** Rounds of a loop that holds the thread for longer than any bound that is asked of a page. */
const HELD_ROUNDS = 300_000_000;
const MICROS_IN_MS = 1_000;

/** A watch of one page; a browser has one at a time. */
export class MainThread {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Begins to watch, with a task that holds the page on purpose: the measure must see it. */
  static async watch(browser: Browser, page: Page): Promise<MainThread> {
    await browser.startTracing(page, { categories: [MARK_CATEGORY, TASK_CATEGORY] });
    await page.evaluate(
      ([rounds, name]) =>
        new Promise<void>((resolve) => {
          setTimeout(() => {
            performance.mark(name);
            let sum = 0;
            for (let round = 0; round < rounds; round += 1) sum = (sum + round) % 8_191;
            Reflect.set(globalThis, "held", sum);
            resolve();
          });
        }),
      [HELD_ROUNDS, BEGIN] as const,
    );
    return new MainThread(browser);
  }

  /**
   * Ends the watch. The longest task since it began, in milliseconds. Fails if the task on purpose is not longer than
   * `boundMs`.
   */
  async longestMs(boundMs: number): Promise<number> {
    const events = readTrace(await this.#browser.stopTracing());
    const begin = events.find(({ name, cat }) => name === BEGIN && cat.includes(MARK_CATEGORY));
    if (begin === undefined) throw new Error("the trace does not show the beginning");
    const tasks = events
      .filter(({ name, pid, tid }) => name === "RunTask" && pid === begin.pid && tid === begin.tid)
      .toSorted((a, b) => a.ts - b.ts);
    const held = tasks.findLastIndex(({ ts }) => ts <= begin.ts);
    // The one that ran when the trace ended has no time.
    if (Number.isNaN(timeOf(tasks.at(-1)))) tasks.pop();
    const ms = tasks.map((task) => timeOf(task) / MICROS_IN_MS);
    const shown = ms[held] ?? 0;
    if (!(shown > boundMs)) throw new Error(`the task held on purpose is seen with ${shown} ms`);
    const since = ms.slice(held + 1);
    if (since.length === 0) throw new Error("no task is seen after the one held on purpose");
    return Math.max(...since);
  }
}

/** Microseconds of a task; NaN for one that has not ended. */
function timeOf(task: TraceEvent | undefined): number {
  if (task?.ph === "I") return 0;
  return task?.tdur ?? task?.dur ?? Number.NaN;
}
