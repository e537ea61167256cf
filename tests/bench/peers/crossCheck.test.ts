import { expect, it } from "vitest";
import { damagedPayment, requireEqual } from "./crossCheck.ts";

it("sides that differ are named", () => {
  expect(() => requireEqual("the roots", { ours: "a", portable: "a", native: "a" })).not.toThrow();
  expect(() => requireEqual("the roots", { ours: "a", portable: "a", native: "b" })).toThrow(
    "the roots differ: ours a, native b",
  );
});

it("a damaged payment differs in one bit in its middle", () => {
  expect(damagedPayment("00112233445566")).toBe("00112232445566");
});
