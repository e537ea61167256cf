/** Benchmark of the drawn block graph: frames and memory of a page over which 20,000 blocks pass fast. */
import { DAG_LIMITS } from "@svc/shared/explorer/dagLimits.ts";
import type { Page } from "playwright-core";
import { launchBrowser, openPage } from "../../e2e/testkit/browser.ts";
import { FrameTimes } from "../../e2e/explorer/frameTimes.ts";
import { graphBlocks } from "@svc/web/explorer/testkit/graphBlocks.ts";
import { GraphServer } from "../../e2e/explorer/graphServer.ts";
import { heapMib } from "../../e2e/explorer/heapMib.ts";
import type { Bench, Report } from "../run/bench.ts";

const BLOCKS = 20_000;
/** Blocks after which the memory is looked at first: the layout has been full for a while. */
const EARLY = 5_000;
const LOOK_MS = 250;
/** Milliseconds that the frame takes at least which the measure makes slow on purpose. */
const HELD_ABOVE_MS = 50;

/** The benchmark. Its samples are the frames of one pass. */
export const dagBench: Bench = {
  kind: "report",
  name: "dag",
  about: `the block graph of the explorer: ${BLOCKS} blocks played ${DAG_LIMITS.replaySpeedMost} times as fast`,
  figures: [
    { field: "frame_p95_ms", better: "lower" },
    { field: "grown_mib", better: "lower" },
  ],
  async run(): Promise<Report> {
    const server = await GraphServer.start(graphBlocks(BLOCKS));
    const browser = await launchBrowser();
    try {
      const context = await browser.newContext({ reducedMotion: "no-preference" });
      const { page } = await openPage(context, server.replay("speed=0"));
      const frames = await FrameTimes.watch(browser, page);
      const began = performance.now();
      await page.goto(server.replay(`speed=${DAG_LIMITS.replaySpeedMost}`));
      await untilSeen(page, EARLY);
      const early = await heapMib(page);
      await untilSeen(page, BLOCKS);
      const seconds = (performance.now() - began) / 1_000;
      const times = await frames.stop(HELD_ABOVE_MS);
      const late = await heapMib(page);
      return reportOf({ times, early, late, seconds });
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

async function untilSeen(page: Page, blocks: number): Promise<void> {
  await page.waitForFunction(
    (least) => Number(document.querySelector(".dag")?.getAttribute("data-seen")) >= least,
    blocks,
    { polling: LOOK_MS, timeout: 0 },
  );
}

type Measured = {
  readonly times: readonly number[];
  readonly early: number;
  readonly late: number;
  readonly seconds: number;
};

function reportOf({ times, early, late, seconds }: Measured): Report {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  const [p50, p95, p99] = [at(0.5), at(0.95), at(0.99)];
  return {
    fields: {
      frame_p50_ms: p50,
      frame_p95_ms: p95,
      frame_p99_ms: p99,
      frame_longest_ms: at(1),
      frames: times.length,
      frames_per_s: times.length / seconds,
      blocks_per_s: BLOCKS / seconds,
      heap_mib_5000: early,
      heap_mib_20000: late,
      grown_mib: late - early,
      samples: { frames: times },
    },
    lines: [
      `  frames   ${times.length}: half below ${p50.toFixed(2)} ms of the processor, 95 of 100 below ${p95.toFixed(2)}, 99 below ${p99.toFixed(2)}, longest ${at(1).toFixed(2)}`,
      `  blocks   ${(BLOCKS / seconds).toFixed(0)} a second`,
      `  memory   ${early.toFixed(1)} MiB after ${EARLY} blocks, ${late.toFixed(1)} MiB after ${BLOCKS}`,
    ],
  };
}
