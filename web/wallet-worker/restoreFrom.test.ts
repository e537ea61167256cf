import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { expect, test } from "vitest";
import { birthdayOf, readBirthday } from "./restoreFrom.ts";

const DAY = 86_400_000;
const now = asTimestampMs(BigInt(100 * DAY + 5));

test("a date is kept as its day, and now as a day of this machine's clock", () => {
  expect(birthdayOf({ kind: "date", ms: 90 * DAY + 7 }, now)).toEqual({ day: 90, fresh: false });
  expect(birthdayOf({ kind: "date", ms: -1 }, now)).toEqual({ day: 0, fresh: false });
  expect(birthdayOf({ kind: "now" }, now)).toEqual({ day: 100, fresh: true });
  expect(birthdayOf({ kind: "genesis" }, now)).toBe("genesis");
});

test("B2: a date in the future is no later than now", () => {
  const in2030 = { kind: "date", ms: 20_000 * DAY } as const;
  expect(birthdayOf(in2030, now)).toEqual({ day: 100, fresh: false });
});

test("a birthday that an earlier version took on a node's word is not believed", () => {
  expect(readBirthday(2_000_000n)).toBe("genesis");
  expect(readBirthday("now")).toBe("genesis");
  expect(readBirthday({ day: 3, fresh: true })).toEqual({ day: 3, fresh: true });
});
