/** Stores whose files cannot be read while they are open: told with the file and its folder. */
import { closeSync, openSync, readFileSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LmdbKv } from "@svc/node-server/storage/lmdbKv.ts";
import { SegmentFiles } from "@svc/node-server/storage/segmentFiles.ts";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";
import { PAGE, rootPage } from "./lmdbPages.ts";

/** Reading it where nothing is mapped is an input/output error, as from a disk that fails. */
const FAILING_FILE = "/proc/self/mem";
const hasFailing = process.platform === "linux";

test.skipIf(!hasFailing)("a segment file that the disk does not give", () => {
  const folder = folderOfTest();
  const segments = join(folder, "segments");
  const files = new SegmentFiles(segments);
  const locator = { segment: 1, offset: 8, length: 100 };
  files.write([{ locator, payload: new Uint8Array(100) }]);
  expect(files.read(locator).length).toBe(100);
  files.close();
  const file = join(segments, "00000001.seg");
  rmSync(file);
  symlinkSync(FAILING_FILE, file);
  expect(() => files.read(locator)).toThrow(
    expect.objectContaining({
      code: "store/unreadable",
      data: { file, folder, reason: expect.stringMatching(/^EIO/) },
    }),
  );
  files.close();
});

const FROM = Uint8Array.of(0, 1);
const RANGE = { table: 1, from: FROM, to: Uint8Array.of(9), limit: 1 };

test.each([
  ["a value", (store: LmdbKv) => store.get(1, FROM)],
  ["a range", (store: LmdbKv) => store.range(RANGE)],
  ["a value of a snapshot", (store: LmdbKv) => store.snapshot().get(1, FROM)],
  ["a range of a snapshot", (store: LmdbKv) => store.snapshot().range(RANGE)],
])("pages of a database that are not where they are said to be: %s", async (_, read) => {
  const folder = folderOfTest();
  const store = new LmdbKv({ path: folder });
  onTestFinished(() => store.close());
  const keys = Array.from({ length: 500 }, (__, index) => Uint8Array.of(index >> 8, index));
  store.commit(keys.map((key) => ({ table: 1, key, value: new Uint8Array(100) })));
  const file = join(folder, "data.mdb");
  losePages(file);
  expect(() => read(store)).toThrow(
    expect.objectContaining({
      code: "store/unreadable",
      data: { file, folder, reason: expect.stringMatching(/^MDB_PAGE_NOTFOUND/) },
    }),
  );
});

/** Has the root of the newer commit point to pages that were never given out. */
function losePages(path: string): void {
  const bytes = readFileSync(path);
  const root = rootPage(bytes) * PAGE;
  const nodes = bytes.readUInt16LE(root + 20) >>> 1;
  for (let index = 0; index < nodes; index += 1) {
    const at = bytes.readUInt16LE(root + 24 + 2 * index) + 24;
    bytes.writeUInt32LE(0x7fff_ffff, root + at);
  }
  const file = openSync(path, "r+");
  writeSync(file, bytes, root, PAGE, root);
  closeSync(file);
}
