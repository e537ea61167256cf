import { expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { ThroughputTimeout } from "./throughputTimeout.ts";

it("patience grows with what has come, and ends for whoever gives too little", () => {
  const clock = new ManualClock(0n);
  const patience = new ThroughputTimeout(() => clock.steadyMs());
  expect(patience.waitMs).toBe(P2P_LIMITS.syncStallMs);
  // A word in each wait.
  for (let word = 0; word < P2P_LIMITS.syncTalkMs / P2P_LIMITS.syncStallMs; word += 1) {
    clock.advance(P2P_LIMITS.syncStallMs);
    patience.add(1);
  }
  expect(patience.waitMs).toBeLessThan(1_000);
  patience.add(10 * P2P_LIMITS.syncSlowItems);
  expect(patience.waitMs).toBeGreaterThan(9_000);
  clock.advance(20_000);
  expect(patience.waitMs).toBe(0);
});
