import { expect, test } from "vitest";
import { asDaaScore, asTxId } from "@svc/shared/base/brand.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { MemoryKv } from "../storage/memoryKv.ts";
import { META_TABLES } from "../storage/layout.ts";
import { PoolStore, type StoredTransaction } from "./poolStore.ts";

const stored = (n: number): StoredTransaction => ({
  txid: asTxId(n.toString(16).padStart(64, "0")),
  format: n % 2,
  addedAtDaa: asDaaScore(BigInt(n) << 40n),
  raw: new Uint8Array(n).fill(n),
});

/** All that is stored, `limit` rows at a time. Throws what one of them is that cannot be read. */
function loaded(store: PoolStore, limit = 2): StoredTransaction[] {
  const found: StoredTransaction[] = [];
  for (let from: Uint8Array | null = new Uint8Array(); from !== null;) {
    const page = store.page(from, limit);
    for (const row of page.rows) {
      if (row instanceof SvcError) throw row;
      found.push(row);
    }
    from = page.next;
  }
  return found;
}

test("what was put and not removed is loaded; changes of one turn share a commit", async () => {
  const kv = new MemoryKv();
  let flushes = 0;
  const pending: (() => void)[] = [];
  const store = new PoolStore(kv, (flush) => {
    flushes += 1;
    pending.push(flush);
  });
  const puts = [1, 2, 3].map((n) => store.put(stored(n)));
  const removed = store.remove(stored(2).txid);
  expect(flushes).toBe(1);
  expect(loaded(store)).toEqual([]);
  for (const flush of pending) flush();
  await Promise.all([...puts, removed]);
  for (const limit of [1, 2, 9]) expect(loaded(store, limit)).toEqual([stored(1), stored(3)]);
});

test("an acknowledgement is a commit: when it fails, so does the promise", async () => {
  const kv = new MemoryKv();
  const store = new PoolStore(kv, (flush) => setImmediate(flush));
  const put = store.put(stored(1));
  await kv.close();
  await expect(put).rejects.toThrow("store/read-failed");
});

test("a record of another version, form or length is corruption", () => {
  const reasonOf = (key: Uint8Array, value: Uint8Array): unknown => {
    const kv = new MemoryKv();
    kv.commit([{ table: META_TABLES.pool, key, value }]);
    try {
      return loaded(new PoolStore(kv, () => {})).length;
    } catch (error) {
      return error instanceof SvcError && error.code === "store/corrupt" && error.data["reason"];
    }
  };
  const key = new Uint8Array(32);
  const row = (...head: number[]): Uint8Array => Uint8Array.of(...head, 0, 0, 0, 0, 0, 0, 0, 0);
  expect(reasonOf(key, row(1, 1))).toBe(1);
  expect(reasonOf(key, row(9, 1))).toBe("unknown version");
  expect(reasonOf(key, row(1, 2))).toBe("unknown form");
  expect(reasonOf(key, row(1))).toBe("length");
  expect(reasonOf(key.subarray(1), row(1, 1))).toBe("length");
});
