import { describe, expect, test } from "vitest";
import { FairQueue } from "./fairQueue.ts";

type Item = { readonly name: string; readonly bytes: number };

function filled(counts: Readonly<Record<string, number>>, bytes = 1): FairQueue<Item> {
  const queue = new FairQueue<Item>();
  for (const [source, count] of Object.entries(counts)) {
    for (let n = 0; n < count; n += 1) queue.push({ name: `${source}${n}`, bytes }, source);
  }
  return queue;
}

function take(queue: FairQueue<Item>, items: number, perSource = items, maxBytes = 1_000): string {
  let bytes = 0;
  const fits = (item: Item): boolean => {
    bytes += item.bytes;
    return bytes <= maxBytes;
  };
  const taken = queue.take({ items, perSource, fits });
  return taken.map(({ name }) => name).join(" ");
}

describe("a fair queue", () => {
  test("gives each source a turn, in the order in which they came", () => {
    const queue = filled({ a: 4, b: 1, c: 2 });
    expect([queue.size, queue.sizeOf("a"), queue.sizeOf("z")]).toEqual([7, 4, 0]);
    expect(take(queue, 5)).toBe("a0 b0 c0 a1 c1");
    expect(take(queue, 5)).toBe("a2 a3");
    expect([take(queue, 5), queue.size]).toEqual(["", 0]);
  });

  test("goes on with the source whose turn is next", () => {
    const queue = filled({ a: 9, b: 9, c: 9 });
    expect([take(queue, 2), take(queue, 2), take(queue, 2)]).toEqual(["a0 b0", "c0 a1", "b1 c1"]);
    queue.push({ name: "d0", bytes: 1 }, "d");
    expect(take(queue, 4)).toBe("a2 b2 c2 d0");
  });

  test("takes so many of one source and no more, but all of what has no source", () => {
    const queue = filled({ a: 9, b: 1 });
    for (let n = 0; n < 4; n += 1) queue.push({ name: `own${n}`, bytes: 1 }, undefined);
    expect(take(queue, 64, 2)).toBe("a0 b0 own0 a1 own1 own2 own3");
    expect([take(queue, 64, 2), queue.size]).toEqual(["a2 a3", 5]);
  });

  test("ends a batch before an item that does not fit, and takes a first one of any size", () => {
    const queue = filled({ a: 2, b: 2 }, 400);
    expect([take(queue, 9, 9, 900), take(queue, 9, 9, 100)]).toEqual(["a0 b0", "a1"]);
  });

  test("gives up an item that is wanted elsewhere", () => {
    const queue = filled({ a: 1 });
    const [wanted, other] = [
      { name: "wanted", bytes: 1 },
      { name: "other", bytes: 1 },
    ];
    queue.push(wanted, "b");
    queue.push(other, "b");
    expect([queue.delete(wanted, "a"), queue.delete(wanted, "z")]).toEqual([false, false]);
    expect([queue.delete(wanted, "b"), queue.delete(wanted, "b")]).toEqual([true, false]);
    expect([queue.size, take(queue, 9)]).toEqual([2, "a0 other"]);
    queue.push(other, "b");
    queue.clear();
    expect([queue.size, queue.sizeOf("b")]).toEqual([0, 0]);
  });
});
