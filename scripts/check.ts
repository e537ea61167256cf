/**
 * Static checks (format, lint, types, architecture, unit tests, typedoc, rustdoc, licences): `npm run check [-- NAME…]`.
 * `--no-tests` is for a run that goes on with `npm test`: it leaves out the unit tests, which are there again, and the age of
 * registered false alarms, which never fails the gate.
 *
 * Steps that need one core run side by side in two lanes, TypeScript and Rust; a failed step shows its output and the
 * others go on.
 */
import { oldRows, readFlakyRows } from "./gate/flakyRows.ts";
import { runCommand, type CommandResult } from "./lib/command.ts";
import { gitHere } from "./lib/sourceCommit.ts";

type Step = { readonly name: string; readonly run: () => Promise<CommandResult> };

const TYPED = ["shared", "node-server", "web", "edge", "package", "tests", "scripts"];

const NO_TESTS = "--no-tests";
/** The steps that `--no-tests` leaves out. */
const TESTS = ["unit", "cargo unit", "flaky"];

/** Cargo workspaces of their own. */
const ORACLE = "crates/oracle/Cargo.toml";
const GLUE = "glue/Cargo.toml";

const cargo = (...args: string[]) => runCommand("cargo", args, { folder: "wasm-core" });

const typescriptLane: readonly Step[] = [
  { name: "format", run: () => runCommand("oxfmt", ["--check", "."]) },
  { name: "lint", run: () => runCommand("oxlint", ["--type-aware", "--deny-warnings"]) },
  ...TYPED.map((name) => ({
    name: `types ${name}`,
    run: () => runCommand("tsc", ["-p", name]),
  })),
  {
    name: "generated",
    run: () => runCommand(process.execPath, ["scripts/generate.ts", "--check"]),
  },
  { name: "flaky", run: checkFlakyRows },
  { name: "packages", run: () => runCommand(process.execPath, ["scripts/checkPackages.ts"]) },
  {
    name: "typedoc",
    run: () => runCommand(process.execPath, ["scripts/typedoc/documentTypes.ts"]),
  },
  {
    name: "unit",
    run: () => {
      const projects = ["unit", "unitAlone", "architecture"];
      return runCommand("vitest", ["run", ...projects.flatMap((name) => ["--project", name])]);
    },
  },
];

const rustLane: readonly Step[] = [
  { name: "rustfmt", run: () => cargo("fmt", "--all", "--check") },
  { name: "rustfmt oracle", run: () => cargo("fmt", "--check", "--manifest-path", ORACLE) },
  { name: "rustfmt glue", run: () => cargo("fmt", "--check", "--manifest-path", GLUE) },
  {
    name: "clippy",
    run: () =>
      cargo(
        "clippy",
        "--locked",
        "--workspace",
        "--all-targets",
        "--quiet",
        "--",
        "-D",
        "warnings",
      ),
  },
  {
    // All crates again take some 20 s of the processor, and a tree without changes none.
    name: "rustdoc",
    run: () =>
      runCommand(
        "cargo",
        ["doc", "--locked", "--workspace", "--no-deps", "--document-private-items", "--quiet"],
        { folder: "wasm-core", environment: { RUSTDOCFLAGS: "-D warnings" } },
      ),
  },
  { name: "cargo unit", run: () => cargo("test", "--locked", "--workspace", "--lib", "--quiet") },
  { name: "crates", run: () => runCommand(process.execPath, ["scripts/checkCrates.ts"]) },
];

/** False alarms that were registered long ago: they are mended, not kept. */
async function checkFlakyRows(): Promise<CommandResult> {
  const old = await oldRows(readFlakyRows(), gitHere);
  return { status: old.length === 0 ? 0 : 1, output: old.join("\n"), seconds: 0 };
}

async function runLane(steps: readonly Step[], wanted: ReadonlySet<string>): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of steps) {
    if (!wanted.has(name)) continue;
    const { status, output, seconds } = await run();
    const verdict = status === 0 ? "ok" : "FAILED";
    console.log(`${verdict.padEnd(7)}${name} (${seconds.toFixed(1)} s)`);
    // What was left out is told also when all is well.
    if (status === 0) process.stdout.write(output.match(/^advisories: .*\n/m)?.[0] ?? "");
    if (status === 0) continue;
    console.log(output.trimEnd());
    failed.push(name);
  }
  return failed;
}

const start = performance.now();
const steps = [...typescriptLane, ...rustLane].map(({ name }) => name);
const named = process.argv.slice(2).filter((name) => name !== NO_TESTS);
const wanted = new Set(named.length > 0 ? named : steps);
if (process.argv.includes(NO_TESTS)) for (const name of TESTS) wanted.delete(name);
const lanes = await Promise.all([runLane(typescriptLane, wanted), runLane(rustLane, wanted)]);
const failed = lanes.flat();
const seconds = ((performance.now() - start) / 1000).toFixed(0);
console.log(failed.length === 0 ? `check passed (${seconds} s)` : `failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
