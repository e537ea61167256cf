/** Stores of older and newer host layouts: migrated whole or refused untouched. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HOST_TABLE, NEXT_SEGMENT_KEY, VERSION_KEY } from "@svc/node-server/storage/hostTable.ts";
import { KEYS_END, type Kv, type KvChange } from "@svc/node-server/storage/kv.ts";
import { CONSENSUS_LAYOUT, largeTables } from "@svc/node-server/storage/layout.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { locatedRow } from "@svc/node-server/storage/segmentLocator.ts";
import { auditSegments } from "@svc/node-server/storage/testkit/auditSegments.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { consensusFolders, hostFixture, writeHostFixture } from "./hostFixture.ts";

const FIXTURE = hostFixture();
const LARGE = largeTables(CONSENSUS_LAYOUT);
const program = fileURLToPath(new URL("dyingMigration.ts", import.meta.url));

const rowsOf = (store: Kv): string[] =>
  CONSENSUS_LAYOUT.tables.flatMap(({ number }) =>
    store
      .range({ table: number, from: new Uint8Array(), to: KEYS_END, limit: 1000 })
      .map(({ key, value }) => `${number} ${encodeHex(key)} ${encodeHex(value)}`),
  );
const expected = FIXTURE.read.map(
  ({ table, key, value }) => `${table} ${encodeHex(key)} ${encodeHex(value)}`,
);

describe("host layout of the engine's database", () => {
  let root: string;
  let remove: () => void;
  beforeEach(() => ({ path: root, remove } = temporaryFolder()));
  afterEach(() => remove());

  const folder = (): string => consensusFolders(root).segments;
  const contents = (): string[] =>
    readdirSync(folder()).map((name) => `${name} ${encodeHex(readFileSync(join(folder(), name)))}`);

  async function audit(): Promise<string[]> {
    const inner = new LmdbKv({ path: consensusFolders(root).path, readOnly: true });
    const wrong = auditSegments(inner, { folder: folder(), large: LARGE });
    await inner.close();
    return wrong;
  }

  test("layout 1 becomes 2: every value is there, every file is counted, the torn end is gone", async () => {
    await writeHostFixture(root, FIXTURE);
    const { store, migration } = await openStore(root, CONSENSUS_LAYOUT);
    expect(migration.found).toBe(1);
    expect(migration.steps).toHaveLength(1);
    expect(rowsOf(store)).toEqual(expected);
    expect(readdirSync(folder())).toEqual([1, 2, 3, 4, 5, 6].map((n) => `0000000${n}.seg`));
    expect(statSync(join(folder(), "00000006.seg")).size).toBe(0x1bd3);
    await store.close();
    expect(await audit()).toEqual([]);
    const again = await openStore(root, CONSENSUS_LAYOUT);
    expect(again.migration).toEqual({ found: 2, steps: [] });
    expect(rowsOf(again.store)).toEqual(expected);
    await again.store.close();
  });

  test("old files go with their last value, whichever table it is of; new values go to new files", async () => {
    await writeHostFixture(root, FIXTURE);
    const { store } = await openStore(root, CONSENSUS_LAYOUT);
    const large = FIXTURE.read.filter(({ table }) => LARGE.has(table));
    const without = (table: number): void =>
      store.commit(large.flatMap((row) => (row.table === table ? [{ ...row, value: null }] : [])));
    without(3);
    expect(readdirSync(folder())).toHaveLength(6);
    without(18);
    without(20);
    expect(readdirSync(folder())).toEqual([]);
    store.commit(large);
    expect(readdirSync(folder())).toEqual([7, 8, 9].map((n) => `0000000${n}.seg`));
    expect(rowsOf(store)).toEqual(expected);
    await store.close();
    expect(await audit()).toEqual([]);
  });

  test.each([
    ["before a file begins", 1],
    ["after a file begins", 2],
  ])("a migration killed %s leaves layout %i whole", async (point, found) => {
    await writeHostFixture(root, FIXTURE);
    const { signal } = spawnSync(process.execPath, [program, root, point], { stdio: "inherit" });
    expect(signal).toBe("SIGKILL");
    const { store, migration } = await openStore(root, CONSENSUS_LAYOUT);
    expect(migration.found).toBe(found);
    expect(rowsOf(store)).toEqual(expected);
    await store.close();
    expect(await audit()).toEqual([]);
  });

  test("a store of layout 1 without large values becomes one of layout 2", async () => {
    const stored = FIXTURE.stored.filter(
      ({ table, key }) => table === 2 || Buffer.compare(key, VERSION_KEY) === 0,
    );
    await writeHostFixture(root, { ...FIXTURE, stored, files: [] });
    const { store, migration } = await openStore(root, CONSENSUS_LAYOUT);
    expect(migration.found).toBe(1);
    store.commit(FIXTURE.read);
    expect(rowsOf(store)).toEqual(expected);
    await store.close();
    expect(await audit()).toEqual([]);
  });

  test.each<[string, KvChange, string]>([
    [
      "a newer layout",
      { table: HOST_TABLE, key: VERSION_KEY, value: Uint8Array.of(9, 0, 0, 0) },
      "store/version",
    ],
    [
      "a value behind the tail",
      {
        table: 20,
        key: Uint8Array.of(1),
        value: locatedRow({ segment: 6, offset: 0x1bd3 + 8, length: 1 }),
      },
      "store/corrupt",
    ],
    [
      "a damaged tail",
      { table: HOST_TABLE, key: NEXT_SEGMENT_KEY, value: new Uint8Array(7) },
      "store/corrupt",
    ],
  ])("%s is refused, and no file is touched", async (_, change, code) => {
    await writeHostFixture(root, FIXTURE, [change]);
    const before = contents();
    await expect(openStore(root, CONSENSUS_LAYOUT)).rejects.toThrow(code);
    expect(contents()).toEqual(before);
  });

  test("the row that a build of layout 1 would take for its tail is none to it", async () => {
    const { store } = await openStore(root, CONSENSUS_LAYOUT);
    store.commit(FIXTURE.read);
    await store.close();
    const inner = new LmdbKv({ path: consensusFolders(root).path, readOnly: true });
    // That build reads this row before it looks at the version, and refuses any length but eight.
    expect(inner.get(HOST_TABLE, NEXT_SEGMENT_KEY)).toHaveLength(5);
    await inner.close();
  });
});
