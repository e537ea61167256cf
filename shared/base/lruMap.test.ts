import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LruMap } from "./lruMap.ts";

describe("LruMap", () => {
  it("forgets what was used longest ago", () => {
    const map = new LruMap<string, number>(2);
    map.set("a", 1);
    map.set("b", 2);
    map.get("a");
    map.set("c", 3);
    expect([map.has("a"), map.has("b"), map.has("c")]).toEqual([true, false, true]);
  });

  it("bounds the sum of weights and refuses what is too heavy alone", () => {
    const map = new LruMap<string, string>(5, (text) => text.length);
    map.set("a", "xxx");
    map.set("b", "yyy");
    expect([map.has("a"), map.weight]).toEqual([false, 3]);
    map.set("b", "too heavy");
    expect([map.size, map.weight]).toEqual([0, 0]);
  });

  it("never exceeds its bound, whatever is stored", () => {
    const step = fc.tuple(fc.nat(9), fc.nat(12), fc.boolean());
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const map = new LruMap<number, number>(20, (weight) => weight);
        const model = new Map<number, number>();
        for (const [key, weight, remove] of steps) {
          if (remove) map.delete(key);
          else map.set(key, weight);
          if (remove) model.delete(key);
          else model.set(key, weight);
          expect(map.weight).toBeLessThanOrEqual(20);
          for (let k = 0; k < 10; k += 1) {
            if (map.has(k)) expect(map.get(k)).toBe(model.get(k));
          }
        }
        map.clear();
        expect(map.weight).toBe(0);
      }),
    );
  });
});
