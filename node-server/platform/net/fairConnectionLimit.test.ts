import { describe, expect, it } from "vitest";
import { FairConnectionLimit } from "./fairConnectionLimit.ts";

describe("places that hosts share", () => {
  it("gives one host its share and no more", () => {
    const places = new FairConnectionLimit<number>({ total: 10, perHost: 3 });
    const entered = [1, 2, 3, 4].map((holder) => places.enter("a", holder).entered);
    expect(entered).toEqual([true, true, true, false]);
    expect(places.enter("b", 5)).toEqual({ entered: true, evicted: null });
    places.leave("a", 1);
    expect(places.enter("a", 6).entered).toBe(true);
  });

  it("takes the oldest place of the host with the most when all are taken", () => {
    const places = new FairConnectionLimit<number>({ total: 5, perHost: 4 });
    for (const holder of [1, 2, 3, 4]) places.enter("flood", holder);
    places.enter("other", 5);
    expect(places.enter("honest", 6)).toEqual({ entered: true, evicted: 1 });
    expect(places.enter("honest", 7)).toEqual({ entered: true, evicted: 2 });
    // Now nobody has more than it would have.
    expect(places.enter("honest", 8)).toEqual({ entered: false });
    expect(places.size).toBe(5);
  });

  it("refuses the flood itself when all are taken", () => {
    const places = new FairConnectionLimit<number>({ total: 3, perHost: 3 });
    for (const holder of [1, 2, 3]) places.enter("flood", holder);
    expect(places.enter("flood", 4)).toEqual({ entered: false });
  });

  it("is not confused by a holder that leaves twice", () => {
    const places = new FairConnectionLimit<number>({ total: 3, perHost: 3 });
    places.enter("a", 1);
    places.leave("a", 1);
    places.leave("a", 1);
    places.leave("b", 1);
    expect(places.size).toBe(0);
  });
});
