import { readSeedText } from "@svc/shared/wallet/state/seedText.ts";
import { expect, test } from "vitest";
import { groupsMatch, pickGroups, seedGroups } from "./seedGroups.ts";

const SEED = Uint8Array.from({ length: 32 }, (_, index) => index * 8);

test("B3: eight groups of eight digits give back the seed, a ninth checks them", () => {
  const groups = seedGroups(SEED);
  expect(groups).toHaveLength(9);
  expect(groups[0]).toBe("00081018");
  expect(readSeedText(groups.join(" "))).toEqual({ kind: "seed", seed: SEED, checked: true });
});

test("asks for different groups in order", () => {
  for (let round = 0; round < 50; round += 1) {
    const picked = pickGroups(8, 3);
    expect(new Set(picked).size).toBe(3);
    expect(picked).toEqual(picked.toSorted((a, b) => a - b));
    expect(picked.every((group) => group >= 0 && group < 8)).toBe(true);
  }
});

test("accepts blanks and capitals, refuses anything else", () => {
  const groups = seedGroups(SEED);
  expect(groupsMatch(SEED, [0, 7], [" 0008 1018", groups[7]?.toUpperCase() ?? ""])).toBe(true);
  expect(groupsMatch(SEED, [0, 7], ["00081018", "00081018"])).toBe(false);
  expect(groupsMatch(SEED, [0], [])).toBe(false);
});
