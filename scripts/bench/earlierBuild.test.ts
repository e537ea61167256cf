/** The build of an earlier commit, found or missing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { earlierBuild, TREES } from "./earlierBuild.ts";

const EARLIER = "0123456789ab";
const isEarlier = async (commit: string) => commit === EARLIER;

it("is there when its core was built, and none of another branch or of the present commit", async () => {
  const root = folderOfTest();
  const packages = (commit: string) => join(root, TREES, commit, "wasm-core", "pkg");
  expect(await earlierBuild(root, isEarlier)).toBeUndefined();
  for (const commit of ["00000000cafe", EARLIER]) mkdirSync(packages(commit), { recursive: true });
  writeFileSync(join(packages("00000000cafe"), ".setup"), "");
  expect(await earlierBuild(root, isEarlier)).toBeUndefined();
  writeFileSync(join(packages(EARLIER), ".setup"), "");
  expect(await earlierBuild(root, isEarlier)).toBe(EARLIER);
});
