import { expect, it } from "vitest";
import { ManualClock } from "./clock.ts";
import { Repeater } from "./repeater.ts";

it("goes on after a failure, pauses between two turns, and ends with the turn at hand", async () => {
  const clock = new ManualClock(0n);
  const failures: unknown[] = [];
  let turns = 0;
  const third = Promise.withResolvers<AbortSignal>();
  const last = Promise.withResolvers<void>();
  const repeater = new Repeater({
    work: async (signal) => {
      turns += 1;
      if (turns === 1) throw new Error("first");
      if (turns < 3) return;
      third.resolve(signal);
      await last.promise;
      throw new Error("stopped");
    },
    pauseMs: 10,
    clock,
    onError: (thrown) => failures.push(thrown),
  });
  repeater.start();
  repeater.start();
  for (const done of [1, 2]) {
    await expect.poll(() => clock.sleeping).toBe(1);
    expect(turns).toBe(done);
    clock.advance(9);
    expect(clock.sleeping).toBe(1);
    clock.advance(1);
  }
  const signal = await third.promise;
  const stopped = repeater.stop();
  expect(signal.aborted).toBe(true);
  last.resolve();
  await stopped;
  expect([turns, failures]).toEqual([3, [new Error("first")]]);
});
