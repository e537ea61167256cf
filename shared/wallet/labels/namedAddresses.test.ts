import { expect, test } from "vitest";
import { namedAddresses } from "./namedAddresses.ts";

test("addresses up to the last named one count as handed out", () => {
  const names = new Map([
    [7, "shop"],
    [3, "Ann"],
  ]);
  expect(namedAddresses(names, 1, 100)).toBe(8);
  expect(namedAddresses(names, 20, 100)).toBe(20);
  expect(namedAddresses(new Map(), 4, 100)).toBe(4);
});

test("a name far beyond makes no endless list, and takes none of the others away", () => {
  const names = new Map([
    [5, "Ann"],
    [2 ** 32 - 1, "liar"],
    [100, "one too far"],
  ]);
  expect(namedAddresses(names, 1, 100)).toBe(6);
});
