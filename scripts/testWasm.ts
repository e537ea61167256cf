/**
 * Test runner for the kernels' Rust tests as WebAssembly: `node scripts/testWasm.ts [--no-run] [crate…]`.
 *
 * Natively the kernels run in their portable form; only here do the tests meet the SIMD code that browsers and the node
 * use. Each test program is built for wasm32, instantiated and its `main` called; a failed test aborts, which arrives as a
 * trap. The programs have no output of their own, so a failure is looked into with the native test, and tests are counted
 * in their sources. The program `canary` has a test that fails as WebAssembly: where that is not seen, nothing is. Prints
 * one `test` line per program; the last line is `N passed, N failed` and counts tests, a failed program as one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import * as v from "valibot";
import { runCommand } from "./lib/command.ts";

const TARGET = "wasm32-unknown-unknown";
const RUSTFLAGS = "-C target-feature=+simd128,+bulk-memory";
const DEFAULT_CRATES = ["svc-kernels"];

/** The test program that has to fail. */
const CANARY = "canary";

type Program = { readonly name: string; readonly path: string; readonly tests: number };

async function build(crates: readonly string[]): Promise<readonly Program[]> {
  const named = crates.flatMap((name) => ["-p", name]);
  const args = [
    "test",
    "--profile",
    "wasm-test",
    "--no-run",
    "--locked",
    "--target",
    TARGET,
    "--tests",
    ...named,
  ];
  const result = await runCommand("cargo", [...args, "--message-format=json-render-diagnostics"], {
    folder: "wasm-core",
    environment: { RUSTFLAGS },
  });
  if (result.status !== 0) throw new Error(`the tests do not build:\n${result.output}`);
  return readPrograms(result.output);
}

const artifact = v.object({
  target: v.object({ name: v.string(), src_path: v.string() }),
  executable: v.pipe(v.string(), v.endsWith(".wasm")),
});

/** The programs that cargo names, a line of JSON each. */
function readPrograms(output: string): Program[] {
  return output.split("\n").flatMap((line) => {
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), artifact), line);
    if (!read.success) return [];
    const { target, executable } = read.output;
    return [{ name: target.name, path: executable, tests: countTests(target.src_path) }];
  });
}

/** Tests in the source of a test program and in its modules, or of a library in all files beside it. */
function countTests(source: string): number {
  const isLibrary = basename(source) === "lib.rs";
  const files = isLibrary ? rustFiles(dirname(source)) : [source, ...moduleFiles(source)];
  const texts = files.map((name) => readFileSync(name, "utf8"));
  return texts.join("\n").match(/^ *#\[test\]$/gm)?.length ?? 0;
}

const rustFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".rs"))
    .map((name) => join(folder, name));

/** Files of the modules that a test program names, each a file beside it or a folder. */
function moduleFiles(source: string): string[] {
  const names = readFileSync(source, "utf8").matchAll(/^mod (\w+);$/gm);
  return Array.from(names, ([, name = ""]) => join(dirname(source), name)).flatMap((path) =>
    existsSync(path) ? rustFiles(path) : [`${path}.rs`],
  );
}

/** True when every test of the program passed. */
async function passes(path: string): Promise<boolean> {
  const program = await WebAssembly.compile(await readFile(path));
  const { exports } = await WebAssembly.instantiate(program, {});
  if (typeof exports.main !== "function") throw new Error(`${basename(path)} has no main`);
  try {
    return exports.main(0, 0) === 0;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) return false;
    throw error;
  }
}

const isCompileOnly = process.argv.includes("--no-run");
const wanted = process.argv.slice(2).filter((name) => name !== "--no-run");
const programs = await build(wanted.length > 0 ? wanted : DEFAULT_CRATES);
if (isCompileOnly) process.exit(0);
let [passed, failed] = [0, 0];
for (const { name, path, tests } of programs) {
  const isCanary = name === CANARY;
  // A program that has no tests shows nothing, and must not look as if it did.
  const good = tests > 0 && (await passes(path)) !== isCanary;
  if (good) passed += isCanary ? 1 : tests;
  else failed += 1;
  console.log(`test ${name} (${tests} tests) ... ${good ? "ok" : "FAILED"}`);
}
if (!programs.some(({ name }) => name === CANARY)) {
  failed += 1;
  console.log(`test ${CANARY} ... FAILED: it is not there`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
