import { expect, it } from "vitest";
import { rejectionCode } from "@svc/shared/base/testkit/rejectionCode.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { MemoryKv } from "../memoryKv.ts";
import type { KvChange } from "../kv.ts";
import { CommitQueue } from "./commitQueue.ts";
import { numberKey } from "./storeKeys.ts";
import { StoreSteps } from "./storeSteps.ts";

const TABLE = 2;

/** A store that counts its commits, and fails those for which it is told to. */
class CountedKv extends MemoryKv {
  commits = 0;
  fails = false;

  override commit(changes: readonly KvChange[]): void {
    this.commits += 1;
    if (this.fails) throw new SvcError("store/commit-failed", { reason: "no room" });
    super.commit(changes);
  }
}

function setUp(most = 100) {
  const kv = new CountedKv();
  return { kv, queue: new CommitQueue(new StoreSteps(kv, 1), most) };
}

it("writes what comes together in one commit, each step on top of those before it", async () => {
  const { kv, queue } = setUp();
  const key = numberKey(0n);
  const counts = await Promise.all(
    Array.from({ length: 20 }, () =>
      queue.run((batch) => {
        const next = (batch.get(TABLE, key)?.[0] ?? 0) + 1;
        batch.put(TABLE, key, Uint8Array.of(next));
        return next;
      }),
    ),
  );
  expect(counts).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
  expect(kv.commits).toBe(1);
  expect(kv.get(TABLE, key)).toEqual(Uint8Array.of(20));
});

it("leaves out a step that throws, and nothing of the others", async () => {
  const { kv, queue } = setUp();
  const put = (number: bigint) =>
    queue.run((batch) => batch.put(TABLE, numberKey(number), Uint8Array.of(1)));
  const failing = queue.run((batch) => {
    batch.put(TABLE, numberKey(9n), Uint8Array.of(1));
    throw new SvcError("amount/zero", {});
  });
  const results = await Promise.allSettled([put(1n), failing, put(2n)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(kv.get(TABLE, numberKey(9n))).toBeUndefined();
  expect(kv.get(TABLE, numberKey(2n))).toBeDefined();
});

it("settles nobody before the commit, and fails all of them with it", async () => {
  const { kv, queue } = setUp();
  kv.fails = true;
  const steps = [1n, 2n].map((number) =>
    rejectionCode(queue.run((batch) => batch.put(TABLE, numberKey(number), Uint8Array.of(1)))),
  );
  expect(await Promise.all(steps)).toEqual(["store/commit-failed", "store/commit-failed"]);
  kv.fails = false;
  await queue.run((batch) => batch.put(TABLE, numberKey(3n), Uint8Array.of(1)));
  expect(kv.get(TABLE, numberKey(1n))).toBeUndefined();
  expect(kv.get(TABLE, numberKey(3n))).toBeDefined();
});

it("refuses a step when too many wait", async () => {
  const { queue } = setUp(2);
  const steps = [1, 2, 3].map(() => rejectionCode(queue.run(() => undefined)));
  expect(await Promise.all(steps)).toEqual(["none", "none", "http/unavailable"]);
  await queue.idle();
});
