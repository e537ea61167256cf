/** The form of addresses, against the vectors that the core keeps to. */
import { describe, expect, it } from "vitest";
import vectors from "../../../tests/vectors/shielded-addresses.json" with { type: "json" };
import { requireAddressForm, writeAddressText } from "./addressText.ts";
import { decodeHex } from "../../base/hex.ts";
import { SvcError } from "../../base/svcError.ts";

const { valid, invalid } = vectors;
/** What takes the curve. */
const FOR_THE_CORE = "address/bad-key";

function refusalOf(hrp: string, text: string): string | null {
  try {
    requireAddressForm(hrp, text);
    return null;
  } catch (thrown) {
    return SvcError.from(thrown).code;
  }
}

describe("the form of an address", () => {
  it.each(valid)("of $text is that of the vector", ({ hrp, raw, text }) => {
    expect(refusalOf(hrp, text)).toBeNull();
    expect(writeAddressText(hrp, decodeHex(raw))).toBe(text);
  });

  it.each(invalid.cases)("is refused with $code: $why", ({ text, code }) => {
    expect(refusalOf(invalid.hrp, text)).toBe(code === FOR_THE_CORE ? null : code);
  });

  it("of texts without an end is refused before they are read", () => {
    expect(refusalOf("svc", `svc:${"q".repeat(10_000_000)}`)).toBe("address/bad-length");
    expect(refusalOf("svc", `${"x".repeat(10_000_000)}:q`)).toBe("address/wrong-network");
  });
});
