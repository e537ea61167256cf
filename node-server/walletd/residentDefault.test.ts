import { expect, it } from "vitest";
import { residentDefault } from "./residentDefault.ts";

const MIB = 1024 * 1024;

it.each([
  [null, 32],
  [0, 4],
  [5 * 192 * MIB - 1, 4],
  [5 * 192 * MIB, 5],
  [8_192 * MIB, 42],
  [256 * 192 * MIB, 256],
  [Number.MAX_SAFE_INTEGER, 256],
])("with %s bytes of free memory %i wallets stay", (freeBytes, wallets) => {
  expect(residentDefault(freeBytes)).toBe(wallets);
});
