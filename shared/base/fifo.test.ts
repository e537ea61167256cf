import { describe, expect, it } from "vitest";
import { Fifo } from "./fifo.ts";

describe("a fifo", () => {
  it("gives items in their order, however many came and went", () => {
    const fifo = new Fifo<{ readonly n: number }>();
    let [added, taken] = [0, 0];
    for (let round = 1; round <= 60; round += 1) {
      for (let count = 0; count < round * 3; count += 1) fifo.push({ n: (added += 1) });
      for (let count = 0; count < round * 2; count += 1) {
        taken += 1;
        expect(fifo.peek()).toEqual({ n: taken });
        expect(fifo.shift()).toEqual({ n: taken });
      }
      expect(fifo.size).toBe(added - taken);
    }
    while (taken < added) expect(fifo.shift()).toEqual({ n: (taken += 1) });
    expect([fifo.peek(), fifo.shift(), fifo.size]).toEqual([undefined, undefined, 0]);
    fifo.push({ n: 1 });
    fifo.clear();
    expect(fifo.shift()).toBeUndefined();
  });
});
