import { expect, test } from "vitest";
import { AUTO_LOCKS, autoLockMs, readAutoLock } from "./autoLock.ts";

const MINUTE = 60_000;

test("the choices are named and bounded, the shortest first", () => {
  expect(AUTO_LOCKS.map((choice) => autoLockMs(choice) / MINUTE)).toEqual([1, 5, 15, 60]);
});

test("what is stored otherwise is the usual time, never none", () => {
  for (const name of [undefined, null, "never", "", 0, Number.MAX_SAFE_INTEGER, "toString"]) {
    expect(autoLockMs(readAutoLock(name))).toBe(15 * MINUTE);
  }
  for (const choice of AUTO_LOCKS) expect(readAutoLock(choice)).toBe(choice);
});
