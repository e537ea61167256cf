/** When merges in the background are tried: chance alone says, not what a wallet holds; and who goes first. */
import { describe, expect, it } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { PAGE_LIMITS } from "../../pageLimits.ts";
import { mergeable } from "./mergeable.ts";
import { NoteMerger, type Mergeable } from "./noteMerger.ts";

/** A clock whose sleeps end when the test says so. */
class SteppedClock {
  readonly pauses: number[] = [];
  #wake: () => void = () => undefined;

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    this.pauses.push(ms);
    return new Promise((resolve, reject) => {
      this.#wake = resolve;
      signal.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    });
  }

  /** Ends a pause, and lets all run that follows from it. */
  async step(): Promise<void> {
    this.#wake();
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
  }
}

/** The same chances each time. */
function chances(): () => number {
  let at = 0;
  return () => [0, 2 ** 32 - 1, 2 ** 31, 2 ** 30][at++ % 4] ?? 0;
}

function nothingDue(): Promise<never> {
  return Promise.reject(
    new SvcError("wallet/nothing-to-consolidate", { notes: 0, sum: "0", fee: "0" }),
  );
}

async function pausesOf(wallet: Mergeable): Promise<readonly number[]> {
  const clock = new SteppedClock();
  const merger = new NoteMerger(clock, chances());
  merger.begin(wallet);
  for (let step = 0; step < 3; step += 1) await clock.step();
  await merger.stop();
  return clock.pauses;
}

describe("merges in the background", () => {
  it("are looked for at the same moments, whatever the wallet holds and whether its owner allows them", async () => {
    let merges = 0;
    const many = { isAllowed: () => true, merge: async () => void (merges += 1) };
    const few = { isAllowed: () => true, merge: nothingDue };
    const off = { isAllowed: () => false, merge: () => Promise.reject(new Error("not allowed")) };
    const pauses = await pausesOf(many);
    expect(merges).toBe(3);
    expect(await pausesOf(few)).toEqual(pauses);
    expect(await pausesOf(off)).toEqual(pauses);
    expect(pauses[0]).toBe(PAGE_LIMITS.mergeFirstLeastMs);
    expect(pauses[1]).toBeGreaterThan(PAGE_LIMITS.mergeEveryMostMs - 2);
    for (const pause of pauses.slice(1)) {
      expect(pause).toBeGreaterThanOrEqual(PAGE_LIMITS.mergeEveryLeastMs);
      expect(pause).toBeLessThanOrEqual(PAGE_LIMITS.mergeEveryMostMs);
    }
  });

  it("make way for a payment, which waits until the merge has ended", async () => {
    const clock = new SteppedClock();
    const merger = new NoteMerger(clock, chances());
    const steps: string[] = [];
    merger.begin({
      isAllowed: () => true,
      merge: (signal) =>
        new Promise((_, reject) => {
          steps.push("merge");
          signal.addEventListener("abort", () => {
            steps.push("ended");
            reject(new SvcError("wallet/cancelled", {}));
          });
        }),
    });
    await clock.step();
    await merger.clearWay();
    steps.push("payment");
    expect(steps).toEqual(["merge", "ended", "payment"]);
    // Where none is under way nobody waits.
    await merger.clearWay();
    await merger.stop();
    await merger.stop();
  });

  it("end with the lock, and nothing is tried afterwards", async () => {
    const clock = new SteppedClock();
    const merger = new NoteMerger(clock, chances());
    let tried = 0;
    merger.begin({ isAllowed: () => true, merge: async () => void (tried += 1) });
    await merger.stop();
    await clock.step();
    expect(tried).toBe(0);
    expect(clock.pauses).toHaveLength(1);
  });
});

describe("a merge is allowed", () => {
  const session = (everSynced: boolean) =>
    ({ loopFacts: { everSynced }, mergeNotes: nothingDue }) as unknown as Parameters<
      typeof mergeable
    >[0];
  const allowed = (change: {
    on?: boolean;
    watchOnly?: boolean;
    isRunning?: boolean;
    synced?: boolean;
  }) => {
    const { on = true, watchOnly = false, isRunning = false, synced = true } = change;
    const kept = { flags: { mergesNotes: on }, watchOnly };
    return mergeable(session(synced), { kept, send: { isRunning } }).isAllowed();
  };

  it("by the owner of a wallet with a seed that has caught up, while nothing is paid", () => {
    expect(allowed({})).toBe(true);
    expect(allowed({ on: false })).toBe(false);
    expect(allowed({ watchOnly: true })).toBe(false);
    expect(allowed({ isRunning: true })).toBe(false);
    expect(allowed({ synced: false })).toBe(false);
  });
});
