import { describe, expect, it } from "vitest";
import { drawPayment } from "./drawPayment.ts";

/** Chance that gives these numbers in turn. */
function given(...numbers: readonly number[]): () => number {
  const left = [...numbers];
  return () => left.shift() ?? 0;
}

describe("a draw of a payment", () => {
  it("happens with a chance of the number of payments in the rate", () => {
    const drawn = Array.from({ length: 64 }, (_, chance) => drawPayment(given(chance, 5))(2, 64));
    expect(drawn.filter((place) => place !== null)).toEqual([1, 1]);
  });

  it("is certain where there are as many payments as the rate, and gives each of them", () => {
    const drawn = [0, 1, 2, 3].map((place) => drawPayment(given(63, place))(4, 4));
    expect(drawn).toEqual([0, 1, 2, 3]);
  });

  it("gives none of none", () => {
    expect(drawPayment(given(0, 0))(0, 1)).toBeNull();
  });
});
