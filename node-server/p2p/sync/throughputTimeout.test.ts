import { expect, it } from "vitest";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { ThroughputTimeout } from "./throughputTimeout.ts";

it("the timeout grows with what has come, and ends for whoever gives too little", () => {
  const clock = new ManualClock(0n);
  const timeout = new ThroughputTimeout(() => clock.steadyMs());
  expect(timeout.waitMs).toBe(P2P_LIMITS.syncStallMs);
  // A word in each wait.
  for (let word = 0; word < P2P_LIMITS.syncConversationMs / P2P_LIMITS.syncStallMs; word += 1) {
    clock.advance(P2P_LIMITS.syncStallMs);
    timeout.add(1);
  }
  expect(timeout.waitMs).toBeLessThan(1_000);
  timeout.add(10 * P2P_LIMITS.syncSlowItems);
  expect(timeout.waitMs).toBeGreaterThan(9_000);
  clock.advance(20_000);
  expect(timeout.waitMs).toBe(0);
});
