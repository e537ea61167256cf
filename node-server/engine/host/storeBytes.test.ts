import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeBatch, encodeBatch } from "./storeBytes.ts";

const bytes = fc.uint8Array({ maxLength: 20 });
const change = fc.record({
  table: fc.integer({ min: 0, max: 255 }),
  key: bytes,
  value: fc.option(bytes),
});

test("a batch reads back, and no cut of it is read as a shorter batch of whole values", () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 6 }), (changes) => {
      const encoded = encodeBatch(changes);
      expect(decodeBatch(encoded)).toEqual(changes);
      const last = encodeBatch(changes.slice(-1)).length;
      expect(() => decodeBatch(encoded.subarray(0, encoded.length - last + 1))).toThrow("codec/");
    }),
  );
});

test("unknown operations are refused", () => {
  expect(() => decodeBatch(Uint8Array.of(3, 1, 0, 0, 0, 0))).toThrow("engine/bad-call");
  expect(() => decodeBatch(Uint8Array.of(1, 1, 255, 255, 255, 255))).toThrow(
    "codec/unexpected-end",
  );
});
