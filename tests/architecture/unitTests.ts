/** Architecture rule: a unit test starts no program. One that does is named `*.process.test.ts` and runs with the gate, not with T0. */
import type { SourceFile, Violation } from "./sourceTree.ts";
import { readTypescript } from "./typescriptFile.ts";

const UNIT = /^(shared|node-server|web|scripts)\/.*(?<!\.process)\.test\.tsx?$/;
/** Modules that start programs. */
const STARTER = /^node:child_process$|\/lib\/command\.ts$/;
/** Of `scripts/lib/command.ts`, what starts nothing. */
const NAMES_ONLY =
  /^import (type )?\{ (ROOT|TIMED_OUT|INTERRUPTED|type \w+)(, (ROOT|TIMED_OUT|INTERRUPTED|type \w+))* \}/;

/** Imports by which a unit test would start a program. */
export function unitTestViolations(file: SourceFile): Violation[] {
  if (!UNIT.test(file.path)) return [];
  const lines = file.text.split("\n");
  return readTypescript(file)
    .imports.filter(({ specifier }) => STARTER.test(specifier))
    .filter(({ line }) => !NAMES_ONLY.test(lines[line - 1] ?? ""))
    .map(({ specifier, line }) => ({
      path: `${file.path}:${line}`,
      message: `${specifier} in a unit test; name it *.process.test.ts`,
    }));
}
