/** Who still looks at an older commit: snapshots of this thread, of other processes, and of killed ones. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { BaseKv } from "@svc/node-server/storage/kv.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { MemoryKv } from "@svc/node-server/storage/memoryKv.ts";
import { auditSegments } from "@svc/node-server/storage/testkit/auditSegments.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { batchOf, findTorn, KEPT_BATCHES } from "./kvBatches.ts";
import { LARGE, openForReading, segmentFolder, storeKind } from "./kvFixtures.ts";

const readerProgram = fileURLToPath(new URL("kvReader.ts", import.meta.url));
const holderProgram = fileURLToPath(new URL("kvHolder.ts", import.meta.url));

/** A child process that prints lines; `next` waits for the following one. */
function startChild(program: string, folder: string) {
  const child = spawn(process.execPath, [program, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, exited, next: async () => String((await lines.next()).value) };
}

let folder: TemporaryFolder;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const BASES: readonly { name: string; open: () => BaseKv }[] = [
  { name: "memory", open: () => new MemoryKv() },
  { name: "lmdb", open: () => new LmdbKv({ path: folder.path }) },
];

describe.each(BASES)("oldest reader: $name", ({ open }) => {
  test("follows this thread's snapshots", async () => {
    const store = open();
    const commit = (): number => {
      store.commit([{ table: 1, key: Uint8Array.of(1), value: Uint8Array.of(1) }]);
      return store.lastCommit();
    };
    expect(store.oldestReader()).toBe(Infinity);
    const first = commit();
    const a = store.snapshot();
    const second = commit();
    const b = store.snapshot();
    expect(commit()).toBeGreaterThan(second);
    store.get(1, Uint8Array.of(1));
    expect(store.oldestReader()).toBe(first);
    a.close();
    a.close();
    expect(store.oldestReader()).toBe(second);
    b.close();
    expect(store.oldestReader()).toBe(Infinity);
    await store.close();
  });
});

describe("readers in other processes", () => {
  const kind = storeKind("lmdb with segments");
  const BATCHES = KEPT_BATCHES + 30;

  test("a file waits for a reader of an older commit, and for none that was killed", async () => {
    const store = kind.open(folder.path);
    for (let n = 1; n <= KEPT_BATCHES; n += 1) store.commit(batchOf(n));
    const holding = startChild(holderProgram, folder.path);
    expect(await holding.next()).toBe(`holds ${KEPT_BATCHES}`);
    const killed = startChild(holderProgram, folder.path);
    expect(await killed.next()).toBe(`holds ${KEPT_BATCHES}`);
    const before = readdirSync(segmentFolder(folder.path));
    for (let n = KEPT_BATCHES + 1; n <= BATCHES; n += 1) store.commit(batchOf(n));
    expect(readdirSync(segmentFolder(folder.path))).toEqual(expect.arrayContaining(before));
    holding.child.stdin.write("read\n");
    expect(await holding.next()).toBe(`read ${KEPT_BATCHES}`);
    holding.child.stdin.end();
    await holding.exited;
    store.commit(batchOf(BATCHES + 1));
    expect(readdirSync(segmentFolder(folder.path))).toEqual(expect.arrayContaining(before));
    killed.child.kill("SIGKILL");
    await killed.exited;
    store.commit(batchOf(BATCHES + 2));
    const inner = new LmdbKv({ path: folder.path, readOnly: true });
    const place = { folder: segmentFolder(folder.path), large: LARGE };
    expect(auditSegments(inner, place)).toEqual([]);
    await inner.close();
    expect(findTorn(store)).toBeNull();
    await store.close();
  });

  test("a process that reads one snapshot after the other never meets a gap", async () => {
    const store = kind.open(folder.path);
    store.commit(batchOf(1));
    const reader = startChild(readerProgram, folder.path);
    expect(Number(await reader.next())).toBe(1);
    for (let n = 2; n <= BATCHES; n += 1) store.commit(batchOf(n));
    reader.child.stdin.end();
    reader.child.stdout.resume();
    expect(await reader.exited).toEqual([0, null]);
    await store.close();
  });

  test("a reader lets go of the files that were removed", async () => {
    const store = kind.open(folder.path);
    for (let n = 1; n <= KEPT_BATCHES; n += 1) store.commit(batchOf(n));
    const reader = openForReading(folder.path);
    const before = reader.snapshot();
    expect(findTorn(before)).toBeNull();
    before.close();
    const opened = reader.openFiles;
    const present = readdirSync(segmentFolder(folder.path)).length;
    expect(opened).toBe(present);
    for (let n = KEPT_BATCHES + 1; n <= BATCHES; n += 1) store.commit(batchOf(n));
    const after = reader.snapshot();
    const left = readdirSync(segmentFolder(folder.path)).length;
    expect(reader.openFiles).toBeLessThan(opened);
    expect(findTorn(after)).toBeNull();
    expect(reader.openFiles).toBe(left);
    after.close();
    await reader.close();
    await store.close();
  });
});
