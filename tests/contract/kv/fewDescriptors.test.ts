/** A store in a process that has no descriptor left: what it holds open is given up for what it reads; nothing is called damaged. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folderOfTest } from "@svc/node-server/platform/testkit/folderOfTest.ts";

const PRLIMIT = "/usr/bin/prlimit";
const child = fileURLToPath(new URL("fewDescriptors.ts", import.meta.url));

test.skipIf(!existsSync(PRLIMIT))("segment files where no descriptor is left", () => {
  const args = ["--nofile=100:100", process.execPath, child, folderOfTest()];
  const said: unknown = JSON.parse(execFileSync(PRLIMIT, args).toString());
  expect(said).toMatchObject({ fresh: "store/read-failed", used: [3, 3, 3, 3] });
  expect(said).toHaveProperty(
    "taken",
    expect.toSatisfy((count: number) => count > 10),
  );
});
