import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SvcError } from "../../base/svcError.ts";
import { encodeMemo, readMemo } from "./memo.ts";

const pad = (hex: string) => hex.padEnd(1_024, "0");

describe("memo", () => {
  it("reads back any text, padded or not", () => {
    const text = fc
      .string({ unit: "grapheme", maxLength: 100 })
      .filter((value) => value !== "" && !value.endsWith("\0"))
      .filter((value) => new TextEncoder().encode(value).length <= 512);
    fc.assert(
      fc.property(text, (value) => {
        const hex = encodeMemo(value);
        expect(readMemo(hex)).toEqual({ kind: "text", text: value });
        expect(readMemo(pad(hex))).toEqual({ kind: "text", text: value });
      }),
    );
  });

  it.each([
    ["nothing", ""],
    ["zeros", pad("")],
    ["the mark of the empty memo", pad("f6")],
  ])("sees no memo in %s", (_, hex) => {
    expect(readMemo(hex)).toEqual({ kind: "empty" });
  });

  it.each([
    ["a first byte above 0xf4", "f501"],
    ["bytes that are no UTF-8", "80"],
    ["a cut-off character", "41e282"],
    ["the empty mark with company", "f600ff"],
  ])("gives %s as bytes", (_, hex) => {
    expect(readMemo(pad(hex))).toEqual({ kind: "bytes", hex });
  });

  it("counts bytes, not characters", () => {
    expect(encodeMemo("😀".repeat(128))).toHaveLength(1_024);
    const tooLong = () => encodeMemo(`${"😀".repeat(128)}x`);
    expect(tooLong).toThrow(SvcError);
    expect(tooLong).toThrow("wallet/memo-too-long (length=513, max=512)");
  });
});
