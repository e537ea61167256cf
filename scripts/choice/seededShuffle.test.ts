import { expect, it } from "vitest";
import { mulberry32 } from "../../node-server/platform/testkit/mulberry32.ts";
import { seededShuffle } from "./seededShuffle.ts";

const ITEMS = ["a", "b", "c", "d", "e"];

it("keeps all items, and leaves what it was given as it is", () => {
  const given = [...ITEMS];
  expect(seededShuffle(given, 1).toSorted()).toEqual(ITEMS);
  expect(given).toEqual(ITEMS);
  expect(seededShuffle([], 1)).toEqual([]);
});

it("draws with the generator that the tests have", () => {
  const next = mulberry32(4_000_000_000);
  const rest = [...ITEMS];
  const drawn = ITEMS.map(() => rest.splice(next() % rest.length, 1)[0]);
  expect(seededShuffle(ITEMS, 4_000_000_000)).toEqual(drawn);
});
