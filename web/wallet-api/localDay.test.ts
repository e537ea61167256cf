import { expect, test } from "vitest";
import { localDay } from "./localDay.ts";

test("a day has one name from midnight to midnight of this machine, in any order of questions", () => {
  const at = (day: number, hour: number) => localDay(new Date(2026, 10, day, hour, 30).getTime());
  expect(at(23, 0)).toBe("2026-11-23");
  expect(at(23, 23)).toBe("2026-11-23");
  expect(at(24, 0)).toBe("2026-11-24");
  expect(at(22, 23)).toBe("2026-11-22");
  expect(localDay(BigInt(new Date(2026, 10, 23, 12).getTime()))).toBe("2026-11-23");
});
