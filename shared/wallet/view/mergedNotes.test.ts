/** Which payments to oneself are called a consolidation. */
import { describe, expect, it } from "vitest";
import { asLeafPosition, asNullifier, asSompi } from "../../base/brand.ts";
import { FOREIGN_ADDRESS, OWN_ADDRESS, OWN_SECOND } from "../testkit/chainModel.ts";
import { payeeOf } from "../testkit/payments.ts";
import { mergedNotes } from "./mergedNotes.ts";

const account = { defaultAddress: OWN_ADDRESS };
const own = { recipient: OWN_ADDRESS };

function merged(
  payees: readonly ReturnType<typeof payeeOf>[],
  { notes = 38, change = 0n }: { readonly notes?: number; readonly change?: bigint } = {},
): number | null {
  const reserved = Array.from({ length: notes }, (_, index) => ({
    position: asLeafPosition(BigInt(index)),
    nullifier: asNullifier(index.toString(16).padStart(64, "0")),
    value: asSompi(10n),
  }));
  return mergedNotes({ payees, reserved, change: asSompi(change) }, account);
}

describe("a consolidation", () => {
  it("goes to address 0, without a memo, and makes fewer notes than it spends", () => {
    expect(merged([payeeOf(9n, own)])).toBe(38);
    expect(merged([payeeOf(9n, own)], { notes: 3, change: 1n })).toBe(3);
  });

  it.each([
    ["to somebody else", [payeeOf(9n, { recipient: FOREIGN_ADDRESS })], {}],
    ["to another own address", [payeeOf(9n, { recipient: OWN_SECOND })], {}],
    ["with a memo", [payeeOf(9n, { ...own, memo: "6869" })], {}],
    ["to two payees", [payeeOf(9n, own), payeeOf(9n, own)], {}],
    ["that makes as many notes as it spends", [payeeOf(9n, own)], { notes: 2, change: 1n }],
    ["of one note", [payeeOf(9n, own)], { notes: 1 }],
  ])("is no payment %s", (_, payees, rest) => {
    expect(merged(payees, rest)).toBeNull();
  });
});
