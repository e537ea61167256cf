import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeHex, encodeHex } from "./hex.ts";

describe("hex", () => {
  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeHex(encodeHex(bytes), bytes.length)).toEqual(Uint8Array.from(bytes));
      }),
    );
    expect(encodeHex(Uint8Array.of(0, 15, 16, 255))).toBe("000f10ff");
  });

  it.each([
    ["odd length", "abc", undefined],
    ["upper case", "AB", undefined],
    ["foreign digit", "0g", undefined],
    ["prefix", "0x00", undefined],
    ["other length", "abcd", 3],
  ])("refuses %s", (_, text, length) => {
    expect(() => decodeHex(text, length)).toThrow(
      expect.objectContaining({ code: "codec/bad-hex" }),
    );
  });
});
