/**
 * A process killed while it commits: every acknowledged batch is there, none is torn, and the segment files are
 * those that are needed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createInterface } from "node:readline";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { auditSegments } from "@svc/node-server/storage/testkit/auditSegments.ts";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { DEADLY_POINTS } from "./dyingKv.ts";
import { killsOf, reportKills } from "../../testkit/killCount.ts";
import { batchOf, findTorn, lastBatch } from "./kvBatches.ts";
import { LARGE, segmentFolder, STORE_KINDS, storeKind } from "./kvFixtures.ts";
import type { StoreKind } from "./kvFixtures.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";
import { LONG_HANG_MS } from "../../testkit/hangMs.ts";

/** Of each kind of store. */
const ROUNDS = killsOf({ reduced: 8, full: 100 });
const writer = fileURLToPath(new URL("kvWriter.ts", import.meta.url));

/** How a writer ends: after so many acknowledgements and this share of a commit, or by itself at a point of one. */
type Death =
  | { readonly acks: number; readonly share: number }
  | { readonly point: string; readonly spared: number };

/** Runs the writer until it is killed, returns the last number it acknowledged. */
async function killWriter(kind: StoreKind, folder: string, death: Death): Promise<number> {
  const own = "point" in death ? [death.point, `${death.spared}`] : [];
  const child = spawn(process.execPath, [writer, kind.name, folder, ...own], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const lines = createInterface({ input: child.stdout });
  const closed = once(lines, "close");
  const reached = Promise.withResolvers<void>();
  let seen = 0;
  let last = 0;
  lines.on("line", (line) => {
    last = Number(line);
    seen += 1;
    if ("acks" in death && seen === death.acks) reached.resolve();
  });
  if ("acks" in death) {
    await Promise.race([reached.promise, closed]);
    // How long a commit takes, in turns of the event loop. On one core the child would else always be in its first flush.
    let turns = 0;
    const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
    for (; seen === death.acks && isRunning(); turns += 1) await setImmediate();
    for (let turn = 0; turn < death.share * turns; turn += 1) await setImmediate();
    child.kill("SIGKILL");
  }
  const [[, signal]] = await Promise.all([exited, closed]);
  expect(signal).toBe("SIGKILL");
  return last;
}

/** Opens the store again and checks all of it; returns its last batch. */
async function checkStore(kind: StoreKind, folder: string, acknowledged: number): Promise<number> {
  const store = kind.open(folder);
  const last = lastBatch(store);
  expect(last).toBeGreaterThanOrEqual(acknowledged);
  expect(findTorn(store)).toBeNull();
  await store.close();
  if (kind.segments) {
    const inner = new LmdbKv({ path: folder, readOnly: true });
    expect(auditSegments(inner, { folder: segmentFolder(folder), large: LARGE })).toEqual([]);
    await inner.close();
  }
  return last;
}

describe.each(STORE_KINDS.filter((kind) => kind.durable))(
  "killed while committing: $name",
  (kind) => {
    test(
      `${ROUNDS} kills lose nothing acknowledged and leave no torn batch`,
      { timeout: LONG_HANG_MS },
      async () => {
        const random = seededRandom("kv kill");
        const folder = temporaryFolder();
        for (let round = 0; round < ROUNDS; round += 1) {
          const death = { acks: 1 + random.below(25), share: random.below(1_000) / 1_000 };
          await checkStore(kind, folder.path, await killWriter(kind, folder.path, death));
        }
        folder.remove();
        reportKills("lmdb", ROUNDS);
      },
    );
  },
);

describe("killed at a point of a commit", () => {
  const kind = storeKind("lmdb with segments");

  test.each([...DEADLY_POINTS])("%s", async (name, point) => {
    const folder = temporaryFolder();
    for (const spared of [0, 1, 2]) {
      const acknowledged = await killWriter(kind, folder.path, { point: name, spared });
      const left = readdirSync(segmentFolder(folder.path));
      const last = await checkStore(kind, folder.path, acknowledged);
      // The batch that was being committed is there exactly when its commit was done.
      expect(last).toBe(acknowledged + (point.moment === "after" ? 1 : 0));
      const kept = readdirSync(segmentFolder(folder.path));
      const struck = left.length - kept.length;
      if (name === "after a file is struck") expect(struck).toBeGreaterThan(0);
      if (name === "before a file begins") expect(struck).toBeGreaterThan(0);
      if (name === "after a file begins") expect(struck).toBe(0);
    }
    const store = kind.open(folder.path);
    store.commit(batchOf(lastBatch(store) + 1));
    expect(findTorn(store)).toBeNull();
    await store.close();
    folder.remove();
  });
});
