import { describe, expect, it } from "vitest";
import { asChainIndex } from "../base/brand.ts";
import { receiptRange, standsNear } from "./receiptRange.ts";

const range = (paid: bigint, tip: bigint) => receiptRange(asChainIndex(paid), asChainIndex(tip));

describe("the header of a receipt", () => {
  it("is one near the tip, well above the payment, that the chain keeps", () => {
    expect(range(10n, 1_000n)).toEqual({ from: 110n, to: 900n });
    expect(range(10n, 50_000n)).toEqual({ from: 43_000n, to: 49_900n });
    expect(range(10n, 211n)).toEqual({ from: 110n, to: 111n });
  });

  it("is any above a payment that is young", () => {
    expect(range(10n, 210n)).toBe(null);
    expect(range(10n, 11n)).toBe(null);
    expect(range(10n, 10n)).toBe(null);
  });

  it("may be of a branch that the chain left where it is near, unless a tip was checked", () => {
    expect(standsNear({ grade: "work", depth: 99n })).toBe(true);
    expect(standsNear({ grade: "work", depth: 100n })).toBe(false);
    expect(standsNear({ grade: "chain", depth: 1n })).toBe(false);
  });
});
