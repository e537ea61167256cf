/** Runs before a node's program and prints, every second, how late its main thread was of late: `loop delay 12.3 ms`. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const EVERY_MS = 1_000;
/** Milliseconds between two looks, which is also what an idle thread is late by. */
const RESOLUTION_MS = 5;
const PERCENTILE = 99;

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  setInterval(() => {
    const ms = delay.percentile(PERCENTILE) / 1e6 - RESOLUTION_MS;
    process.stdout.write(`loop delay ${Math.max(0, ms).toFixed(1)} ms\n`);
    delay.reset();
  }, EVERY_MS).unref();
}
