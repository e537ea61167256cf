import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ownedRows, renderLimits, rustRows, typescriptRows, wrapped } from "./generateLimits.ts";
import { LIMIT_OWNERS } from "./limitOwners.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("LIMITS.md", () => {
  it("is fresh", async () => {
    const core = rustRows(read("wasm-core/crates/codec/src/limits.rs"));
    expect(core.length).toBeGreaterThan(10);
    expect(read("LIMITS.md")).toBe(await renderLimits(core));
  });

  it.each(LIMIT_OWNERS)("gives every limit of $path a unit and a reason", async (owner) => {
    for (const row of await ownedRows(owner)) {
      expect(row.unit, row.name).toMatch(/^[a-zA-Z ]{2,30}$/);
      expect(row.reason, row.name).toMatch(/^\S.{10,}/);
    }
  });
});

describe("typescriptRows", () => {
  it("reads comments over several lines and groups digits", () => {
    const source = "{\n  /**\n   * bytes. One\n   * two.\n   */\n  a: 1000,\n}".replace(
      "/**\n   * ",
      "/** ",
    );
    expect(typescriptRows(source, { a: 1000 })).toEqual([
      { name: "a", value: "1 000", unit: "bytes", reason: "One two." },
    ]);
  });

  it("refuses a limit without a comment", () => {
    expect(() => typescriptRows("{\n  a: 1,\n}", { a: 1 })).toThrow("a has no comment");
  });
});

describe("rustRows", () => {
  it("reads constants with their comments", () => {
    const source = "/// Bytes of a thing:\n/// many.\npub const MAX_THING: usize = 1_000;\n";
    expect(rustRows(source)).toEqual([
      { name: "MAX_THING", value: "1 000", unit: "", reason: "Bytes of a thing: many." },
    ]);
  });
});

describe("wrapped", () => {
  it("breaks a paragraph before the column that is too many", () => {
    const word = "x".repeat(59);
    expect(wrapped(`${word} ${word}y ${word}`)).toBe(`${word} ${word}y\n${word}`);
    expect(wrapped(`${word} ${word}yy ${word}`)).toBe(`${word}\n${word}yy\n${word}`);
  });

  it("leaves a word that is longer than a line whole", () => {
    const word = "x".repeat(121);
    expect(wrapped(`a ${word} b`)).toBe(`a\n${word}\nb`);
  });
});
