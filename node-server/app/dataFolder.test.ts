import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { holdDataFolder } from "./dataFolder.ts";

let appdir: string;
beforeEach(() => {
  appdir = join(mkdtempSync(join(tmpdir(), "svc-folder-")), "data");
});
afterEach(() => rmSync(appdir, { recursive: true, force: true }));

const OPTIONS = { reset: false, archival: false };
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Waiting payments of one's own and addresses of peers lie in it. */
it("makes a folder that other users of the machine cannot read", () => {
  const { path, lock } = holdDataFolder(appdir, "net-fake", OPTIONS);
  expect([appdir, path].map(modeOf)).toEqual(["700", "700"]);
  lock.release();
});

it("closes the folder of an older build to them", () => {
  mkdirSync(join(appdir, "net-fake"), { recursive: true });
  chmodSync(join(appdir, "net-fake"), 0o755);
  const { path, lock } = holdDataFolder(appdir, "net-fake", OPTIONS);
  expect(modeOf(path)).toBe("700");
  lock.release();
});
