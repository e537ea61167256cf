import { appendFileSync, existsSync, readFileSync, statSync, truncateSync } from "node:fs";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Kv, KvChange } from "./kv.ts";
import { MemoryKv } from "./memoryKv.ts";
import { SegmentedKv } from "./segmentedKv.ts";

const FILE_BYTES = 10_000;
const LARGE = new Set([3]);
const key = (n: number): Uint8Array => Uint8Array.of(n);
const value = (n: number, length = 3000): Uint8Array => new Uint8Array(length).fill(n);
const put = (n: number, length?: number): KvChange => ({
  table: 3,
  key: key(n),
  value: value(n, length),
});

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

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "svc-segments-"));
    inner = new FailingKv();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

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
      const damaged = Buffer.from(bytes);
      damaged[position] = (damaged[position] ?? 0) ^ 1;
      writeFileSync(file(1), damaged);
      const store = open();
      expect(() => store.get(3, key(1))).toThrow("store/corrupt");
      expect(store.get(3, key(2))).toEqual(value(2));
    }
  });

  test("a file shorter than its recorded tail is refused at start", () => {
    open().commit([put(1)]);
    truncateSync(file(1), 3000);
    expect(open).toThrow("store/corrupt");
    rmSync(file(1));
    expect(open).toThrow("store/corrupt");
  });
});
