import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { passphraseFault } from "./passphraseFault.ts";
import { passphraseStrength } from "./passphraseStrength.ts";

describe("the hint at a passphrase's strength", () => {
  test.each([
    ["", "none"],
    ["Tr0ub4dor", "none"],
    ["aaaaaaaaaaaaaaaaaaaa", "weak"],
    ["abcdefghijklmnopqrstuvwxyz", "weak"],
    ["98765432101234567890", "weak"],
    ["passwordpasswordpassword", "weak"],
    ["abab abab abab abab abab", "weak"],
    ["k7#qT!x2Wz", "fair"],
    ["correct horse", "fair"],
    ["correct horse battery staple", "strong"],
    ["vier Wörter ohne Zusammenhang", "strong"],
    ["שלוש מילים בלי שום קשר", "strong"],
  ])("%j is %s", (text, strength) => {
    expect(passphraseStrength(text)).toBe(strength);
  });

  test("never refuses what is long enough, and never praises what is refused", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), (text) => {
        expect(passphraseStrength(text) === "none").toBe(passphraseFault(text, text) === "short");
      }),
    );
  });

  test("is told at once of a flood of text", () => {
    expect(passphraseStrength("ab".repeat(1_000_000))).toBe("weak");
  });
});
