import { describe, expect, test } from "vitest";
import { ENGINE_LIMITS } from "../engineLimits.ts";
import { ProofQueue } from "./proofQueue.ts";

type Item = { readonly name: string };

const many = ENGINE_LIMITS.verifyBatchStrangers;

function filled(counts: Readonly<Record<string, number>>, queue = new ProofQueue<Item>()) {
  for (const [source, count] of Object.entries(counts)) {
    for (let n = 0; n < count; n += 1) queue.push({ name: `${source}${n}` }, source);
  }
  return queue;
}

const take = (queue: ProofQueue<Item>, idle = 1): string =>
  queue
    .take({ batch: 64, idle, fits: () => true })
    .map(({ name }) => name)
    .join(" ");

describe("a queue of proofs", () => {
  test("256 strangers hold up a source that is known for one batch", () => {
    const strangers = Array.from({ length: 256 }, (_, n) => [`s${n}-`, 1]);
    const queue = filled(Object.fromEntries(strangers));
    queue.judged("peer", true);
    expect(take(queue).split(" ")).toHaveLength(many);
    filled({ peer: 2 }, queue);
    expect(take(queue)).toBe("peer0 peer1");
    // Strangers have every other batch.
    filled({ peer: 1 }, queue);
    expect(take(queue).split(" ")).toHaveLength(many);
    expect([take(queue), queue.size]).toEqual(["peer0", 256 - 2 * many]);
  });

  test("a batch of known sources is large, eight of each at most", () => {
    const queue = new ProofQueue<Item>();
    for (const source of ["a", "b"]) queue.judged(source, true);
    filled({ a: 20, b: 20 }, queue);
    for (let n = 0; n < 20; n += 1) queue.push({ name: "own" }, undefined);
    expect(take(queue).split(" ")).toHaveLength(2 * ENGINE_LIMITS.verifyBatchSourceJobs + 20);
    expect(queue.sizeOf("a")).toBe(20 - ENGINE_LIMITS.verifyBatchSourceJobs);
  });

  test("a false proof makes its source a stranger, with all that waits of it", () => {
    const queue = new ProofQueue<Item>();
    for (const source of ["liar", "peer"]) queue.judged(source, true);
    filled({ liar: 3, peer: 1 }, queue);
    queue.judged("liar", false);
    expect([queue.sizeOf("liar"), queue.size]).toEqual([3, 4]);
    expect([take(queue), take(queue), take(queue)]).toEqual(["peer0", "liar0 liar1 liar2", ""]);
    filled({ liar: 1, peer: 1 }, queue);
    expect(take(queue)).toBe("peer0");
  });

  test("verifiers that are idle share what waits; what a block needs is given up", () => {
    const queue = filled({ a: 4, b: 2 });
    const item = { name: "wanted" };
    queue.push(item, "b");
    expect([queue.delete(item, "b"), queue.delete(item, "b"), queue.size]).toEqual([
      true,
      false,
      6,
    ]);
    expect(take(queue, 2)).toBe("a0 b0 a1");
    queue.clear();
    expect(queue.size).toBe(0);
  });
});
