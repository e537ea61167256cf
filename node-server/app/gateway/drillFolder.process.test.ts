import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { drillFolder, removeStaleFolders } from "./drillFolder.ts";

it("what a drill left that was killed is removed by the next one, and nothing else", async () => {
  const root = folderOfTest();
  const own = drillFolder(root);
  expect(basename(own)).toMatch(new RegExp(`^svc-drill-${process.pid}-`));
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"]);
  await once(child, "spawn");
  const others = join(root, `svc-drill-${child.pid}-AbCdEf`);
  const foreign = [join(root, "svc-drill-x-AbCdEf"), join(root, "svc-wallet-1-AbCdEf")];
  for (const folder of [others, ...foreign]) {
    mkdirSync(folder);
    writeFileSync(join(folder, "data"), "x");
  }
  removeStaleFolders(root);
  expect([own, others, ...foreign].map((folder) => existsSync(folder))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  child.kill("SIGKILL");
  await once(child, "exit");
  removeStaleFolders(root);
  expect([own, others, ...foreign].map((folder) => existsSync(folder))).toEqual([
    true,
    false,
    true,
    true,
  ]);
  removeStaleFolders(join(root, "is not there"));
});
