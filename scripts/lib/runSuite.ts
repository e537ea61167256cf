/** Runner of one test suite, or of a part of one, which reads its results. */
import { readFile, rm } from "node:fs/promises";
import { randomInt } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Suite } from "../suites.ts";
import { ROOT, runCommand, TIMED_OUT, type CommandResult } from "./command.ts";
import { FACTS_VARIABLE, readOutsideFacts } from "./outsideFacts.ts";
import {
  failureLine,
  readCargoOutput,
  readProgramOutput,
  readVitestReport,
  suiteFailure,
  withOutsideFacts,
  type SuiteResult,
} from "./suiteResult.ts";
import { tallyText } from "./tally.ts";

/** How a suite is run. */
export type SuiteOptions = {
  readonly size: "reduced" | "full";
  /** Seed of tests with chance in them; the usual one of each test when left out. */
  readonly seed?: number | undefined;
  /** Ends the suite and everything that it started. */
  readonly signal?: AbortSignal;
  /** Further arguments of the runner, which choose a part of the suite. */
  readonly part?: readonly string[];
  /** Further arguments of the test programs, behind `--`. */
  readonly filter?: readonly string[];
  /** Where its output goes, standard error when left out. */
  readonly show?: (chunk: string | Uint8Array) => void;
};

/** How a suite ended. */
export type SuiteEnd = SuiteResult & {
  /** Of its runner; `TIMED_OUT` or `INTERRUPTED` for one that was ended. */
  readonly status: number;
  readonly seconds: number;
};

/** Compiled modules of the programs that tests start by the hundred, as `scripts/run.sh` has them for a node. */
const COMPILED = join(ROOT, ".cache", "modules");

/** Bound of what a suite's own set-up may take. A suite whose tools are missing skips what needs them. */
const SETUP_SECONDS = 600;

/** The largest seed that is drawn; every test can read it. */
const SEEDS = 2 ** 32;

/** Reporter of what vitest's JSON report leaves out. */
const FACTS_REPORTER = "scripts/lib/outsideFactsReporter.ts";

/** Failed tests that a suite's summary names. */
const SHOWN = 20;

/** The seed of a run that nobody has seen before: what `SVC_SEED` names, or a new one. */
export function drawSeed(): number {
  return givenSeed() ?? randomInt(SEEDS);
}

/** The seed in `SVC_SEED`; undefined where it is not set. */
export function givenSeed(): number | undefined {
  const given = process.env["SVC_SEED"];
  return given === undefined ? undefined : Number(given);
}

/** Runs a suite within its time. Never rejects: a suite that cannot be run has failed. */
export async function runSuite(suite: Suite, options: SuiteOptions): Promise<SuiteEnd> {
  const { size, seed, signal, show = (chunk) => void process.stderr.write(chunk) } = options;
  const report = join(tmpdir(), `svc-report-${process.pid}-${randomInt(SEEDS)}.json`);
  const facts = `${report}.facts`;
  const stop = signal === undefined ? {} : { signal };
  const seeds = seed === undefined ? {} : { SVC_SEED: String(seed) };
  const { program, args, folder } = commandOf(suite, options, report);
  if (suite.setup !== undefined) {
    const seconds = SETUP_SECONDS;
    await runCommand("sh", ["scripts/setup.sh", ...suite.setup], { show, seconds, ...stop });
  }
  const result = await runCommand(program, args, {
    ...(folder === undefined ? {} : { folder }),
    show,
    environment: {
      SVC_TEST_SIZE: size,
      NODE_COMPILE_CACHE: COMPILED,
      [FACTS_VARIABLE]: facts,
      ...seeds,
    },
    seconds: suite.seconds[size],
    ...stop,
  });
  const tests = await read(suite, result, { report, facts });
  const hasChosenFiles = suite.kind === "vitest" && (options.part ?? []).length > 0;
  const end = settle(suite, tests, { status: result.status, hasChosenFiles });
  return { ...end, status: result.status, seconds: result.seconds };
}

/** The line of a suite in the summary, and one below it for each test that failed. */
export function endLine(name: string, { tally, seconds, failures }: SuiteEnd): string {
  const line = `${name.padEnd(12)} ${tallyText(tally)} (${seconds.toFixed(0)} s)`;
  const rest = failures.length - SHOWN;
  const named = failures.slice(0, SHOWN).map((one) => `  failed: ${failureLine(one)}`);
  return [line, ...named, ...(rest > 0 ? [`  and ${rest} more`] : [])].join("\n");
}

type Command = { readonly program: string; readonly args: readonly string[]; folder?: string };

function commandOf(
  suite: Suite,
  { size, part = [], filter = [] }: SuiteOptions,
  report: string,
): Command {
  if (suite.kind === "cargo") {
    // Tests that take minutes are left out at the reduced size alone.
    const behind = [...(size === "full" ? ["--include-ignored"] : []), ...filter];
    const chosen = part.length > 0 ? withChoice(suite.arguments, part) : suite.arguments;
    const args = ["test", "--locked", "--no-fail-fast", ...chosen, "--", ...behind];
    return { program: "cargo", args, folder: "wasm-core" };
  }
  if (suite.kind === "wasm") {
    return { program: process.execPath, args: ["scripts/testWasm.ts", ...suite.arguments] };
  }
  if (suite.kind === "program") return { program: process.execPath, args: suite.arguments };
  const projects = suite.arguments.flatMap((name) => ["--project", name]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const own = [FACTS_REPORTER, ...(suite.reporters ?? [])].map(
    (path) => `--reporter=${join(ROOT, path)}`,
  );
  const workers = `--maxWorkers=${size === "full" ? 1 : (suite.workers ?? 1)}`;
  const config = suite.config === undefined ? [] : ["--config", suite.config];
  return {
    program: "vitest",
    args: ["run", workers, ...config, ...projects, ...reporters, ...own, ...part],
  };
}

/** Arguments of cargo with another choice of test programs; what is compiled for them stays the same. */
function withChoice(args: readonly string[], part: readonly string[]): readonly string[] {
  const choice = args.findIndex((one) => ["--tests", "--test"].includes(one));
  return [...(choice < 0 ? args : args.slice(0, choice)), ...part];
}

async function read(
  { kind }: Suite,
  { output }: CommandResult,
  { report, facts }: { readonly report: string; readonly facts: string },
): Promise<SuiteResult> {
  if (kind === "cargo") return readCargoOutput(output);
  if (kind !== "vitest") return readProgramOutput(output);
  const result = readVitestReport(await takenText(report));
  return withOutsideFacts(result, readOutsideFacts(await takenText(facts)));
}

/** The text of a file that a runner may have written, which is removed. */
async function takenText(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch(() => "");
  await rm(path, { force: true });
  return text;
}

/**
 * A bad end that no failed test explains is a failure of its own, and so is a suite in which nothing ran. Chosen files may have
 * nothing but tests of another size.
 */
function settle(
  suite: Suite,
  result: SuiteResult,
  { status, hasChosenFiles }: { readonly status: number; readonly hasChosenFiles: boolean },
): SuiteResult {
  if (result.tally.failed > 0) return result;
  if (status === TIMED_OUT) return suiteFailure(result, `${suite.name}: stopped, its time is over`);
  if (status !== 0) return suiteFailure(result, `${suite.name}: ended with status ${status}`);
  const { passed, skipped } = result.tally;
  if (passed > 0 || (hasChosenFiles && skipped > 0)) return result;
  return suiteFailure(result, `${suite.name}: nothing ran`);
}
