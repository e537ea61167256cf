/** Stores on a file system that fills up, and in address space that does: refused with a code of its own, nothing lost. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";
import { commitBytes } from "@svc/node-server/storage/diskSpace.ts";
import type { KvChange } from "@svc/node-server/storage/kv.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { auditSegments } from "@svc/node-server/storage/testkit/auditSegments.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { batchOf, findTorn, lastBatch } from "./kvBatches.ts";
import { LARGE, segmentFolder, STORE_KINDS, storeKind, type StoreKind } from "./kvFixtures.ts";
import { SmallDisk, smallDiskRefusal } from "../../testkit/smallDisk.ts";

const MIB = 1024 * 1024;
const writer = fileURLToPath(new URL("fullDiskWriter.ts", import.meta.url));
const refusal = smallDiskRefusal();
const skipped = refusal === null ? "" : ` (skipped: ${refusal})`;

/** Commits that make a database grow: how many values, of how many bytes. The first fills many new pages with small ones. */
const GROWING = [
  [20_000, 40],
  [1, 10],
  [400, 32],
  [40, 9_000],
  [2_000, 300],
  [300, 2_100],
  [9, 200_000],
  [3_000, 40],
] as const;

type Refused = {
  readonly acknowledged: number;
  readonly code: string;
  readonly data: Readonly<Record<string, string>>;
};

/** Commits until so many commits were refused; returns all refusals. */
async function fill(
  kind: StoreKind,
  folder: string,
  { reserve = "", more = 0 } = {},
): Promise<readonly Refused[]> {
  const child = spawn(process.execPath, [writer, kind.name, folder, reserve, `${more}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const refusals: Refused[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    refusals.push(JSON.parse(line));
  }
  expect(await exited).toEqual([0, null]);
  return refusals;
}

/** Bytes that a database has on the disk: pages that were never written take none. */
function sizeOf(folder: string): number {
  return statSync(join(folder, "data.mdb")).blocks * 512;
}

/** Opens a store with room again: every acknowledged batch is whole, and no other is there; then one more goes in. */
async function expectWhole(kind: StoreKind, folder: string, acknowledged: number): Promise<void> {
  const store = kind.open(folder, undefined, 0);
  expect(lastBatch(store)).toBe(acknowledged);
  expect(findTorn(store)).toBeNull();
  store.commit(batchOf(acknowledged + 1));
  expect(findTorn(store)).toBeNull();
  await store.close();
  if (!kind.segments) return;
  const inner = new LmdbKv({ path: folder, readOnly: true });
  expect(auditSegments(inner, { folder: segmentFolder(folder), large: LARGE })).toEqual([]);
  await inner.close();
}

describe.skipIf(refusal !== null).each(STORE_KINDS.filter((kind) => kind.durable))(
  `on a small file system: $name${skipped}`,
  (kind) => {
    let disk: SmallDisk;
    beforeEach(async () => {
      disk = await SmallDisk.make(12 * MIB);
    });
    afterEach(() => disk.remove());

    test("a commit that could reach into the reserve is refused before anything is written", async () => {
      const reserve = 4 * MIB;
      const [refused] = await fill(kind, disk.path, { reserve: `${reserve}` });
      expect(refused).toMatchObject({ code: "store/no-room" });
      expect(refused?.data["folder"]).toContain(disk.path);
      expect(disk.free).toBeGreaterThanOrEqual(reserve);
      // It is used up to there, and not refused long before.
      expect(disk.free).toBeLessThan(reserve + 3 * MIB);
      expect(refused?.acknowledged).toBeGreaterThan(50);
      await expectWhole(kind, disk.path, refused?.acknowledged ?? 0);
    });

    test("the reserve of a node is left on any disk", async () => {
      disk.leave(STORAGE_LIMITS.diskReserveBytes);
      const [refused] = await fill(kind, disk.path);
      expect(refused).toMatchObject({ acknowledged: 0, code: "store/no-room" });
      expect(Number(refused?.data["neededMib"])).toBeGreaterThan(
        STORAGE_LIMITS.diskReserveBytes / MIB,
      );
    });

    test("a disk that is full all the same refuses with the same code, and loses nothing acknowledged", async () => {
      const [first, ...later] = await fill(kind, disk.path, { reserve: "-1e12", more: 20 });
      expect(disk.free).toBeLessThan(MIB);
      expect(first?.acknowledged).toBeGreaterThan(50);
      expect([first, ...later].map((refused) => refused?.code)).toEqual(
        Array.from({ length: 21 }, () => "store/no-room"),
      );
      disk.leave(4 * MIB);
      await expectWhole(kind, disk.path, later.at(-1)?.acknowledged ?? 0);
    });
  },
);

describe.skipIf(refusal !== null)(`segment files alone on a small file system${skipped}`, () => {
  test("a payload that the disk takes in part is refused with the same code, and what is there stays readable", async () => {
    const disk = await SmallDisk.make(2 * MIB);
    onTestFinished(() => disk.remove());
    const kind = storeKind("memory with segments");
    const store = kind.open(disk.path, undefined, -1e12);
    let number = 0;
    const fillUp = (): void => {
      while (number < 2_000) {
        store.commit(batchOf(number + 1));
        number += 1;
      }
    };
    for (let turn = 0; turn < 5; turn += 1) expect(fillUp).toThrow("store/no-room");
    expect(disk.free).toBeLessThan(64 * 1024);
    expect(number).toBeGreaterThan(20);
    expect([lastBatch(store), findTorn(store)]).toEqual([number, null]);
    disk.leave(MIB);
    store.commit(batchOf(number + 1));
    expect(findTorn(store)).toBeNull();
    await store.close();
  });
});

describe("address space that is full", () => {
  test("a commit that does not fit is refused with a code of its own, and what was there stays", async () => {
    const folder = temporaryFolder();
    const open = (): LmdbKv => new LmdbKv({ path: folder.path, mapBytes: 4 * MIB });
    const store = open();
    let number = 0;
    const fillUp = (): void => {
      // The binding itself would go on beyond any bound.
      while (number < 2_000) {
        store.commit(batchOf(number + 1));
        number += 1;
      }
    };
    for (let turn = 0; turn < 5; turn += 1) expect(fillUp).toThrow("store/map-full");
    expect(number).toBeGreaterThan(20);
    expect(statSync(join(folder.path, "data.mdb")).size).toBeLessThanOrEqual(4 * MIB);
    expect(findTorn(store)).toBeNull();
    await store.close();
    const again = open();
    expect([lastBatch(again), findTorn(again)]).toEqual([number, null]);
    await again.close();
    folder.remove();
  });
});

describe("the bound of a commit", () => {
  test("no commit makes a database grow by more, however its keys lie", async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const store = new LmdbKv({ path: folder.path });
    let state = 7;
    const chance = (): number => (state = (state * 48_271) % 0x7fff_ffff);
    const keys: Uint8Array[] = [];
    const rows = (count: number, bytes: number): KvChange[] =>
      Array.from({ length: count }, () => {
        const key = new Uint8Array(32);
        new DataView(key.buffer).setUint32(0, chance());
        keys.push(key);
        return { table: 1, key, value: new Uint8Array(bytes) };
      });
    const commit = (changes: readonly KvChange[]): void => {
      const before = sizeOf(folder.path);
      store.commit(changes);
      expect(sizeOf(folder.path) - before).toBeLessThanOrEqual(commitBytes(changes, before));
    };
    for (const [count, bytes] of GROWING) commit(rows(count, bytes));
    // Removing what is spread over all pages copies them, and adds nothing.
    const spread = keys.filter((_, index) => index % 20 === 0);
    commit(spread.map((key) => ({ table: 1, key, value: null })));
    await store.close();
  });
});
