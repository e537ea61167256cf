/** Work on many things at a time. */
import { describe, expect, it } from "vitest";
import { forEachConcurrent } from "./forEachConcurrent.ts";

describe("work on many things", () => {
  it("is on so many at a time, in their order, and ends when all are done", async () => {
    const begun: number[] = [];
    const doors = new Map<number, () => void>();
    let ended = false;
    const all = forEachConcurrent([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      await new Promise<void>((resolve) => doors.set(item, resolve));
    }).then(() => (ended = true));
    const settle = () => new Promise((resolve) => setImmediate(resolve));
    await settle();
    expect(begun).toEqual([1, 2]);
    doors.get(2)?.();
    await settle();
    expect(begun).toEqual([1, 2, 3]);
    for (const item of [1, 3]) doors.get(item)?.();
    await settle();
    expect([begun, ended]).toEqual([[1, 2, 3, 4], false]);
    doors.get(4)?.();
    await all;
  });

  it("begins nothing more after an error, and does nothing for no items", async () => {
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error("no");
    };
    await expect(forEachConcurrent([1, 2, 3, 4, 5], 2, work)).rejects.toThrow("no");
    expect(begun.length).toBeLessThan(4);
    await forEachConcurrent([], 2, work);
  });
});
