import { appendFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { withFlippedBit } from "@svc/shared/base/testkit/flipBits.ts";
import { folderOfTest } from "../platform/testkit/folderOfTest.ts";
import { HOST_TABLE, segmentKey } from "./hostTable.ts";
import type { Kv, KvChange } from "./kv.ts";
import { MemoryKv } from "./memoryKv.ts";
import { nextSegmentRow, segmentRow } from "./segmentRefCounts.ts";
import { SegmentedKv } from "./segmentedKv.ts";
import { auditSegments } from "./testkit/auditSegments.ts";

const FILE_BYTES = 10_000;
const LARGE = new Set([3, 20]);
const key = (n: number): Uint8Array => Uint8Array.of(n);
const value = (n: number, length = 3000): Uint8Array => new Uint8Array(length).fill(n);
const put = (n: number, length?: number, table = 3): KvChange => ({
  table,
  key: key(n),
  value: value(n, length),
});
const remove = (n: number, table = 3): KvChange => ({ table, key: key(n), value: null });

/** A store whose next commits fail, as on a full disk. */
class FailingKv extends MemoryKv {
  failing = false;

  override commit(changes: readonly KvChange[]): void {
    if (this.failing) throw new SvcError("store/commit-failed", { reason: "no space" });
    super.commit(changes);
  }
}

describe("segment files", () => {
  let folder: string;
  let inner: FailingKv;
  const open = (): Kv => new SegmentedKv(inner, { folder, large: LARGE, fileBytes: FILE_BYTES });
  const file = (n: number): string => join(folder, `${String(n).padStart(8, "0")}.seg`);
  const files = (): number[] =>
    readdirSync(folder)
      .map((name) => Number.parseInt(name, 10))
      .toSorted((a, b) => a - b);
  const audit = (): string[] => auditSegments(inner, { folder, large: LARGE });

  beforeEach(() => {
    folder = folderOfTest();
    inner = new FailingKv();
  });

  test("a value that does not fit goes to the next file; one larger than a file has its own", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(4), put(5, 25_000), put(6)]);
    expect(statSync(file(1)).size).toBe(3 * 3008);
    expect(statSync(file(2)).size).toBe(3008);
    expect(statSync(file(3)).size).toBe(25_008);
    expect(statSync(file(4)).size).toBe(3008);
    expect(store.get(3, key(5))).toEqual(value(5, 25_000));
    expect(store.get(3, key(6))).toEqual(value(6));
  });

  test("bytes behind the recorded tail and later files are cut at start", () => {
    open().commit([put(1)]);
    appendFileSync(file(1), value(9, 777));
    writeFileSync(file(2), value(9, 50));
    const store = open();
    expect(statSync(file(1)).size).toBe(3008);
    expect(existsSync(file(2))).toBe(false);
    store.commit([put(2)]);
    expect(store.get(3, key(1))).toEqual(value(1));
    expect(store.get(3, key(2))).toEqual(value(2));
  });

  test("a first append that was never committed is cut too", () => {
    inner.failing = true;
    expect(() => open().commit([put(1)])).toThrow("store/commit-failed");
    expect(statSync(file(1)).size).toBe(3008);
    inner.failing = false;
    const store = open();
    expect(existsSync(file(1))).toBe(false);
    expect(store.get(3, key(1))).toBeUndefined();
  });

  test("after a failed commit the next one overwrites what was not acknowledged", () => {
    const store = open();
    store.commit([put(1)]);
    inner.failing = true;
    expect(() => store.commit([put(2), put(3), put(4)])).toThrow("store/commit-failed");
    inner.failing = false;
    store.commit([put(5), put(6), put(7)]);
    expect(store.get(3, key(2))).toBeUndefined();
    for (const n of [1, 5, 6, 7]) expect(store.get(3, key(n))).toEqual(value(n));
    expect(open().get(3, key(7))).toEqual(value(7));
  });

  test("a flipped byte in a record is corruption, not a value", () => {
    open().commit([put(1), put(2)]);
    const bytes = readFileSync(file(1));
    for (const position of [0, 4, 8, 3007]) {
      writeFileSync(file(1), withFlippedBit(bytes, position));
      const store = open();
      expect(() => store.get(3, key(1))).toThrow(`store/damaged (file=${file(1)}`);
      expect(store.get(3, key(2))).toEqual(value(2));
    }
  });

  test("a file that is missing or shorter than its account is refused at start, the full ones too", () => {
    open().commit([put(1), put(2), put(3), put(4)]);
    for (const n of [1, 2]) {
      const bytes = readFileSync(file(n));
      truncateSync(file(n), bytes.length - 1);
      expect(open).toThrow(`store/damaged (file=${file(n)}`);
      rmSync(file(n));
      expect(open).toThrow(`store/damaged (file=${file(n)}`);
      // Nothing was brought to an account that does not hold.
      expect(files()).toEqual([1, 2].filter((left) => left !== n));
      writeFileSync(file(n), bytes);
    }
    expect(open().get(3, key(4))).toEqual(value(4));
  });

  test("tables do not share a file", () => {
    const store = open();
    store.commit([put(1), put(1, 2000, 20), put(2)]);
    store.commit([put(3), put(2, 2000, 20)]);
    expect(files()).toEqual([1, 2]);
    expect(statSync(file(1)).size).toBe(3 * 3008);
    expect(statSync(file(2)).size).toBe(2 * 2008);
    expect(open().get(20, key(2))).toEqual(value(2, 2000));
    expect(audit()).toEqual([]);
  });

  test("a file goes with its last reference, wherever the other table's values are", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(1, 2000, 20)]);
    store.commit([put(4), put(2, 2000, 20)]);
    expect(files()).toEqual([1, 2, 3]);
    store.commit([remove(1), remove(2)]);
    expect(files()).toEqual([1, 2, 3]);
    store.commit([remove(3)]);
    expect(files()).toEqual([2, 3]);
    expect(inner.get(HOST_TABLE, segmentKey(1))).toBeUndefined();
    expect(store.get(3, key(4))).toEqual(value(4));
    expect(store.get(20, key(1))).toEqual(value(1, 2000));
    expect(audit()).toEqual([]);
  });

  test("a value written anew leaves its old place; a short one leaves the files", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(4)]);
    store.commit([put(1, 2500), put(2, 10), put(3, 2500)]);
    expect(files()).toEqual([2]);
    expect(store.get(3, key(2))).toEqual(value(2, 10));
    expect(audit()).toEqual([]);
  });

  test("only the last change of a key in a batch is written and counted", () => {
    const store = open();
    store.commit([put(1), put(1, 2000), put(2), remove(2), remove(3), put(3), put(1, 1500)]);
    expect(statSync(file(1)).size).toBe(3008 + 1508);
    expect(audit()).toEqual([]);
    store.commit([remove(1), put(1), remove(1), remove(3), remove(9)]);
    expect(store.range({ table: 3, from: key(0), to: key(9), limit: 9 })).toEqual([]);
    expect(audit()).toEqual([]);
  });

  test("the file that a table appends to stays when it is empty and goes when the table moves on", () => {
    const store = open();
    store.commit([put(1), put(2)]);
    store.commit([remove(1), remove(2)]);
    expect(files()).toEqual([1]);
    const again = open();
    again.commit([put(3)]);
    again.commit([remove(3)]);
    again.commit([put(4, 5000)]);
    expect(files()).toEqual([2]);
    expect(audit()).toEqual([]);
  });

  test("numbers are never given twice, not even after a failed commit or a start", () => {
    const store = open();
    store.commit([put(1, 20_000), put(2, 20_000)]);
    store.commit([remove(1), remove(2), put(3, 20_000)]);
    expect(files()).toEqual([3]);
    inner.failing = true;
    expect(() => store.commit([put(4, 20_000)])).toThrow("store/commit-failed");
    expect(files()).toEqual([3, 4]);
    inner.failing = false;
    const again = open();
    expect(files()).toEqual([3]);
    again.commit([put(5, 20_000), remove(3)]);
    expect(files()).toEqual([4]);
    expect(audit()).toEqual([]);
  });

  test("a failed commit takes no reference and removes no file", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(4)]);
    inner.failing = true;
    expect(() => store.commit([remove(1), remove(2), remove(3)])).toThrow("store/commit-failed");
    inner.failing = false;
    expect(files()).toEqual([1, 2]);
    expect(store.get(3, key(3))).toEqual(value(3));
    store.commit([remove(1)]);
    expect(audit()).toEqual([]);
    store.commit([remove(2), remove(3)]);
    expect(files()).toEqual([2]);
  });

  test("a file stays as long as somebody looks at a commit that needs it", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(4)]);
    const before = store.snapshot();
    store.commit([remove(1), remove(2), remove(3)]);
    const after = store.snapshot();
    store.commit([put(5, 100)]);
    expect(files()).toEqual([1, 2]);
    expect(before.get(3, key(1))).toEqual(value(1));
    before.close();
    store.commit([put(6, 100)]);
    expect(files()).toEqual([2]);
    expect(after.get(3, key(1))).toBeUndefined();
    expect(after.get(3, key(4))).toEqual(value(4));
    after.close();
  });

  test("a reader that outlives the appender keeps the files it needs", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(4)]);
    const before = store.snapshot();
    store.commit([remove(1), remove(2), remove(3)]);
    writeFileSync(file(3), value(9, 50));
    const again = open();
    expect(files()).toEqual([1, 2]);
    expect(before.get(3, key(1))).toEqual(value(1));
    again.commit([put(5, 9_000)]);
    expect(files()).toEqual([1, 2, 3]);
    expect(before.get(3, key(2))).toEqual(value(2));
    before.close();
    again.commit([put(6, 100)]);
    expect(files()).toEqual([2, 3]);
    expect(again.get(3, key(5))).toEqual(value(5, 9_000));
    expect(audit()).toEqual([]);
  });

  test("a struck file that a killed process left behind goes at start", () => {
    const store = open();
    store.commit([put(1), put(2), put(3), put(4)]);
    const bytes = readFileSync(file(1));
    store.commit([remove(1), remove(2), remove(3)]);
    writeFileSync(file(1), bytes);
    const again = open();
    expect(files()).toEqual([2]);
    expect(again.get(3, key(4))).toEqual(value(4));
  });

  test("an account that cannot be is refused", () => {
    const store = open();
    store.commit([put(1)]);
    const row = { table: 3, length: 3008, references: 0 };
    inner.commit([segmentRow(1, row)]);
    expect(() => open().commit([remove(1)])).toThrow("store/corrupt");
    inner.commit([{ table: HOST_TABLE, key: segmentKey(1), value: null }]);
    expect(() => open().commit([remove(1)])).toThrow("store/corrupt");
    inner.commit([segmentRow(1, { ...row, length: 0, references: 1 }), nextSegmentRow(1)]);
    expect(open).toThrow("store/corrupt");
    const { value: bytes } = segmentRow(1, row);
    inner.commit([
      { table: HOST_TABLE, key: segmentKey(1), value: (bytes ?? value(0)).subarray(1) },
      nextSegmentRow(2),
    ]);
    expect(open).toThrow("store/corrupt");
  });

  test("more files than may be open at once", () => {
    const store = open();
    const count = STORAGE_LIMITS.segmentOpenFiles + 20;
    for (let n = 0; n < count; n += 1) store.commit([put(n, 9_999)]);
    for (let n = 0; n < count; n += 1) expect(store.get(3, key(n))).toEqual(value(n, 9_999));
    store.commit(Array.from({ length: count }, (_, n) => remove(n)));
    expect(files()).toEqual([count]);
    expect(audit()).toEqual([]);
  });

  test("account, rows and folder agree after any history with failures and restarts", () => {
    const change = fc.record({
      n: fc.nat(12),
      table: fc.constantFrom(3, 20),
      length: fc.option(fc.constantFrom(10, 1025, 3000, 12_000), { freq: 2 }),
    });
    const step = fc.record({
      changes: fc.array(change, { maxLength: 6 }),
      ending: fc.constantFrom("go on", "go on", "fail", "restart"),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        rmSync(folder, { recursive: true, force: true });
        inner = new FailingKv();
        let store = open();
        const model = new Map<string, Uint8Array>();
        for (const { changes, ending } of steps) {
          const batch = changes.map(({ n, table, length }) =>
            length === null ? remove(n, table) : put(n, length, table),
          );
          inner.failing = ending === "fail";
          if (inner.failing) expect(() => store.commit(batch)).toThrow("store/commit-failed");
          else {
            store.commit(batch);
            for (const row of batch) {
              if (row.value === null) model.delete(`${row.table}:${row.key[0]}`);
              else model.set(`${row.table}:${row.key[0]}`, row.value);
            }
          }
          inner.failing = false;
          if (ending === "restart") store = open();
          if (ending !== "fail") expect(audit().filter((text) => !/nobody/.test(text))).toEqual([]);
        }
        store = open();
        expect(audit()).toEqual([]);
        for (const table of LARGE) {
          for (let n = 0; n <= 12; n += 1) {
            expect(store.get(table, key(n))).toEqual(model.get(`${table}:${n}`));
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
