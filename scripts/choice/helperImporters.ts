/**
 * Test files that a helper counts for. Below `tests/` imports are exact: a helper is there for those that import it, directly or through
 * other helpers, or that start it as a program.
 */
import { posix } from "node:path";
import { resolveImport } from "../../tests/architecture/ranks.ts";
import type { SourceFile } from "../../tests/architecture/sourceTree.ts";
import { readTypescript } from "../../tests/architecture/typescriptFile.ts";
import { isHelper, isT2Test } from "./roomOfPath.ts";

/** Files by the file or folder that they import, start or read. */
export type Importers = ReadonlyMap<string, readonly string[]>;

/** A file or folder beside the module: a program that is started, data that is read, an entry that is built. */
const BESIDE = /new URL\(\s*(["'`])([^"'`]+)\1,\s*(?:import\.meta\.url|[A-Z_]+)/g;
/** A program that is started by its path from the root. */
const FROM_ROOT = /["'`]((?:scripts|tests)\/[\w/-]+\.ts)["'`]/g;

/** Reads who uses what among test files of T2 and helpers. Other files of `sources` are passed over. */
export function readImporters(sources: readonly SourceFile[]): Importers {
  const importers = new Map<string, string[]>();
  for (const file of sources) {
    if (!isT2Test(file.path) && !isHelper(file.path)) continue;
    for (const used of usedBy(file)) {
      const known = importers.get(used);
      if (known === undefined) importers.set(used, [file.path]);
      else known.push(file.path);
    }
  }
  return importers;
}

/** Test files that use a helper, in no order. */
export function testFilesUsing(helper: string, importers: Importers): readonly string[] {
  const seen = new Set([helper]);
  const tests: string[] = [];
  const open = [helper];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const user of usersOf(path, importers)) {
      if (seen.has(user)) continue;
      seen.add(user);
      open.push(user);
      if (isT2Test(user)) tests.push(user);
    }
  }
  return tests;
}

/** Importers of the file, and users of a folder above it: which files these read there is not known. */
function usersOf(path: string, importers: Importers): readonly string[] {
  const users = [...(importers.get(path) ?? [])];
  for (let folder = posix.dirname(path); folder.includes("/"); folder = posix.dirname(folder)) {
    users.push(...(importers.get(folder) ?? []));
  }
  return users;
}

function usedBy(file: SourceFile): ReadonlySet<string> {
  const { path, text } = file;
  const used = new Set<string>();
  if (/\.tsx?$/.test(path)) {
    for (const { specifier } of readTypescript(file).imports) {
      const target = resolveImport(path, specifier);
      if (target !== undefined) used.add(target);
    }
  }
  for (const [, , address = ""] of text.matchAll(BESIDE)) used.add(besidePath(path, address));
  for (const [, program = ""] of text.matchAll(FROM_ROOT)) used.add(program);
  used.delete(path);
  return used;
}

/** Of an address that is made at run time, the folder in which it lies is known. */
function besidePath(from: string, address: string): string {
  const [known = ""] = address.split("${");
  const isWhole = known === address;
  const target = isWhole ? known : known.slice(0, known.lastIndexOf("/") + 1);
  const joined = posix.join(posix.dirname(from), target);
  return joined.endsWith("/") ? joined.slice(0, -1) : joined;
}
