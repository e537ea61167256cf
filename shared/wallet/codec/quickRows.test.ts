import * as v from "valibot";
import { expect, it } from "vitest";
import { fields } from "../../base/fields.ts";
import { quickRows } from "./quickRows.ts";

const row = v.object({
  hash: fields.txId,
  value: fields.sompi,
  index: fields.u32,
  memo: fields.hex,
  known: v.exactOptional(v.literal(false)),
  owner: v.nullable(fields.u32),
  kind: v.picklist(["a", "b"]),
  spent: v.nullable(v.object({ at: fields.chainIndex })),
});
const plain = v.array(row);
const quick = quickRows(row);

const GOOD = {
  hash: "0a".repeat(32),
  value: "5",
  index: 7,
  memo: "",
  owner: null,
  kind: "a",
  spent: null,
};

/** Rows as they may be, and as they may not. */
const CHANGES: readonly object[] = [
  {},
  { value: "18446744073709551615" },
  { value: "18446744073709551616" },
  { value: "0" },
  { value: "05" },
  { value: "-1" },
  { value: 5 },
  { hash: "0A".repeat(32) },
  { hash: "0a".repeat(31) },
  { hash: `${"0a".repeat(32)}\n` },
  { index: 4_294_967_295 },
  { index: 4_294_967_296 },
  { index: 1.5 },
  { index: -0 },
  { index: "7" },
  { memo: "abcd" },
  { memo: "abc" },
  { known: false },
  { known: true },
  { known: undefined },
  { owner: 3 },
  { owner: undefined },
  { kind: "c" },
  { spent: { at: "9" } },
  { spent: { at: "x" } },
  { spent: {} },
  { more: 1 },
];

it.each(CHANGES)("reads or refuses a row as the plain schema does: %j", (change) => {
  const rows: unknown = [GOOD, { ...GOOD, ...change }, GOOD];
  const [expected, found] = [v.safeParse(plain, rows), v.safeParse(quick, rows)];
  expect(found.success).toBe(expected.success);
  expect(found.issues?.[0].message).toBe(expected.issues?.[0].message);
  expect(found.issues && v.getDotPath(found.issues[0])).toBe(
    expected.issues && v.getDotPath(expected.issues[0]),
  );
  if (expected.success) expect(found.output).toEqual(expected.output);
});

it.each([null, 5, "[]", {}, [null], [5], [[GOOD]]])(
  "refuses what is no list of rows: %j",
  (value) => {
    expect(v.safeParse(quick, value).success).toBe(false);
    expect(v.safeParse(plain, value).success).toBe(false);
  },
);

it.each(Object.keys(GOOD))("refuses a row without %s", (name) => {
  const rows = [Object.fromEntries(Object.entries(GOOD).filter(([key]) => key !== name))];
  expect(v.safeParse(quick, rows).success).toBe(false);
});
