import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { isDatabaseFree } from "../../storage/checkDatabase.ts";
import { removalSteps } from "../../storage/storeFolders.ts";
import { holdDataFolder } from "./dataFolder.ts";

let appdir: string;
beforeEach(() => {
  appdir = join(folderOfTest(), "data");
});

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

it("has no database, or a whole one, wherever a kill meets their deletion", () => {
  const names = ["consensus", "meta"];
  const { path, lock } = holdDataFolder(appdir, "net-fake", OPTIONS);
  lock.release();
  const fill = () => {
    for (const name of names) {
      mkdirSync(join(path, name, "segments"), { recursive: true });
      writeFileSync(join(path, name, "data.mdb"), "whole");
    }
  };
  fill();
  const count = removalSteps(path).length;
  for (let taken = 0; taken <= count; taken += 1) {
    fill();
    for (const step of removalSteps(path).slice(0, taken)) step();
    // Nothing is deleted in part below a name that is in use.
    if (taken === names.length) {
      expect(readdirSync(path).toSorted()).toEqual(["consensus.gone", "meta.gone"]);
      expect(readdirSync(join(path, "meta.gone"))).toEqual(["data.mdb", "segments"]);
    }
    holdDataFolder(appdir, "net-fake", OPTIONS).lock.release();
    for (const name of names) {
      const parts = isDatabaseFree(join(path, name)) ? [] : readdirSync(join(path, name));
      expect([[], ["data.mdb", "segments"]], `${name} after ${taken} steps`).toContainEqual(parts);
    }
  }
  fill();
  holdDataFolder(appdir, "net-fake", { ...OPTIONS, reset: true }).lock.release();
  expect(readdirSync(path)).toEqual([]);
});
