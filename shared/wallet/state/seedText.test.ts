import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as v from "valibot";
import { decodeHex } from "../../base/hex.ts";
import { readSeedText, SEED_DIGITS, seedCheck } from "./seedText.ts";

const vectors = v.parse(
  v.object({
    valid: v.array(v.object({ seed: v.string(), check: v.string() })),
    wrong: v.array(v.object({ about: v.string(), text: v.string() })),
  }),
  JSON.parse(
    readFileSync(new URL("../../../tests/vectors/seed-text.json", import.meta.url), "utf8"),
  ),
);

const HEX = [..."0123456789abcdef"];
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
const paper = (seed: Uint8Array) => {
  const text = [...seed].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text + seedCheck(seed);
};

/** The text with another digit at each place; `step` 1 to 15 chooses which. */
function damage(text: string, places: readonly number[], step: number): string {
  const digits = [...text];
  for (const place of places) {
    const digit = Number.parseInt(digits[place] ?? "", 16);
    digits[place] = HEX[digit ^ step] ?? "";
  }
  return digits.join("");
}

describe("a seed on paper", () => {
  it("has the check digits of the vectors", () => {
    for (const { seed, check } of vectors.valid) {
      expect(seedCheck(decodeHex(seed))).toBe(check);
      expect(readSeedText(seed + check)).toMatchObject({ kind: "seed", checked: true });
    }
    for (const { about, text } of vectors.wrong) {
      expect(readSeedText(text), about).toEqual({ kind: "bad-check" });
    }
  });

  it("is read with or without check digits, in capitals and groups", () => {
    fc.assert(
      fc.property(seeds, fc.boolean(), (seed, checked) => {
        const text = checked ? paper(seed) : paper(seed).slice(0, SEED_DIGITS);
        const grouped = text.toUpperCase().replaceAll(/(.{8})/g, " $1\n");
        expect(readSeedText(grouped)).toEqual({
          kind: "seed",
          seed: new Uint8Array(seed),
          checked,
        });
      }),
    );
  });

  it("notices every wrong digit and every pair of them", () => {
    const text = paper(decodeHex(vectors.valid[5]?.seed ?? ""));
    for (let first = 0; first < text.length; first += 1) {
      for (let step = 1; step < 16; step += 1) {
        expect(readSeedText(damage(text, [first], step)).kind).toBe("bad-check");
      }
      for (let second = first + 1; second < text.length; second += 1) {
        const both = damage(damage(text, [first], 1 + (second % 15)), [second], 1 + (first % 15));
        expect(readSeedText(both).kind).toBe("bad-check");
      }
    }
  });

  it("notices up to four wrong digits, and groups that changed places", () => {
    const places = fc.uniqueArray(fc.nat(71), { minLength: 3, maxLength: 4 });
    const step = fc.integer({ min: 1, max: 15 });
    fc.assert(
      fc.property(seeds, places, step, (seed, wrong, by) => {
        expect(readSeedText(damage(paper(seed), wrong, by)).kind).toBe("bad-check");
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(seeds, fc.nat(8), fc.nat(8), (seed, a, b) => {
        const groups = paper(seed).match(/.{8}/g) ?? [];
        fc.pre(groups[a] !== groups[b]);
        const swapped = groups.map(
          (group, at) => groups[at === a ? b : at === b ? a : at] ?? group,
        );
        expect(readSeedText(swapped.join("")).kind).toBe("bad-check");
      }),
      { numRuns: 500 },
    );
  });

  it("says which character cannot be part of it, and how many digits there are", () => {
    expect(readSeedText("00 zz")).toEqual({ kind: "bad-character", character: "z", position: 3 });
    expect(readSeedText("0".repeat(65))).toEqual({ kind: "bad-length", digits: 65 });
    expect(readSeedText("")).toEqual({ kind: "bad-length", digits: 0 });
  });
});
