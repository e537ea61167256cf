import { readSeedText, seedCheck } from "@svc/shared/wallet/state/seedText.ts";
import { expect, test } from "vitest";
import { digitsOf, seedFault, seedHint } from "./seedTexts.ts";

const SEED = new Uint8Array(32).fill(0x5a);
const DIGITS = "5a".repeat(32);

test("B3: a wrong digit is told before anything is restored", () => {
  const paper = DIGITS + seedCheck(SEED);
  expect(seedFault(readSeedText(paper), true)).toBeNull();
  expect(seedHint(readSeedText(paper))).toContain("fit");
  expect(seedFault(readSeedText(`6${paper.slice(1)}`), false)).toContain("do not fit");
  expect(seedFault(readSeedText(DIGITS), true)).toBeNull();
  expect(seedHint(readSeedText(DIGITS))).toContain("cannot be noticed");
});

test("B9: the counter counts digits, and the first wrong character is named with its place", () => {
  expect(digitsOf("zz 5A five")).toBe(4);
  expect(seedFault(readSeedText("5a5a zz"), false)).toBe(
    "“z”, character 5, cannot be part of a seed: it has the digits 0 to 9 and the letters a to f.",
  );
});

test("a seed that is too short is told only when it is submitted, one too long at once", () => {
  expect(seedFault(readSeedText("5a"), false)).toBeNull();
  expect(seedFault(readSeedText("5a"), true)).toContain("2 digits");
  expect(seedFault(readSeedText("5".repeat(73)), false)).toContain("73 digits");
});
