import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KeyedLock, LockBusy } from "../src/base/keyedLock.ts";

describe("a lock by keys", () => {
  it("lets one at a time in, in their order, also after one that failed", async () => {
    const lock = new KeyedLock(8);
    const seen: string[] = [];
    const work = (name: string, fails = false) =>
      lock.with("a", async () => {
        seen.push(`${name} in`);
        await Promise.resolve();
        seen.push(`${name} out`);
        if (fails) throw new Error(name);
      });
    const ends = await Promise.allSettled([work("1"), work("2", true), work("3")]);
    assert.deepEqual(seen, ["1 in", "1 out", "2 in", "2 out", "3 in", "3 out"]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled"],
    );
  });

  it("refuses who would be one too many, by key", async () => {
    const lock = new KeyedLock(1);
    let end = (): void => undefined;
    const first = lock.with("a", () => new Promise<void>((resolve) => (end = resolve)));
    const second = lock.with("a", async () => "second");
    await assert.rejects(
      lock.with("a", async () => "third"),
      LockBusy,
    );
    assert.equal(await lock.with("b", async () => "other"), "other");
    end();
    await first;
    assert.equal(await second, "second");
    assert.equal(await lock.with("a", async () => "later"), "later");
  });
});
