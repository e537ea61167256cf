/**
 * Tests of the integrity check on damaged LMDB files. Every file that passes the check is then opened by LMDB in this
 * process and read as a whole: a page that should have been refused ends the test by a signal, or shows as other rows.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEYS_END, type KvChange, type KvPair } from "@svc/node-server/storage/kv.ts";
import { checkLmdbFile } from "@svc/node-server/storage/lmdbCheck.ts";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { META_BYTES } from "@svc/node-server/storage/lmdbMeta.ts";
import {
  temporaryFolder,
  type TemporaryFolder,
} from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { flipBits } from "@svc/shared/base/testkit/flipBits.ts";
import { batchOf } from "../kv/kvBatches.ts";
import { noise, PAGE, zeroPages } from "./lmdbPages.ts";
import { seededRandom } from "../../testkit/seededRandom.ts";

const BATCHES = 18;
/** Pages of a value that is longer than all free pages. */
const LONG_PAGES = 70;
/** Tables of the batches. */
const TABLES = [1, 3, 5, 6, 20];
/** Large values are looked at a few at a time, as those of a large file are. */
const WHOLE = { leaves: Number.POSITIVE_INFINITY, runs: 3 };

let folder: TemporaryFolder;
let file: string;
let sound: Buffer;
let rows: readonly KvPair[];
let used: number;

beforeEach(async () => {
  folder = temporaryFolder();
  file = join(folder.path, "data.mdb");
  const store = new LmdbKv({ path: folder.path });
  for (let number = 1; number <= BATCHES; number += 1) store.commit(batchOf(number));
  await store.close();
  sound = readFileSync(file);
  rows = await rowsNow();
  used = checkLmdbFile(file, WHOLE).pages;
});
afterEach(() => folder.remove());

async function rowsNow(): Promise<readonly KvPair[]> {
  const store = new LmdbKv({ path: folder.path, readOnly: true });
  const range = { from: new Uint8Array(), to: KEYS_END, limit: 1_000_000 };
  const found = TABLES.flatMap((table) => store.range({ ...range, table }));
  await store.close();
  return found;
}

/** Keys, and how long each value is. */
const outline = (pairs: readonly KvPair[]) =>
  pairs.map(({ key, value }) => `${Buffer.from(key).toString("hex")} ${value.length}`).join("\n");

/** What the check says of the file with these bytes; `null` when it lets them through, and LMDB reads all rows then. */
async function verdict(bytes: Uint8Array): Promise<string | null> {
  writeFileSync(file, bytes);
  try {
    checkLmdbFile(file, WHOLE);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  // Nothing tells what a value was: those who decode it must.
  expect(outline(await rowsNow())).toBe(outline(rows));
  return null;
}

/** The sound file with one page replaced. */
function withPage(page: number, content: Uint8Array): Uint8Array {
  const bytes = Buffer.from(sound);
  bytes.set(content, page * PAGE);
  return bytes;
}

test("a sound file is let through after any commit, and all of it is looked at", async () => {
  const store = new LmdbKv({ path: folder.path });
  for (let number = BATCHES + 1; number <= 2 * BATCHES; number += 1) {
    store.commit(batchOf(number));
    expect(checkLmdbFile(file, WHOLE)).toMatchObject({ isWhole: true });
  }
  store.commit(rows.slice(0, 500).map(({ key }) => ({ table: 5, key, value: null })));
  const { pages } = checkLmdbFile(file, WHOLE);
  expect(pages).toBeGreaterThan(used);
  expect(checkLmdbFile(file, { leaves: WHOLE.leaves })).toEqual({ pages, isWhole: true });
  await store.close();
});

test("leaves beyond the bound are left out, and what they lead to", () => {
  const some = checkLmdbFile(file, { leaves: 3 });
  expect(some.isWhole).toBe(false);
  expect(some.pages).toBeLessThan(used);
});

describe("a damaged page", () => {
  const random = seededRandom("lmdb pages");
  test.each([
    ["zeroed", () => new Uint8Array(PAGE)],
    ["overwritten", () => noise(random, PAGE)],
    ["of another place", (page: number) => otherPage(page)],
  ])("%s is seen wherever it is in use", async (_, damage) => {
    const pages = sound.length / PAGE;
    let seen = 0;
    for (let page = 2; page < pages; page += 1) {
      const said = await verdict(withPage(page, damage(page)));
      if (said !== null) seen += 1;
    }
    // The others are free, or lie within a long value.
    expect(seen).toBe(used);
  });

  function otherPage(page: number): Uint8Array {
    const other = page === 2 ? 3 : page - 1;
    return sound.subarray(other * PAGE, (other + 1) * PAGE);
  }
});

test("a file cut to any length is seen, unless only free pages are lost", async () => {
  // At the end of the file, since there is no room for it before; of its pages the first alone is read.
  const long = { table: 5, key: Uint8Array.of(1), value: new Uint8Array(LONG_PAGES * PAGE) };
  const before = sound.length;
  await commit(long);
  expect(await harmlessCuts()).toBe(0);
  await commit({ ...long, value: null });
  // What its pages were is free now, with or without a page before them.
  expect(await harmlessCuts()).toBeGreaterThanOrEqual((sound.length - before) / (PAGE / 2));
});

async function commit(change: KvChange): Promise<void> {
  const store = new LmdbKv({ path: folder.path });
  store.commit([change]);
  await store.close();
  sound = readFileSync(file);
  rows = await rowsNow();
}

/** How many of the lengths in steps of half a page are let through. */
async function harmlessCuts(): Promise<number> {
  let harmless = 0;
  for (let length = 0; length < sound.length; length += PAGE / 2) {
    if ((await verdict(sound.subarray(0, length))) === null) harmless += 1;
  }
  writeFileSync(file, sound);
  return harmless;
}

describe("meta pages", () => {
  test.each([
    ["the first", [0], /meta page 0 is zeroed/],
    ["the second", [1], /meta page 1 is zeroed/],
    ["both", [0, 1], /meta page 0 is zeroed/],
  ] as const)("%s zeroed", async (_, zeroed, form) => {
    const bytes = Buffer.from(sound);
    zeroPages(bytes, zeroed);
    expect(await verdict(bytes)).toMatch(form);
  });

  test("a byte changed anywhere is seen or does not matter", async () => {
    let seen = 0;
    for (let at = 0; at < META_BYTES; at += 1) {
      for (const page of [0, 1]) {
        const bytes = Buffer.from(sound);
        flipBits(bytes, page * PAGE + at, 0x55);
        if ((await verdict(bytes)) !== null) seen += 1;
      }
    }
    // What is left over: addresses, room, and what the older commit counted.
    expect(seen).toBeGreaterThan(0.9 * META_BYTES);
  });

  test("an older one put back is seen", async () => {
    const store = new LmdbKv({ path: folder.path });
    for (let number = 1; number <= 3; number += 1) store.commit(batchOf(BATCHES + number));
    await store.close();
    const later = readFileSync(file);
    later.set(sound.subarray(0, 2 * PAGE));
    const first = Buffer.from(later);
    first.set(readFileSync(file).subarray(0, PAGE));
    expect(await verdict(first)).toMatch(/the meta pages are of transactions/);
  });
});

test.each([
  ["an empty file", new Uint8Array(), /it is empty/],
  ["a text", new TextEncoder().encode("no database ".repeat(1_000)), /not one of LMDB's/],
  ["a short file", new Uint8Array(100), /it ends within meta page 0/],
])("%s in its place", async (_, bytes, form) => {
  expect(await verdict(bytes)).toMatch(form);
});
