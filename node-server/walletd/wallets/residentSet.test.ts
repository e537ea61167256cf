import { describe, expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { ResidentSet } from "./residentSet.ts";

const { signal } = new AbortController();
const nothing = (): void => undefined;

describe("a resident set", () => {
  it("lets two that come at once not have the same free place", async () => {
    let evictions = 0;
    const set = new ResidentSet(2, () => {
      evictions += 1;
      set.leave();
      return Promise.resolve();
    });
    await set.enter(signal, nothing);
    await Promise.all([set.enter(signal, nothing), set.enter(signal, nothing)]);
    expect([evictions, set.excess, set.crowded]).toEqual([1, 0, 1]);
  });

  it("waits until one has left, and grows where none can", async () => {
    const order: string[] = [];
    let go: () => void = nothing;
    const eviction = new Promise<void>((resolve) => (go = resolve));
    const answers = [eviction, null];
    const set = new ResidentSet(1, () => answers.shift() ?? null);
    await set.enter(signal, () => order.push("first"));
    const second = set.enter(signal, () => order.push("second"));
    await Promise.resolve();
    order.push("evicted");
    set.leave();
    go();
    await second;
    await set.enter(signal, () => order.push("third"));
    expect(order).toEqual(["first", "evicted", "second", "third"]);
    expect([set.excess, set.crowded]).toEqual([1, 2]);
  });

  it("gives no place to whom the program's end finds waiting", async () => {
    const life = new AbortController();
    let ask: () => void = nothing;
    const asked = new Promise<void>((resolve) => (ask = resolve));
    let go: () => void = nothing;
    const eviction = new Promise<void>((resolve) => (go = resolve));
    const set = new ResidentSet(1, () => {
      ask();
      return eviction;
    });
    await set.enter(life.signal, nothing);
    const codes = [1, 2].map(() => rejectionCode(set.enter(life.signal, nothing)));
    await asked;
    life.abort();
    go();
    expect(await Promise.all(codes)).toEqual(["run/aborted", "run/aborted"]);
    expect(set.excess).toBe(0);
  });
});
