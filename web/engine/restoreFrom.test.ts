import { asBlueScore, asTimestampMs } from "@svc/shared/base/brand.ts";
import { expect, test } from "vitest";
import { birthdayOf } from "./restoreFrom.ts";

const DAY = 86_400_000;
const units = { blockTimeMs: 1_000n, settleDepth: 200n };
const tip = { timeMs: asTimestampMs(BigInt(100 * DAY)), sinkBlueScore: asBlueScore(2_000_000n) };

test("a date becomes a blue score two days earlier", () => {
  const tenDaysAgo = { kind: "date", ms: 90 * DAY } as const;
  expect(birthdayOf(tenDaysAgo, tip, units)).toBe(2_000_000n - 12n * 86_400n);
});

test("a date before the chain is its beginning", () => {
  expect(birthdayOf({ kind: "date", ms: 0 }, tip, units)).toBe("genesis");
});

test("B2: a date in the future is no later than now", () => {
  const in2030 = { kind: "date", ms: 20_000 * DAY } as const;
  expect(birthdayOf(in2030, tip, units)).toBe(birthdayOf({ kind: "now" }, tip, units));
});

test("now is fixed when it is said; the beginning stays the beginning", () => {
  expect(birthdayOf({ kind: "now" }, tip, units)).toBe(2_000_000n - 200n);
  const young = { ...tip, sinkBlueScore: asBlueScore(7n) };
  expect(birthdayOf({ kind: "now" }, young, units)).toBe("genesis");
  expect(birthdayOf({ kind: "genesis" }, tip, units)).toBe("genesis");
});
