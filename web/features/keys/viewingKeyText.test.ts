import { expect, test } from "vitest";
import { readViewingKey } from "./viewingKeyText.ts";

test("takes 192 digits in any form of writing", () => {
  const key = new Uint8Array(96).fill(0xab);
  expect(readViewingKey("ab".repeat(96))).toEqual({ kind: "full", key });
  expect(readViewingKey(` ${"AB ".repeat(96)}\n`)).toEqual({ kind: "full", key });
});

test("names an incoming key, and refuses all else", () => {
  expect(readViewingKey("ab".repeat(64)).kind).toBe("incoming");
  for (const text of ["", "ab", "ab".repeat(95), "ab".repeat(97), "zz".repeat(96)]) {
    expect(readViewingKey(text).kind).toBe("malformed");
  }
});
