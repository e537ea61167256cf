/**
 * Test runner of all suites, which sums their results up: `npm test [-- all | NAME…]`, `npm run test:full [-- all | NAME…]`.
 *
 * `npm test` runs T0 and T1, and of T2 what the change since the last whole run can reach, within a budget. `npm test -- all`
 * runs all of T0 to T2; a run of a clean tree that passes writes `tests/passed.json`. The last line is `N passed, N failed, N
 * skipped` over all runners. A suite that ends badly without naming a failed test (a build error, its time bound) counts as
 * one failure, and so does one in which nothing ran.
 */
import { runAll } from "./full-runs/runAll.ts";
import { chooseGate } from "./gate/chooseGate.ts";
import { keepPassed } from "./gate/keepPassed.ts";
import { runGate } from "./gate/runGate.ts";
import { INTERRUPTED } from "./lib/command.ts";
import { interruption } from "./lib/interruption.ts";
import { gitHere } from "./lib/sourceCommit.ts";
import { tallyText, type Tally } from "./lib/tally.ts";
import { chooseSuites, gateSuites } from "./suites.ts";

const args = process.argv.slice(2);
const size = args.includes("--full") ? "full" : "reduced";
const names = args.filter((arg) => !arg.startsWith("--"));
const signal = interruption();
const isAll = names.length === 1 && names[0] === "all";

/** All suites of the reduced size; the record of a run that passed. */
async function runWhole(): Promise<Tally> {
  const chosen = chooseSuites("reduced", []).map((suite) => ({ suite }));
  const keep = await keepPassed(gitHere);
  const run = await runGate(chosen, { size, signal });
  if (run.tally.failed === 0) await keep(run.ends);
  return run.tally;
}

/** T0 and T1, and of T2 what the change can reach. */
async function runChosen(): Promise<Tally> {
  const gate = gateSuites().map((suite) => ({ suite }));
  const chosen = await chooseGate(gitHere);
  console.log(chosen.text);
  return (await runGate([...gate, ...chosen.suites], { size, signal })).tally;
}

async function run(): Promise<Tally> {
  if (isAll) return size === "full" ? runAll(signal) : runWhole();
  if (names.length === 0 && size === "reduced") return runChosen();
  const named = chooseSuites(size, names).map((suite) => ({ suite }));
  return (await runGate(named, { size, signal })).tally;
}

const tally = await run();
console.log(tallyText(tally));
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
if (signal.aborted) process.exitCode = INTERRUPTED;
