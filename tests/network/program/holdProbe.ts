/**
 * Preload module that reports how long a node's main thread is blocked: prints the 99th percentile of each second, `held
 * for 12.3 ms`.
 *
 * What counts is the processor's time of that thread between two looks: a thread that waits for a processor on a busy
 * machine is not held for longer.
 */
import { isMainThread } from "node:worker_threads";

const EVERY_MS = 1_000;
/** Milliseconds between two looks of a thread that is not held. */
const LOOK_MS = 5;
const PERCENTILE = 0.99;
const MICROS_IN_MS = 1_000;

/** Milliseconds that this thread has computed. */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / MICROS_IN_MS;
}

if (isMainThread) {
  let held: number[] = [];
  let last = usedMs();
  setInterval(() => {
    const now = usedMs();
    held.push(now - last);
    last = now;
  }, LOOK_MS).unref();
  setInterval(() => {
    const sorted = held.toSorted((a, b) => a - b);
    held = [];
    const ms = sorted[Math.ceil(PERCENTILE * sorted.length) - 1] ?? 0;
    process.stdout.write(`held for ${ms.toFixed(1)} ms\n`);
  }, EVERY_MS).unref();
}
