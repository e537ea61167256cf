/** The look at a database of many GiB: within little memory, and as thorough as at a small one. */
import { statSync } from "node:fs";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { PageBitSet } from "@svc/node-server/storage/pageBitSet.ts";
import { STORAGE_LIMITS } from "@svc/node-server/storage/storageLimits.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { PAGE } from "./lmdbPages.ts";
import { writeLargeDatabase, type LargeDatabase } from "./largeDatabase.ts";

const GIB = 1024 ** 3;
const LEAVES = (8 * GIB) / PAGE;
/** MiB. Of a thread: what it takes to load the program, and not a number for each leaf of such a file, which is 16 MiB. */
const HEAP_MIB = 24;

/** What a thread with so little memory says of such a file. */
async function lookAt(
  wish: LargeDatabase,
): Promise<{ readonly said: unknown; readonly branches: number }> {
  const path = join(folderOfTest(), "data.mdb");
  const branches = writeLargeDatabase(path, wish);
  expect(statSync(path).size).toBe((2 + wish.leaves + branches) * PAGE);
  const worker = new Worker(new URL("largeCheck.ts", import.meta.url), {
    workerData: { path, leaves: wish.written },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const [said]: unknown[] = await once(worker, "message");
  await worker.terminate();
  return { said, branches };
}

test("takes a bit for each page, not a number", async () => {
  const { said, branches } = await lookAt({ leaves: LEAVES, written: 100 });
  expect(said).toEqual({ pages: branches + 100, isWhole: false });
});

test("finds a page that is in use twice, wherever in the file that is", async () => {
  const { said } = await lookAt({ leaves: LEAVES, written: 100, pointsTwice: true });
  expect(said).toBe("page 2 is in use twice");
});

test("a set has room for each page that a database may have, and for no more", () => {
  const most = STORAGE_LIMITS.lmdbMapBytes / PAGE;
  expect(STORAGE_LIMITS.storeCheckSetBytes).toBe(most / 8);
  const set = new PageBitSet(most);
  const pages = [0, 31, 32, 63, 64, 1_000, most - 1];
  for (const page of pages.toReversed()) expect(set.add(page)).toBe(true);
  for (const page of pages) expect(set.add(page)).toBe(false);
  expect([set.size, [...set.pages()]]).toEqual([pages.length, pages]);
  expect(() => new PageBitSet(most + 1)).toThrow("internal/unexpected");
});
