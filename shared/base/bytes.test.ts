import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteReader, ByteWriter, compareBytes, concatBytes, equalBytes } from "./bytes.ts";

const code = (text: string) => expect.objectContaining({ code: text });

describe("ByteWriter and ByteReader", () => {
  it("lay numbers out little endian", () => {
    const bytes = new ByteWriter(1).u8(1).u16(0x0302).u32(0x07060504).u64(0x0f0e0d0c0b0a0908n);
    expect([...bytes.toBytes()]).toEqual(Array.from({ length: 15 }, (_, i) => i + 1));
    expect(bytes.length).toBe(15);
  });

  it("read back what was written", () => {
    const value = fc.record({
      a: fc.nat(0xff),
      b: fc.nat(0xffff),
      c: fc.nat(0xffff_ffff),
      d: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      e: fc.uint8Array({ maxLength: 600 }),
    });
    fc.assert(
      fc.property(value, ({ a, b, c, d, e }) => {
        const reader = new ByteReader(
          new ByteWriter(2).u8(a).u16(b).u32(c).u64(d).block(e).raw(e).toBytes(),
        );
        expect([reader.u8(), reader.u16(), reader.u32(), reader.u64()]).toEqual([a, b, c, d]);
        expect(equalBytes(reader.block(), e)).toBe(true);
        expect(equalBytes(reader.take(e.length), e)).toBe(true);
        reader.finish();
      }),
    );
  });

  it("reads a view that does not start at its buffer's beginning", () => {
    const outer = Uint8Array.of(9, 9, 5, 0, 0, 0);
    expect(new ByteReader(outer.subarray(2)).u32()).toBe(5);
  });

  it("refuses to read past the end, to leave bytes over and to trust a count", () => {
    expect(() => new ByteReader(new Uint8Array(3)).u32()).toThrow(code("codec/unexpected-end"));
    const lying = new ByteWriter().u32(0xffff_ffff).toBytes();
    expect(() => new ByteReader(lying).block()).toThrow(code("codec/unexpected-end"));
    expect(() => new ByteReader(new Uint8Array(1)).finish()).toThrow(code("codec/trailing-bytes"));
    const reader = new ByteReader(new Uint8Array(10));
    expect(reader.checkCount(5, 5, 2)).toBe(5);
    expect(() => reader.checkCount(6, 5, 1)).toThrow(code("codec/count-too-large"));
    expect(() => reader.checkCount(6, 100, 2)).toThrow(code("codec/count-too-large"));
  });

  it("refuses numbers that do not fit", () => {
    const out = code("codec/number-out-of-range");
    expect(() => new ByteWriter().u8(256)).toThrow(out);
    expect(() => new ByteWriter().u16(-1)).toThrow(out);
    expect(() => new ByteWriter().u32(1.5)).toThrow(out);
    expect(() => new ByteWriter().u64(2n ** 64n)).toThrow(out);
  });
});

describe("byte strings", () => {
  it("compare in lexicographic order", () => {
    expect(compareBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBeLessThan(0);
    expect(compareBytes(Uint8Array.of(2), Uint8Array.of(1, 3))).toBeGreaterThan(0);
    expect(compareBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBeLessThan(0);
    expect(compareBytes(Uint8Array.of(7), Uint8Array.of(7))).toBe(0);
    expect(equalBytes(Uint8Array.of(1), Uint8Array.of(1, 0))).toBe(false);
  });

  it("join into a copy", () => {
    const part = Uint8Array.of(1);
    const joined = concatBytes(part, Uint8Array.of(2, 3));
    part[0] = 9;
    expect([...joined]).toEqual([1, 2, 3]);
  });
});
