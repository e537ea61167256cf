import { expect, it } from "vitest";
import { freeMemory } from "./freeMemory.ts";

const MIB = 1_048_576;

it("free memory is what the container leaves, also where that is nothing", () => {
  expect(freeMemory({ machine: () => 900 * MIB, program: () => 64 * MIB })).toBe(64 * MIB);
  expect(freeMemory({ machine: () => 900 * MIB, program: () => 0 })).toBe(0);
});

it("a system that tells nothing has no free memory that is known", () => {
  expect(freeMemory({ machine: () => 0, program: () => 0 })).toBeNull();
});

it("this system tells it", () => {
  expect(freeMemory()).toBeGreaterThan(MIB);
});
