import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { STORAGE_LIMITS } from "../../storage/storageLimits.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { beforeEach, expect, test } from "vitest";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { ManualClock } from "../../platform/time/clock.ts";
import { databaseFile } from "../../storage/openStore.ts";
import { DatabaseSizeMonitor, type DatabaseSizeMonitorParts } from "./databaseSizeMonitor.ts";

let folder: string;
beforeEach(() => {
  folder = folderOfTest();
});

/** A file of this part of the room that takes none on the disk. */
function fill(percent: number): void {
  const path = databaseFile(folder, "consensus");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  truncateSync(path, Math.ceil((STORAGE_LIMITS.lmdbMapBytes * percent) / 100));
}

test("a database that fills its room is warned of, once for every few percent, before it is full", async () => {
  const clock = new ManualClock(0n);
  const lines: string[] = [];
  const warn = (facts: { database: string; percent: number }) =>
    lines.push(`${facts.database} ${facts.percent}`);
  const watch = new DatabaseSizeMonitor({
    folder,
    clock,
    log: { warn },
  } as unknown as DatabaseSizeMonitorParts);
  const looked = () => new Promise<void>((resolve) => waitForSleeper(clock, resolve));
  watch.start();
  for (const percent of [74, 75, 77, 80, 80, 94, 99]) {
    await looked();
    fill(percent);
    clock.advance(APP_LIMITS.roomLookMs);
  }
  await looked();
  await watch.stop();
  expect(lines).toEqual([75, 80, 94, 99].map((percent) => `consensus ${percent}`));
});

function waitForSleeper(clock: ManualClock, done: () => void): void {
  if (clock.sleeping > 0) return done();
  setImmediate(() => waitForSleeper(clock, done));
}
