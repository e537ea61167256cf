/**
 * Compilation of the test programs before any suite runs: what the suites of one workspace share is compiled once, and a
 * suite's bound of time counts running alone.
 */
import type { Suite } from "../suites.ts";
import { runCommand, type CommandResult } from "../lib/command.ts";
import type { RunOptions } from "../lib/runSuites.ts";

/** Bound of one compilation on a slow machine from nothing. */
const COMPILE_SECONDS = 3600;

/** One compilation. */
export type Compiled = {
  /** Of the suites that it is for. */
  readonly names: readonly string[];
  readonly seconds: number;
  readonly status: number;
};

type Compilation = {
  readonly names: readonly string[];
  readonly program: string;
  readonly args: readonly string[];
  readonly folder?: string;
};

/** The test programs of all crates of the workspace, whichever of its suites run. */
const WORKSPACE = ["test", "--locked", "--workspace", "--no-run", "--tests"];

/** The compilations that suites need. */
export function compilationsOf(suites: readonly Suite[]): readonly Compilation[] {
  const cargo = suites.filter(({ kind }) => kind === "cargo");
  const isOwn = ({ arguments: args }: Suite): boolean => args.includes("--manifest-path");
  const shared = cargo.filter((suite) => !isOwn(suite)).map(({ name }) => name);
  const own = cargo.filter(isOwn).map(({ name, arguments: args }) => ({
    names: [name],
    program: "cargo",
    args: ["test", "--locked", "--no-run", ...args],
    folder: "wasm-core",
  }));
  const wasm = suites
    .filter(({ kind }) => kind === "wasm")
    .map(({ name, arguments: args }) => ({
      names: [name],
      program: process.execPath,
      args: ["scripts/testWasm.ts", "--no-run", ...args],
    }));
  const all = { names: shared, program: "cargo", args: WORKSPACE, folder: "wasm-core" };
  return [...(shared.length > 0 ? [all] : []), ...own, ...wasm];
}

/** Compiles what suites need, one after the other: each uses all cores. Shows the output of one that failed. */
export async function compileTests(
  suites: readonly Suite[],
  { size, signal }: Pick<RunOptions, "size" | "signal">,
): Promise<readonly Compiled[]> {
  const done: Compiled[] = [];
  for (const { names, program, args, folder } of compilationsOf(suites)) {
    process.stderr.write(`# compiling ${names.join(", ")}\n`);
    const place = folder === undefined ? {} : { folder };
    // Crates read the size when they are built, some of them.
    const environment = { SVC_TEST_SIZE: size };
    const options = { ...place, environment, seconds: COMPILE_SECONDS, signal };
    const result: CommandResult = await runCommand(program, args, options);
    if (result.status !== 0) process.stderr.write(result.output);
    done.push({ names, seconds: result.seconds, status: result.status });
  }
  return done;
}
