import { asBlueScore, asTimestampMs } from "@svc/shared/base/brand.ts";
import { expect, test } from "vitest";
import { birthdayOf } from "./restoreFrom.ts";

const DAY = 86_400_000;
const tip = { timeMs: asTimestampMs(BigInt(100 * DAY)), sinkBlueScore: asBlueScore(2_000_000n) };

test("a date becomes a blue score two days earlier", () => {
  const tenDaysAgo = { kind: "date", ms: 90 * DAY } as const;
  expect(birthdayOf(tenDaysAgo, tip, 1_000n)).toBe(2_000_000n - 12n * 86_400n);
});

test("a date before the chain is its beginning", () => {
  expect(birthdayOf({ kind: "date", ms: 0 }, tip, 1_000n)).toBe("genesis");
});

test("the other choices pass through", () => {
  expect(birthdayOf({ kind: "now" }, tip, 1_000n)).toBe("now");
  expect(birthdayOf({ kind: "genesis" }, tip, 1_000n)).toBe("genesis");
});
