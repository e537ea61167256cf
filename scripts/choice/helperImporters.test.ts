import { describe, expect, it } from "vitest";
import { readSourceTree } from "../../tests/architecture/sourceTree.ts";
import { readImporters, testFilesUsing } from "./helperImporters.ts";

const planted = readImporters([
  { path: "tests/e2e/b.test.ts", text: 'import { help } from "./testkit/help.ts";' },
  { path: "tests/e2e/a.test.ts", text: 'import { far } from "../network/testkit/far.ts";' },
  {
    path: "tests/network/testkit/far.ts",
    text: 'export { help } from "../../e2e/testkit/help.ts";',
  },
  { path: "tests/e2e/testkit/help.ts", text: 'import { mine } from "@svc/shared/base/mine.ts";' },
  {
    path: "tests/network/c.test.ts",
    text: [
      'const program = fileURLToPath(new URL("./child.ts", import.meta.url));',
      "const one = (name: string) => new URL(`../powerloss/${name}.ts`, import.meta.url);",
      'const stores = new URL("../fixtures/stores/", import.meta.url);',
      'const root = new URL("../../", import.meta.url);',
    ].join("\n"),
  },
  { path: "tests/network/child.ts", text: 'spawn("sh", [run, "scripts/edge.ts"]);' },
  { path: "scripts/edge.ts", text: 'import { ROOT } from "./lib/command.ts";' },
  { path: "tests/contract/d.test.ts", text: 'import { help } from "../e2e/testkit/help.ts";' },
  { path: "shared/base/mine.ts", text: 'import { help } from "../../tests/e2e/testkit/help.ts";' },
]);

describe("testFilesUsing", () => {
  it("finds those that import a helper, directly or through another", () => {
    const users = testFilesUsing("tests/e2e/testkit/help.ts", planted);
    expect(users.toSorted()).toEqual(["tests/e2e/a.test.ts", "tests/e2e/b.test.ts"]);
  });

  it.each([
    ["tests/network/child.ts", "a program that is started beside the test"],
    ["tests/powerloss/storeRun.ts", "one whose name is made at run time"],
    ["tests/fixtures/stores/layout-1.jsonl.gz", "data of a folder that is read"],
    ["scripts/edge.ts", "a script that is started by its path from the root"],
    ["scripts/lib/command.ts", "what such a script imports"],
  ])("finds the test of %s: %s", (helper) => {
    expect(testFilesUsing(helper, planted)).toEqual(["tests/network/c.test.ts"]);
  });

  it("takes a root folder for no use of all that is in it", () => {
    expect(testFilesUsing("tests/profiles/prune.json", planted)).toEqual([]);
  });

  it("finds what helpers of the tree are there for", () => {
    const importers = readImporters(readSourceTree());
    const using = (helper: string): readonly string[] => testFilesUsing(helper, importers);
    expect(using("tests/network/walletd/walletdChild.ts")).toContain(
      "tests/network/walletd/walletdKills.test.ts",
    );
    expect(using("tests/powerloss/diskAfter.ts")).toEqual([
      "tests/integration/engine/powerLoss.test.ts",
    ]);
    expect(using("tests/integration/node/stuckStop.ts").toSorted()).toEqual([
      "tests/integration/node/program.test.ts",
      "tests/network/sync/signals.test.ts",
    ]);
    expect(using("scripts/lib/edgeWorker.ts")).toContain(
      "tests/integration/edge/edgeExplorer.test.ts",
    );
    expect(using("web/explorer/testkit/graphMain.tsx")).toContain(
      "tests/e2e/explorer/graph.test.ts",
    );
    expect(using("tests/fixtures/cheapProof/absurd.bin.gz")).toEqual([
      "tests/network/sync/firstSync.test.ts",
    ]);
    expect(using("tests/vectors/reference/w/blocks.jsonl.gz")).toContain(
      "tests/integration/node/mergedMining.test.ts",
    );
    expect(using("tests/network/testkit/scene.ts").length).toBeGreaterThan(20);
    expect(using("tests/architecture/rooms.ts")).toEqual([]);
  });
});
