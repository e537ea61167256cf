import { expect, test } from "vitest";
import { dayText, isInFuture } from "./restoreDay.ts";

test("B2: no wallet was first used tomorrow", () => {
  const today = new Date(2026, 10, 23, 23, 30);
  expect(dayText(today)).toBe("2026-11-23");
  expect(isInFuture("2026-11-24", today)).toBe(true);
  expect(isInFuture("2026-11-23", today)).toBe(false);
  expect(isInFuture("", today)).toBe(false);
});
