/** Test programs of the core's crates, with the modules that their tests are in, as the sources of the programs say. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lib/command.ts";

const CRATES = join(ROOT, "wasm-core", "crates");

/** The folder of a crate's tests. */
export const testFolder = (crate: string): string => join(CRATES, crate, "tests");

/** The name of the program with all tests of a crate; names differ, so that one is chosen among all crates. */
export const programOf = (crate: string): string => `${crate.replaceAll("-", "_")}_tests`;

/** Crates that have tests of their own beside those in their sources. */
export function cratesWithTests(): readonly string[] {
  return readdirSync(CRATES).filter((crate) => existsSync(join(testFolder(crate), "main.rs")));
}

/** The modules that a program's source names, those that only help the others with them. */
export function namedModules(crate: string): readonly string[] {
  const text = readFileSync(join(testFolder(crate), "main.rs"), "utf8");
  return Array.from(text.matchAll(/^mod (\w+);$/gm), ([, name = ""]) => name);
}

/** The modules of a crate's program that hold tests. */
export function testModules(crate: string): readonly string[] {
  return namedModules(crate).filter((name) =>
    sourcesOf(crate, name).some((file) => /^ *#\[test\]$/m.test(readFileSync(file, "utf8"))),
  );
}

function sourcesOf(crate: string, name: string): readonly string[] {
  const file = join(testFolder(crate), `${name}.rs`);
  if (existsSync(file)) return [file];
  const folder = join(testFolder(crate), name);
  return readdirSync(folder).map((entry) => join(folder, entry));
}

/** Names of the tests in the file of a module, as the program calls them. */
export function testsOf(crate: string, name: string): readonly string[] {
  const text = readFileSync(join(testFolder(crate), `${name}.rs`), "utf8");
  return Array.from(text.matchAll(/^#\[test\]\nfn (\w+)\(/gm), ([, test = ""]) => test).map(
    (test) => `${name}::${test}`,
  );
}
