/**
 * Runs the Rust tests of the kernels as WebAssembly: `node scripts/testWasm.ts [crate…]`.
 *
 * Natively the kernels run in their portable form; only here do the tests meet the SIMD code that browsers and the
 * node use. Each test program is built for wasm32, instantiated and its `main` called; a failed test aborts, which
 * arrives as a trap. The programs have no output of their own, so a failure is looked into with the native test.
 * Prints one `test` line per program and a `test result:` line that counts programs.
 */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { runCommand } from "./lib/command.ts";

const TARGET = "wasm32-unknown-unknown";
const RUSTFLAGS = "-C target-feature=+simd128,+bulk-memory";
const DEFAULT_CRATES = ["svc-kernels"];

async function build(crates: readonly string[]): Promise<readonly string[]> {
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
  return [...result.output.matchAll(/"executable":"([^"]+\.wasm)"/g)].map(([, path]) => path ?? "");
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

const wanted = process.argv.slice(2);
const programs = await build(wanted.length > 0 ? wanted : DEFAULT_CRATES);
let failed = 0;
for (const path of programs) {
  const good = await passes(path);
  failed += good ? 0 : 1;
  console.log(
    `test ${basename(path).replace(/-[0-9a-f]+\.wasm$/, "")} ... ${good ? "ok" : "FAILED"}`,
  );
}
const word = failed === 0 && programs.length > 0 ? "ok" : "FAILED";
console.log(
  `test result: ${word}. ${programs.length - failed} passed; ${failed} failed; as WebAssembly`,
);
process.exitCode = word === "ok" ? 0 : 1;
