import { expect, test } from "vitest";
import { fieldOfError } from "./fieldOfError.ts";

test.each([
  ["address/bad-checksum", "to"],
  ["address/wrong-network", "to"],
  ["amount/too-many-decimals", "amount"],
  ["wallet/insufficient-funds", "amount"],
  ["wallet/funds-maturing", "amount"],
  ["wallet/memo-too-long", "memo"],
  ["wallet/not-synced", null],
] as const)("%s belongs to %s", (code, field) => {
  expect(fieldOfError({ code, data: {} })).toBe(field);
});
