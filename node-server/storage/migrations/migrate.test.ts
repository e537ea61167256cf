import { expect, test } from "vitest";
import type { Kv } from "../kv.ts";
import type { DatabaseLayout } from "../layout.ts";
import { MemoryKv } from "../memoryKv.ts";
import type { Migration } from "./migration.ts";
import { migrate } from "./migrate.ts";

const row = (n: number): Uint8Array => Uint8Array.of(n);

function layout(version: number, migrations: readonly Migration[] = []): DatabaseLayout {
  return { name: "test", version, tables: [], migrations };
}

/** Adds `by` to the one row, in two batches, the first without effect on the result. */
function adding(from: number, by: number): Migration {
  return {
    from,
    title: `adds ${by}`,
    *steps(store: Kv) {
      yield [{ table: 2, key: row(0), value: row(from) }];
      yield [{ table: 1, key: row(0), value: row((store.get(1, row(0))?.[0] ?? 0) + by) }];
    },
  };
}

test("an empty store gets the current version and no steps", () => {
  const store = new MemoryKv();
  expect(migrate(store, layout(3))).toEqual({ found: null, steps: [] });
  expect(migrate(store, layout(3))).toEqual({ found: 3, steps: [] });
});

test("missing steps run once, in order", () => {
  const store = new MemoryKv();
  migrate(store, layout(1));
  store.commit([{ table: 1, key: row(0), value: row(5) }]);
  const current = layout(3, [adding(2, 10), adding(1, 1)]);
  expect(migrate(store, current)).toEqual({ found: 1, steps: ["adds 1", "adds 10"] });
  expect(migrate(store, current).steps).toEqual([]);
  expect(store.get(1, row(0))).toEqual(row(16));
});

test("an interrupted step runs again", () => {
  const store = new MemoryKv();
  migrate(store, layout(1));
  const broken: Migration = {
    from: 1,
    title: "breaks",
    *steps() {
      yield [{ table: 2, key: row(0), value: row(9) }];
      yield [{ table: 2, key: row(1), value: row(9) }];
      throw new Error("killed");
    },
  };
  expect(() => migrate(store, layout(2, [broken]))).toThrow("killed");
  expect(migrate(store, layout(2, [adding(1, 7)])).steps).toEqual(["adds 7"]);
  expect(store.get(1, row(0))).toEqual(row(7));
});

test("a newer store and a missing step are refused and change nothing", () => {
  const store = new MemoryKv();
  migrate(store, layout(2));
  expect(() => migrate(store, layout(1))).toThrow("store/version (expected=1, found=2)");
  expect(() => migrate(store, layout(4, [adding(3, 1)]))).toThrow("store/version");
  expect(migrate(store, layout(2)).found).toBe(2);
});
