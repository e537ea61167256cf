import { mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { builtEntry, builtInput, INPUTS_FILE } from "./builtProgram.ts";

let root = "";
let folder = new URL("file:///");

const entry = (): string | null => builtEntry("program", folder, `${root}/`);
const list = (text: string): void => writeFileSync(new URL(INPUTS_FILE, folder), text);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "svc-built-"));
  mkdirSync(join(root, "built"));
  folder = pathToFileURL(`${root}/built/`);
  for (const name of ["a.ts", "b.ts"])
    writeFileSync(join(root, name), `export const x = "${name}";\n`);
  list(JSON.stringify([builtInput("a.ts", `${root}/`), builtInput("b.ts", `${root}/`)]));
});

afterEach(() => rmSync(root, { recursive: true }));

describe("a built program", () => {
  it("is used while its sources are as they were", () => {
    expect(entry()).toBe(new URL("program.js", folder).href);
  });

  it.each([
    [
      "one is longer",
      () => writeFileSync(join(root, "b.ts"), "export const x = 'longer than b.ts';\n"),
    ],
    ["one was written later", () => utimesSync(join(root, "b.ts"), 1e9, 1e9 + 1)],
    ["one is gone", () => unlinkSync(join(root, "b.ts"))],
    ["nothing was built", () => rmSync(new URL(INPUTS_FILE, folder))],
    ["its list was cut short", () => list('[["a.ts",')],
    ["its list is empty", () => list("[]")],
    ["its list is none", () => list('{"a.ts":1}')],
    ["its list has something else in it", () => list("[null]")],
  ])("is not used when %s", (_, change) => {
    change();
    expect(entry()).toBeNull();
  });
});
