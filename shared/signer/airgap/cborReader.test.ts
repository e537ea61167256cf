/** Deterministic CBOR against the examples of RFC 8949 (appendix A), and every other form refused. */
import { describe, expect, it } from "vitest";
import { U64_MAX } from "../../base/brand.ts";
import { decodeHex, encodeHex } from "../../base/hex.ts";
import { CborReader } from "./cborReader.ts";
import { CborWriter } from "./cborWriter.ts";

/** RFC 8949 appendix A. */
const NUMBERS: readonly (readonly [bigint, string])[] = [
  [0n, "00"],
  [1n, "01"],
  [10n, "0a"],
  [23n, "17"],
  [24n, "1818"],
  [25n, "1819"],
  [100n, "1864"],
  [1000n, "1903e8"],
  [1000000n, "1a000f4240"],
  [1000000000000n, "1b000000e8d4a51000"],
  [18446744073709551615n, "1bffffffffffffffff"],
];
/** At the edges of the forms. */
const EDGES: readonly (readonly [bigint, string])[] = [
  [255n, "18ff"],
  [256n, "190100"],
  [65535n, "19ffff"],
  [65536n, "1a00010000"],
  [4294967295n, "1affffffff"],
  [4294967296n, "1b0000000100000000"],
];
const read = (hex: string) => new CborReader(decodeHex(hex));

describe("numbers", () => {
  it.each([...NUMBERS, ...EDGES])("%s is %s", (value, hex) => {
    expect(encodeHex(new CborWriter().number(value).toBytes())).toBe(hex);
    const reader = read(hex);
    expect(reader.number(U64_MAX)).toBe(value);
    reader.finish();
  });

  it.each(["1800", "1817", "190000", "1900ff", "1a0000ffff", "1b00000000ffffffff", "1c", "1f"])(
    "the form %s is refused",
    (hex) => {
      expect(() => read(hex).number(U64_MAX)).toThrow("airgap/cbor-form (offset=0)");
    },
  );

  it("no other kind is a number, no number too large, none cut short", () => {
    for (const hex of ["20", "40", "60", "80", "a0", "c0", "f4", "fb3ff0000000000000", "ff"]) {
      expect(() => read(hex).number(U64_MAX)).toThrow(
        "airgap/cbor-type (offset=0, expected=number)",
      );
    }
    expect(() => read("1864").number(99n)).toThrow(
      "airgap/cbor-range (offset=0, found=100, max=99)",
    );
    for (const hex of ["", "18", "1903", "1a000f42", "1b00"]) {
      expect(() => read(hex).number(U64_MAX)).toThrow("airgap/cbor-end");
    }
  });
});

describe("byte strings, lists and maps", () => {
  it("are those of the appendix", () => {
    const writer = new CborWriter().bytes(new Uint8Array()).bytes(Uint8Array.of(1, 2, 3, 4));
    writer.list(3).number(1).number(2).number(3).map(2).number(1).number(2).number(3).number(4);
    expect(encodeHex(writer.toBytes())).toBe("40440102030483010203a201020304");
    const reader = read("40440102030483010203a201020304");
    expect([reader.bytes(0), reader.bytes(4)]).toEqual([
      new Uint8Array(),
      Uint8Array.of(1, 2, 3, 4),
    ]);
    expect(reader.list(3)).toBe(3);
    for (const number of [1n, 2n, 3n]) expect(reader.number(9n)).toBe(number);
    expect(reader.map(2)).toBe(2);
    reader.key(1);
    expect(reader.number(9n)).toBe(2n);
    expect(() => reader.key(4)).toThrow("airgap/cbor-key (offset=13, found=3, expected=4)");
  });

  it("have definite lengths and end where they say", () => {
    for (const hex of ["5f", "5c", "5800", "5817"]) {
      expect(() => read(hex).bytes(99, 0)).toThrow("airgap/cbor-form");
    }
    expect(() => read("9f").list(9, 0)).toThrow("airgap/cbor-form");
    expect(() => read("bf").map(9, 0)).toThrow("airgap/cbor-form");
    expect(() => read("4201").bytes(2)).toThrow("airgap/cbor-end (needed=2, remaining=1)");
    expect(() => read("4201").bytes(3)).toThrow("airgap/cbor-length (offset=0, found=2, max=3)");
    expect(() => read("83").list(2)).toThrow("airgap/cbor-count (offset=0, found=3, min=2, max=2)");
    expect(() => read("5bffffffffffffffff").bytes(3)).toThrow("airgap/cbor-length");
    expect(() => read("9bffffffffffffffff").list(3)).toThrow("airgap/cbor-count");
    expect(() => read("00").finish()).toThrow("airgap/cbor-trailing (remaining=1)");
  });
});
