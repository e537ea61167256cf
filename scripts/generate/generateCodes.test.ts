import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseCodes, renderRust, renderTypescript, rustName } from "./generateCodes.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("generated codes", () => {
  const entries = parseCodes(read("wasm-core/codes.json"));

  it("are fresh in both languages", () => {
    expect(read("shared/base/generated/codes.ts")).toBe(renderTypescript(entries));
    expect(read("wasm-core/crates/codec/src/code.rs")).toBe(renderRust(entries));
  });

  it.each([
    ['{"codes":[{"code":"Bad","data":[],"doc":"x"}]}', /area\/what/],
    ['{"codes":[{"code":"a/b","data":[],"doc":" "}]}', /no doc/],
    ['{"codes":[{"code":"a/b","data":["B"],"doc":"x"}]}', /field name/],
    ['{"codes":[{"code":"a/b","data":[],"doc":"x"},{"code":"a/b","data":[],"doc":"x"}]}', /twice/],
    ['{"codes":[{"code":"a/b","data":[],"doc":"x","classes":["good"]}]}', /unknown class/],
  ])("refuse a bad list: %s", (text, message) => {
    expect(() => parseCodes(text)).toThrow(message);
  });

  it("name Rust variants after area and what", () => {
    expect(rustName("tx/anchor-too-old")).toBe("TxAnchorTooOld");
  });
});
