/** Figures of the gateway's scanners: how many viewing keys one core serves while payments come at a steady rate. */
import type { LineProcess } from "../peers/lineProcess.ts";
import { percentile } from "../run/median.ts";

/** A payment is seen in time for so many ms at the 99th percentile. */
export const SEEN_MS = 2_000;
/** Actions of a payment: the least that a wallet makes. */
const ACTIONS = 2;
/** Payments of a measurement. */
const PAYMENTS = 20;
/** Numbers of keys that are tried, ascending; the first that is too many ends it. */
const STEPS: Readonly<Record<number, readonly number[]>> = {
  1: [5_120, 10_240, 15_360],
  10: [512, 1_024, 1_536],
};

/** What was measured with so many keys. */
export type SeenStep = { readonly keys: number; readonly p50Ms: number; readonly p99Ms: number };

/** The steps at a rate of actions a second up to the first that is late. */
export async function measureSeen(
  program: LineProcess,
  rate: number,
): Promise<readonly SeenStep[]> {
  const steps: SeenStep[] = [];
  for (const keys of STEPS[rate] ?? []) {
    const payments = PAYMENTS * Math.max(1, rate / ACTIONS);
    const plan = { op: "seen", keys, payments, actions: ACTIONS, rate };
    const times = (await program.ask(plan)).texts("times").map(Number);
    const step = { keys, p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) };
    steps.push(step);
    if (step.p99Ms > SEEN_MS) break;
  }
  return steps;
}

/** The most keys with which payments were seen in time; 0 where there is none. */
export function keysInTime(steps: readonly SeenStep[]): number {
  return Math.max(0, ...steps.filter(({ p99Ms }) => p99Ms <= SEEN_MS).map(({ keys }) => keys));
}
