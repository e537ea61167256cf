/** Tests of suites that run in parallel, with fake test programs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folderOfTest } from "../../node-server/platform/testkit/folderOfTest.ts";
import { runSuites, type ChosenSuite } from "./runSuites.ts";

/** A suite in a folder that runs a script. */
function suiteIn(folder: string, name: string, script: string): ChosenSuite {
  const path = join(folder, `${name}.mjs`);
  writeFileSync(
    path,
    `import { appendFileSync, existsSync, writeFileSync } from "node:fs";\n${script}`,
  );
  const seconds = { reduced: 600, full: 600 };
  const base = { name, tier: "T2", kind: "program", seconds, about: `about ${name}` } as const;
  return { suite: { ...base, arguments: [path] } };
}

/** A script that passes a test once a file is there. */
const passOnce = (sign: string): string => `const look = setInterval(() => {
  if (!existsSync(${sign})) return;
  clearInterval(look);
  console.log("1 passed, 0 failed");
}, 10);`;

it("two suites run at a time, each shown whole", async () => {
  const folder = folderOfTest();
  const sign = JSON.stringify(join(folder, "sign"));
  const suites = [
    // It ends only when the second one has run.
    suiteIn(folder, "first", passOnce(sign)),
    suiteIn(folder, "second", `console.log("2 passed, 0 failed"); writeFileSync(${sign}, "");`),
    suiteIn(folder, "third", `console.log("4 passed, 0 failed, 1 skipped");`),
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

it("one lane takes the suites in their order, and the other one the longest first", async () => {
  const folder = folderOfTest();
  const begun = join(folder, "begun");
  const last = JSON.stringify(join(folder, "dear"));
  const told = (name: string) =>
    `appendFileSync(${JSON.stringify(begun)}, "${name}\\n"); console.log("1 passed, 0 failed");`;
  const suites: readonly ChosenSuite[] = [
    // The first lane stays here until the other one has run the rest.
    suiteIn(folder, "first", passOnce(last)),
    suiteIn(folder, "unknown", `${told("unknown")} writeFileSync(${last}, "");`),
    { ...suiteIn(folder, "short", told("short")), seconds: 5 },
    { ...suiteIn(folder, "long", told("long")), seconds: 50 },
  ];
  const ends = await runSuites(suites, {
    size: "reduced",
    signal: new AbortController().signal,
    write: () => undefined,
  });
  expect(ends.map(({ end }) => end.tally.passed)).toEqual([1, 1, 1, 1]);
  expect(readFileSync(begun, "utf8").split("\n")).toEqual(["long", "short", "unknown", ""]);
});
