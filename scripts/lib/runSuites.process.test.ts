/** Tests of suites that run in parallel, with fake test programs. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { runSuites, type ChosenSuite } from "./runSuites.ts";

it("two suites run at a time, each shown whole", async () => {
  const folder = folderOfTest();
  const suite = (name: string, script: string): ChosenSuite => {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, `import { existsSync, writeFileSync } from "node:fs";\n${script}`);
    const seconds = { reduced: 600, full: 600 };
    const base = { name, tier: "T2", kind: "program", seconds, about: `about ${name}` } as const;
    return { suite: { ...base, arguments: [path] } };
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
  const ends = await runSuites(suites, {
    size: "reduced",
    signal: new AbortController().signal,
    write: (chunk) => {
      shown += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk);
    },
  });
  expect(ends.map(({ suite: { name }, end }) => [name, end.tally.passed])).toEqual([
    ["first", 1],
    ["second", 2],
    ["third", 4],
  ]);
  const lines = shown.split("\n").filter((line) => /^# .*:|passed, \d+ failed$/.test(line));
  // Which of two that run at a time ends first is chance.
  for (const [name, counts] of [
    ["first", "1 passed, 0 failed"],
    ["second", "2 passed, 0 failed"],
  ]) {
    const head = lines.indexOf(`# ${name}: about ${name} (reduced size, at most 10 min)`);
    expect(lines[head + 1]).toBe(counts);
  }
});
