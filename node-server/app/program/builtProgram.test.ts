import { mkdirSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { folderOfTest } from "../../platform/testkit/folderOfTest.ts";
import { BUILD_RECORD, builtEntry, builtInput, BUILDS_FOLDER } from "./builtProgram.ts";

let root = "";

const record = (text: string): void => writeFileSync(join(root, BUILDS_FOLDER, BUILD_RECORD), text);

beforeEach(() => {
  root = folderOfTest();
  mkdirSync(join(root, BUILDS_FOLDER));
  for (const name of ["a.ts", "b.ts"])
    writeFileSync(join(root, name), `export const x = "${name}";\n`);
  const inputs = [builtInput("a.ts", root), builtInput("b.ts", root)];
  record(JSON.stringify({ folder: "program-1", inputs }));
});

describe("a built program", () => {
  it("is used while its sources are as they were", () => {
    const file = join(root, BUILDS_FOLDER, "program-1/program.js");
    expect(builtEntry("program", root)).toBe(pathToFileURL(file).href);
  });

  it.each([
    [
      "one is longer",
      () => writeFileSync(join(root, "b.ts"), "export const x = 'longer than b.ts';\n"),
    ],
    ["one was written later", () => utimesSync(join(root, "b.ts"), 1e9, 1e9 + 1)],
    ["one is gone", () => unlinkSync(join(root, "b.ts"))],
    ["nothing was built", () => rmSync(join(root, BUILDS_FOLDER), { recursive: true })],
    ["its record was cut short", () => record('{"folder":"program-1","inputs":[["a.ts",')],
    ["its record names no input", () => record('{"folder":"program-1","inputs":[]}')],
    ["its record names no folder", () => record('{"inputs":[["a.ts",1,1]]}')],
    ["its record is none", () => record("null")],
    ["its record has something else in it", () => record('{"folder":"program-1","inputs":[null]}')],
  ])("is not used when %s", (_, change) => {
    change();
    expect(builtEntry("program", root)).toBeNull();
  });
});
