import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { expect, test } from "vitest";
import { NO_ANNOTATIONS } from "../../wallet-api/backupAnnotations.ts";
import { backupFacts, birthdayOf, isGuessed, readBirthday } from "./restoreFrom.ts";

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

test("a backup begins where it says, some days early, and no later than now", () => {
  const from = (day: number) =>
    ({
      kind: "backup",
      facts: { birthday: { day }, birthdayGuessed: false },
      annotations: NO_ANNOTATIONS,
    }) as const;
  expect(birthdayOf(from(90), now)).toEqual({ day: 90, fresh: false });
  expect(birthdayOf(from(5_000), now)).toEqual({ day: 100, fresh: false });
  const facts = { birthday: "genesis", birthdayGuessed: true } as const;
  const all = { kind: "backup", facts, annotations: NO_ANNOTATIONS } as const;
  expect(birthdayOf(all, now)).toBe("genesis");
  expect([from(90), all].map(isGuessed)).toEqual([false, false]);
});

test("a day that was guessed stays a guess in a backup, unless everything was scanned since", () => {
  const guessed = { day: 90, fresh: false };
  const later = { fromGenesis: false, birthdayGuessed: true };
  const facts = backupFacts(guessed, later);
  expect(facts).toEqual({ birthday: { day: 90 }, birthdayGuessed: true });
  expect(isGuessed({ kind: "backup", facts, annotations: NO_ANNOTATIONS })).toBe(true);
  const all = { fromGenesis: true, birthdayGuessed: false };
  expect(backupFacts(guessed, all)).toEqual({ birthday: "genesis", birthdayGuessed: false });
  // This program made the wallet on that day: a young chain is no reason to forget it.
  expect(backupFacts({ day: 90, fresh: true }, all).birthday).toEqual({ day: 90 });
});
