/** Tests of suites that run in parallel, with fake test programs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import type { Suite } from "../suites.ts";
import { runSuites } from "./runSuites.ts";

it("two suites run at a time and are shown in their order", { timeout: 60_000 }, async () => {
  const folder = folderOfTest();
  const suite = (name: string, script: string): Suite => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `import { existsSync, writeFileSync } from "node:fs";\n${script}`);
    const seconds = { reduced: 600, full: 600 };
    return { name, kind: "program", arguments: [path], seconds, about: `about ${name}` };
  };
  const sign = JSON.stringify(join(folder, "sign"));
  const suites = [
    // It ends only when the second one has run.
    suite(
      "first",
      `const look = setInterval(() => {
        if (!existsSync(${sign})) return;
        clearInterval(look);
        console.log("1 passed, 0 failed");
      }, 10);`,
    ),
    suite("second", `console.log("2 passed, 0 failed"); writeFileSync(${sign}, "");`),
    suite("third", `console.log("4 passed, 0 failed, 1 skipped");`),
  ];
  let shown = "";
  const write = vi.spyOn(process.stderr, "write").mockImplementation((chunk) => {
    shown += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    return true;
  });
  const tally = await runSuites(suites, {
    size: "reduced",
    signal: new AbortController().signal,
  }).finally(() => write.mockRestore());
  expect(tally).toEqual({ passed: 7, failed: 0, skipped: 1 });
  const lines = shown.split("\n").filter((line) => /^#|passed/.test(line));
  expect(lines).toEqual([
    "# first: about first (reduced size, at most 10 min)",
    "1 passed, 0 failed",
    "# second: about second (reduced size, at most 10 min)",
    "2 passed, 0 failed",
    "# third: about third (reduced size, at most 10 min)",
    "4 passed, 0 failed, 1 skipped",
  ]);
});
