/**
 * Preload module that measures the event loop delay of a node's main thread. The first SIGUSR2 begins, the second ends and
 * writes the figures to the file that `SVC_BENCH_LOOP_DELAY` names.
 */
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

/** Milliseconds between two looks. */
const LOOK_MS = 10;
const NS_PER_MS = 1e6;

const file = process.env["SVC_BENCH_LOOP_DELAY"];
if (isMainThread && file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: LOOK_MS });
  process.once("SIGUSR2", () => {
    histogram.enable();
    process.once("SIGUSR2", () => {
      histogram.disable();
      // What is recorded is the time between two looks.
      const late = (ns: number): number => Math.max(0, ns / NS_PER_MS - LOOK_MS);
      const [p99, max] = [late(histogram.percentile(99)), late(histogram.max)];
      // Whoever finds the file finds all of it.
      writeFileSync(`${file}.part`, JSON.stringify({ p99, max, looks: histogram.count }));
      renameSync(`${file}.part`, file);
    });
  });
}
