/**
 * Runs the test suites and sums them up: `npm test [-- NAME…]`, `npm run test:full [-- NAME…]`.
 *
 * The last line is `N passed, N failed` over all runners. A suite that ends badly without naming a
 * failed test (a build error, its time bound) counts as one failure.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand, type CommandResult } from "./lib/command.ts";
import { countCargo, countProgram, countVitest, type Tally } from "./lib/tally.ts";
import { chooseSuites, type Suite } from "./suites.ts";

const args = process.argv.slice(2);
const size = args.includes("--full") ? "full" : "reduced";
const names = args.filter((arg) => !arg.startsWith("--"));

async function runSuite(suite: Suite, folder: string): Promise<Tally> {
  const limitMs = suite.seconds[size] * 1000;
  const options = {
    show: true,
    environment: { SVC_TEST_SIZE: size },
    signal: AbortSignal.timeout(limitMs),
  };
  console.log(`\n# ${suite.name}: ${suite.about} (${size} size, at most ${limitMs / 60_000} min)`);
  if (suite.kind === "cargo") {
    const cargoArgs = ["test", "--locked", "--no-fail-fast", ...suite.arguments];
    const result = await runCommand("cargo", cargoArgs, { ...options, folder: "wasm-core" });
    return settle(countCargo(result.output), result);
  }
  if (suite.kind === "wasm") {
    const wasmArgs = ["scripts/testWasm.ts", ...suite.arguments];
    const result = await runCommand(process.execPath, wasmArgs, options);
    return settle(countCargo(result.output), result);
  }
  if (suite.kind === "program") {
    const result = await runCommand(process.execPath, suite.arguments, options);
    return settle(countProgram(result.output), result);
  }
  const report = join(folder, `${suite.name}.json`);
  const projects = suite.arguments.flatMap((name) => ["--project", name]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const workers = [`--maxWorkers=${size === "full" ? 1 : (suite.workers ?? 1)}`];
  const result = await runCommand(
    "vitest",
    ["run", ...workers, ...projects, ...reporters],
    options,
  );
  const text = await readFile(report, "utf8").catch(() => "{}");
  return settle(countVitest(text), result);
}

/** A bad end that no failed test explains is a failure of its own. */
function settle(tally: Tally, result: CommandResult): Tally {
  if (result.status === 0 || tally.failed > 0) return tally;
  return { passed: tally.passed, failed: 1 };
}

const folder = await mkdtemp(join(tmpdir(), "svc-test-"));
const lines: string[] = [];
let passed = 0;
let failed = 0;
try {
  for (const suite of chooseSuites(size, names)) {
    const start = performance.now();
    const tally = await runSuite(suite, folder);
    passed += tally.passed;
    failed += tally.failed;
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    lines.push(
      `${suite.name.padEnd(12)} ${tally.passed} passed, ${tally.failed} failed (${seconds} s)`,
    );
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
console.log(`\n${lines.join("\n")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
