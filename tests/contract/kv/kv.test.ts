/** The storage contract, run against every engine: reads, ranges, atomic commits, snapshots, reopening. */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Kv, KvChange, KvPair, KvRange, KvReader } from "@svc/node-server/storage/kv.ts";
import { compareBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { STORE_KINDS } from "./kvFixtures.ts";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

const put = (table: number, key: Uint8Array, value: Uint8Array): KvChange => ({
  table,
  key,
  value,
});

/** Bytes that differ by seed, long enough for a segment file when `length` is above 1 KiB. */
function filled(length: number, seed: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => (i * 31 + seed * 17 + (i >> 8)) & 0xff);
}

function plain(pairs: readonly KvPair[]): [string, string][] {
  return pairs.map(({ key, value }) => [encodeHex(key), encodeHex(value)]);
}

/** The contract in twenty lines: a sorted list per table. */
class Model {
  readonly #rows = new Map<string, { table: number; pair: KvPair }>();

  commit(changes: readonly KvChange[]): void {
    for (const { table, key, value } of changes) {
      const id = `${table}:${encodeHex(key)}`;
      if (value === null) this.#rows.delete(id);
      else this.#rows.set(id, { table, pair: { key, value } });
    }
  }

  range(range: KvRange): KvPair[] {
    const inside = [...this.#rows.values()]
      .filter((row) => row.table === range.table)
      .map((row) => row.pair)
      .filter(({ key }) => compareBytes(key, range.from) >= 0 && compareBytes(key, range.to) < 0)
      .toSorted((a, b) => compareBytes(a.key, b.key));
    return (range.reverse === true ? inside.toReversed() : inside).slice(0, range.limit);
  }
}

describe.each(STORE_KINDS)("store contract: $name", (kind) => {
  let folder: TemporaryFolder;
  let store: Kv;

  beforeEach(() => {
    folder = temporaryFolder();
    store = kind.open(folder.path);
  });

  afterEach(async () => {
    await store.close();
    folder.remove();
  });

  test("an absent key is undefined and a present empty value is not", () => {
    store.commit([put(1, bytes(1), bytes())]);
    expect(store.get(1, bytes(1))).toEqual(bytes());
    expect(store.get(1, bytes(2))).toBeUndefined();
    expect(store.get(2, bytes(1))).toBeUndefined();
  });

  test("keys of one table never show in another, prefixes and the empty key included", () => {
    store.commit([
      put(1, bytes(), bytes(1)),
      put(1, bytes(2), bytes(2)),
      put(2, bytes(), bytes(3)),
    ]);
    expect(store.get(1, bytes())).toEqual(bytes(1));
    expect(store.get(2, bytes())).toEqual(bytes(3));
    const all = { table: 1, from: bytes(), to: bytes(0xff, 0xff), limit: 10 };
    expect(plain(store.range(all))).toEqual([
      ["", "01"],
      ["02", "02"],
    ]);
  });

  test("the last change of a key in a batch wins", () => {
    store.commit([put(1, bytes(1), bytes(1)), put(1, bytes(1), bytes(2))]);
    expect(store.get(1, bytes(1))).toEqual(bytes(2));
    store.commit([
      put(1, bytes(1), bytes(3)),
      { table: 1, key: bytes(1), value: null },
      { table: 1, key: bytes(9), value: null },
    ]);
    expect(store.get(1, bytes(1))).toBeUndefined();
  });

  test("values of every size come back as written, large tables and others", () => {
    const sizes = [0, 1, 1023, 1024, 1025, 4096, 70_000, 300_000];
    store.commit(
      sizes.flatMap((n) => [
        put(3, bytes(n & 255, (n >> 8) & 255, n >> 16), filled(n, n)),
        put(2, bytes(n & 255, (n >> 8) & 255, n >> 16), filled(n, n + 1)),
      ]),
    );
    for (const n of sizes) {
      const key = bytes(n & 255, (n >> 8) & 255, n >> 16);
      expect(store.get(3, key)).toEqual(filled(n, n));
      expect(store.get(2, key)).toEqual(filled(n, n + 1));
    }
    const page = store.range({ table: 3, from: bytes(), to: bytes(255, 255, 255), limit: 100 });
    expect(page.map((pair) => pair.value.length).toSorted((a, b) => a - b)).toEqual(sizes);
  });

  test("what a caller does with its bytes afterwards changes nothing stored", () => {
    const key = bytes(1, 2);
    const value = filled(2000, 1);
    store.commit([put(1, key, value), put(3, key, value)]);
    value.fill(0);
    key.fill(0);
    for (const table of [1, 3]) {
      const read = store.get(table, bytes(1, 2));
      expect(read).toEqual(filled(2000, 1));
      read?.fill(7);
      expect(store.get(table, bytes(1, 2))).toEqual(filled(2000, 1));
    }
  });

  test("a refused batch leaves nothing behind", () => {
    store.commit([put(1, bytes(1), bytes(1))]);
    const refused = new Uint8Array(600);
    expect(() =>
      store.commit([
        put(1, bytes(1), bytes(2)),
        put(3, bytes(1), filled(5000, 3)),
        put(1, refused, bytes(1)),
      ]),
    ).toThrow("store/commit-failed");
    expect(store.get(1, bytes(1))).toEqual(bytes(1));
    expect(store.get(3, bytes(1))).toBeUndefined();
    store.commit([put(3, bytes(2), filled(5000, 4))]);
    expect(store.get(3, bytes(2))).toEqual(filled(5000, 4));
  });

  test("a snapshot stays where it was while commits go on", () => {
    store.commit([put(1, bytes(1), bytes(1)), put(3, bytes(1), filled(3000, 1))]);
    const before = store.snapshot();
    store.commit([
      put(1, bytes(1), bytes(2)),
      put(1, bytes(2), bytes(2)),
      put(3, bytes(1), filled(3000, 2)),
    ]);
    const after = store.snapshot();
    const all = { table: 1, from: bytes(), to: bytes(255), limit: 10 };
    expect(before.get(1, bytes(1))).toEqual(bytes(1));
    expect(before.get(3, bytes(1))).toEqual(filled(3000, 1));
    expect(plain(before.range(all))).toEqual([["01", "01"]]);
    expect(after.get(1, bytes(1))).toEqual(bytes(2));
    expect(after.get(3, bytes(1))).toEqual(filled(3000, 2));
    before.close();
    before.close();
    expect(() => before.get(1, bytes(1))).toThrow("store/read-failed");
    expect(after.get(1, bytes(2))).toEqual(bytes(2));
    after.close();
  });

  test("a commit is seen at once, whichever snapshots are open", () => {
    const open: KvReader[] = [];
    for (let n = 1; n <= 6; n += 1) {
      store.commit([put(1, bytes(1), bytes(n)), put(3, bytes(1), filled(3000, n))]);
      expect(store.get(1, bytes(1))).toEqual(bytes(n));
      expect(store.get(3, bytes(1))).toEqual(filled(3000, n));
      if (n % 2 === 0) open.push(store.snapshot());
    }
    open.forEach((snapshot, i) => {
      expect(snapshot.get(3, bytes(1))).toEqual(filled(3000, 2 * i + 2));
      snapshot.close();
    });
  });

  test("a closed store refuses every call", async () => {
    await store.close();
    await store.close();
    expect(() => store.get(1, bytes(1))).toThrow("store/read-failed");
    expect(() => store.commit([])).toThrow("store/read-failed");
    expect(() => store.snapshot()).toThrow("store/read-failed");
  });

  test.runIf(kind.durable)("everything committed is there after closing and opening", async () => {
    for (let i = 0; i < 40; i += 1) {
      store.commit([put(1, bytes(i), bytes(i, i)), put(20, bytes(i), filled(5000 + i, i))]);
    }
    await store.close();
    store = kind.open(folder.path);
    for (let i = 0; i < 40; i += 1) {
      expect(store.get(1, bytes(i))).toEqual(bytes(i, i));
      expect(store.get(20, bytes(i))).toEqual(filled(5000 + i, i));
    }
    store.commit([put(20, bytes(200), filled(9000, 9))]);
    expect(store.get(20, bytes(200))).toEqual(filled(9000, 9));
  });

  test("agrees with a sorted list on any history", async () => {
    const key = fc.uint8Array({ maxLength: 3 });
    const table = fc.constantFrom(1, 3, 20);
    const value = fc.option(
      fc.tuple(fc.constantFrom(0, 3, 1025, 2000), fc.nat(255)).map(([n, seed]) => filled(n, seed)),
      { freq: 3 },
    );
    const change = fc.record({ table, key, value });
    const range = fc.record({ table, from: key, to: key, limit: fc.nat(6), reverse: fc.boolean() });
    const step = fc.record({
      changes: fc.array(change, { maxLength: 8 }),
      ranges: fc.array(range, { maxLength: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), async (steps) => {
        const place = temporaryFolder();
        const fresh = kind.open(place.path);
        const model = new Model();
        for (const { changes, ranges } of steps) {
          fresh.commit(changes);
          model.commit(changes);
          for (const asked of ranges) {
            expect(plain(fresh.range(asked))).toEqual(plain(model.range(asked)));
          }
        }
        await fresh.close();
        place.remove();
      }),
      { numRuns: kind.durable ? 15 : 200 },
    );
  });
});
