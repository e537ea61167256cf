import { expect, it } from "vitest";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { ManualClock } from "../../platform/clock.ts";
import { Patience } from "./patience.ts";

it("patience grows with what has come, and ends for whoever gives too little", () => {
  const clock = new ManualClock(0n);
  const patience = new Patience(() => clock.steadyMs());
  expect(patience.waitMs).toBe(LIMITS.syncStallMs);
  // A word in each wait.
  for (let word = 0; word < LIMITS.syncTalkMs / LIMITS.syncStallMs; word += 1) {
    clock.advance(LIMITS.syncStallMs);
    patience.add(1);
  }
  expect(patience.waitMs).toBeLessThan(1_000);
  patience.add(10 * LIMITS.syncSlowItems);
  expect(patience.waitMs).toBeGreaterThan(9_000);
  clock.advance(20_000);
  expect(patience.waitMs).toBe(0);
});
