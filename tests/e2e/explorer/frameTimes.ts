/**
 * Frames of a page's main thread: the processor time of each task that ran callbacks of an animation frame. Such a task holds
 * the script of the frame, its style and layout, and its paint.
 */
import type { Browser, Page } from "playwright-core";
import { readTrace, type TraceEvent } from "../testkit/traceEvents.ts";

const CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline"];
const FRAME = "FireAnimationFrame";
const TASK = "RunTask";
const MICROS_IN_MS = 1_000;
/** Rounds of a loop that holds a frame for longer than any bound that is asked of a page. */
const HELD_ROUNDS = 100_000_000;

/** A watch of one page; a browser has one at a time. */
export class FrameTimes {
  readonly #browser: Browser;

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** Begins to watch, with a frame that holds the page on purpose: the measure must see it. */
  static async watch(browser: Browser, page: Page): Promise<FrameTimes> {
    await browser.startTracing(page, { categories: CATEGORIES });
    await page.evaluate(
      (rounds) =>
        new Promise<void>((resolve) => {
          requestAnimationFrame(() => {
            let sum = 0;
            for (let round = 0; round < rounds; round += 1) sum = (sum + round) % 8_191;
            Reflect.set(globalThis, "held", sum);
            resolve();
          });
        }),
      HELD_ROUNDS,
    );
    return new FrameTimes(browser);
  }

  /**
   * Ends the watch. Milliseconds of each frame since it began, in their order. Throws when it saw none, or when the frame on
   * purpose was not longer than `boundMs`.
   */
  async stop(boundMs: number): Promise<readonly number[]> {
    const events = readTrace(await this.#browser.stopTracing());
    const frames = events.filter(({ name }) => name === FRAME);
    const main = mostIn(frames);
    const tasks = events
      .filter(({ name, ph, pid, tid }) => name === TASK && ph === "X" && `${pid}/${tid}` === main)
      .toSorted((a, b) => a.ts - b.ts);
    const starts = frames.map(({ ts }) => ts).toSorted((a, b) => a - b);
    const times = tasks.flatMap((task) => {
      const until = task.ts + (task.dur ?? 0);
      return starts.some((ts) => ts >= task.ts && ts <= until)
        ? [(task.tdur ?? task.dur ?? 0) / MICROS_IN_MS]
        : [];
    });
    const held = times.findIndex((ms) => ms > boundMs);
    if (held < 0) throw new Error("the trace does not show the frame that was held on purpose");
    const since = times.slice(held + 1);
    if (since.length === 0) throw new Error("the trace shows no frame");
    return since;
  }
}

/** The thread that most frames ran in: other pages of the browser have frames, too. */
function mostIn(frames: readonly TraceEvent[]): string {
  const counts = new Map<string, number>();
  for (const { pid, tid } of frames) {
    counts.set(`${pid}/${tid}`, (counts.get(`${pid}/${tid}`) ?? 0) + 1);
  }
  return [...counts].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}
