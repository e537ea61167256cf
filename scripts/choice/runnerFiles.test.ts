/** Every file of the test runner counts as set-up, or has no part in how a test runs. */
import { describe, expect, it } from "vitest";
import { resolveImport } from "../../tests/architecture/ranks.ts";
import { readSourceTree } from "../../tests/architecture/sourceTree.ts";
import { readTypescript } from "../../tests/architecture/typescriptFile.ts";
import { isSetUp } from "./roomOfPath.ts";

/** Programs that run tests, and what vitest loads by its path. */
const ROOTS = ["scripts/test.ts", "scripts/testWasm.ts", "scripts/lib/outsideFactsReporter.ts"];
/** Files of the runner that change no test's result, and what they do. */
const HARMLESS: readonly (readonly [RegExp, string])[] = [
  [/^scripts\/choice\/|^scripts\/gate\/(chooseGate|changedPaths)\.ts$/, "choose"],
  [/^tests\/architecture\//, "read sources for the choice"],
  [/^scripts\/gate\/(keepPassed|passedFile)\.ts$/, "keep results"],
  [
    /^scripts\/full-runs\/|^scripts\/lib\/(commitRecords|machine|sourceCommit)\.ts$/,
    "keep records",
  ],
];

const sources = new Map(readSourceTree().map((file) => [file.path, file]));

/** Files that a file imports, directly or not, and the file itself. */
function reachedFrom(roots: readonly string[]): readonly string[] {
  const reached = new Set<string>();
  const open = [...roots];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const file = sources.get(path);
    if (file === undefined || reached.has(path)) continue;
    reached.add(path);
    for (const { specifier } of readTypescript(file).imports) {
      open.push(resolveImport(path, specifier) ?? "");
    }
  }
  return Array.from(reached);
}

const isHarmless = (path: string): boolean => HARMLESS.some(([files]) => files.test(path));

describe("files of the test runner", () => {
  const files = reachedFrom(ROOTS);

  it("are set-up, or harmless", () => {
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((path) => !isSetUp(path) && !isHarmless(path))).toEqual([]);
  });

  it("are not both", () => {
    expect(files.filter((path) => isSetUp(path) && isHarmless(path))).toEqual([]);
    expect(HARMLESS.filter(([row]) => !files.some((path) => row.test(path)))).toEqual([]);
  });
});
