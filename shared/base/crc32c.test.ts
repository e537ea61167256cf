import { describe, expect, it } from "vitest";
import { crc32c } from "./crc32c.ts";

// Check values of RFC 3720, appendix B.4, and the customary one of "123456789".
const CASES: [string, Uint8Array, number][] = [
  ["nothing", new Uint8Array(0), 0],
  ["32 zeros", new Uint8Array(32), 0x8a91_36aa],
  ["32 ones", new Uint8Array(32).fill(0xff), 0x62a8_ab43],
  ["0 to 31", Uint8Array.from({ length: 32 }, (_, i) => i), 0x46dd_794e],
  ["31 to 0", Uint8Array.from({ length: 32 }, (_, i) => 31 - i), 0x113f_db5c],
  ["digits", new TextEncoder().encode("123456789"), 0xe306_9283],
];

describe("crc32c", () => {
  it.each(CASES)("of %s", (_, bytes, sum) => {
    expect(crc32c(bytes)).toBe(sum);
  });

  it("continues over parts", () => {
    const digits = new TextEncoder().encode("123456789");
    expect(crc32c(digits.subarray(4), crc32c(digits.subarray(0, 4)))).toBe(0xe306_9283);
  });
});

it("is the same however the bytes are cut, at every length and offset", () => {
  const bytes = Uint8Array.from({ length: 67 }, (_, i) => (i * 151) & 0xff);
  for (let from = 0; from < 9; from += 1) {
    for (let to = from; to <= bytes.length; to += 1) {
      let one = 0;
      for (let at = from; at < to; at += 1) one = crc32c(bytes.subarray(at, at + 1), one);
      expect(crc32c(bytes.subarray(from, to))).toBe(one);
    }
  }
});
