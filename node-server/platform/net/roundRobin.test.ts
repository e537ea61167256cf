/** Tests of the round-robin queue by key. */
import { describe, expect, it } from "vitest";
import { RoundRobin } from "./roundRobin.ts";

const never = new AbortController().signal;

/** Lets everything that is ready run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work that waits until it is told to end. */
function rooms(limit: number) {
  const turns = new RoundRobin(limit);
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (name: string, signal = never): Promise<void> =>
    turns.run(name, signal, () => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  const leave = async (): Promise<void> => {
    ends.shift()?.();
    await settle();
  };
  return { started, enter, leave };
}

describe("turns", () => {
  it("go round, however much one of them asks for", async () => {
    const { started, enter, leave } = rooms(1);
    const asked = ["greedy", "greedy", "greedy", "a", "b"].map((name) => enter(name));
    await settle();
    for (let time = 0; time < 5; time += 1) await leave();
    expect(started).toEqual(["greedy", "a", "b", "greedy", "greedy"]);
    await Promise.all(asked);
  });

  it("are one at a time for each, and so many for all", async () => {
    const { started, enter, leave } = rooms(2);
    const asked = ["a", "a", "b", "c"].map((name) => enter(name));
    await settle();
    expect(started).toEqual(["a", "b"]);
    await leave();
    expect(started).toHaveLength(3);
    for (let time = 0; time < 3; time += 1) await leave();
    await Promise.all(asked);
  });

  it("are given up by those who leave, and pass on when work fails", async () => {
    const { started, enter, leave } = rooms(1);
    const first = enter("a");
    const stop = new AbortController();
    const gone = enter("b", stop.signal);
    const last = enter("c");
    stop.abort();
    await expect(gone).rejects.toMatchObject({ code: "run/aborted" });
    await leave();
    expect(started).toEqual(["a", "c"]);
    await leave();
    await Promise.all([first, last]);
    const turns = new RoundRobin(1);
    const failed = turns.run("a", never, () => Promise.reject(new Error("no")));
    await expect(failed).rejects.toThrow("no");
    expect(await turns.run("a", never, async () => 1)).toBe(1);
  });
});
