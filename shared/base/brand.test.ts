import { describe, expect, it } from "vitest";
import { asSompi, parseHash32, parseRawAddress, parseU64, U64_MAX } from "./brand.ts";

describe("checked constructors", () => {
  it("take well-formed text", () => {
    expect(parseHash32("0f".repeat(32))).toBe("0f".repeat(32));
    expect(parseRawAddress("0f".repeat(43))).toBe("0f".repeat(43));
    expect(parseU64("0")).toBe(0n);
    expect(parseU64("18446744073709551615")).toBe(U64_MAX);
  });

  it.each(["", "0f", "0F".repeat(32), `${"0f".repeat(32)}\n`, "x".repeat(5000)])(
    "refuse %j as a hash, with a short error",
    (text) => {
      const attempt = () => parseHash32(text);
      expect(attempt).toThrow(expect.objectContaining({ code: "codec/bad-hex" }));
      expect(attempt).toThrow(/^.{0,120}$/su);
    },
  );

  it.each(["", "-1", "01", "1.0", "1e3", " 1", "18446744073709551616", "99999999999999999999999"])(
    "refuse %j as a 64-bit number",
    (text) => {
      expect(() => parseU64(text)).toThrow(
        expect.objectContaining({ code: "codec/number-out-of-range" }),
      );
    },
  );

  it("keep money inside 64 bits", () => {
    expect(() => asSompi(-1n)).toThrow(
      expect.objectContaining({ code: "codec/number-out-of-range" }),
    );
    expect(() => asSompi(U64_MAX + 1n)).toThrow(
      expect.objectContaining({ code: "codec/number-out-of-range" }),
    );
  });
});
