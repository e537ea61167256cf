/**
 * Test runner of all suites, which sums their results up: `npm test [-- NAME…]`, `npm run test:full [-- NAME…]`, `npm run
 * test:full -- all`.
 *
 * The last line is `N passed, N failed, N skipped` over all runners. A suite that ends badly without naming a failed test
 * (a build error, its time bound) counts as one failure, and so does one in which nothing ran.
 */
import { runAll } from "./full-runs/runAll.ts";
import { INTERRUPTED } from "./lib/command.ts";
import { interruption } from "./lib/interruption.ts";
import { runSuites } from "./lib/runSuites.ts";
import { tallyText } from "./lib/tally.ts";
import { chooseSuites } from "./suites.ts";

const args = process.argv.slice(2);
const size = args.includes("--full") ? "full" : "reduced";
const names = args.filter((arg) => !arg.startsWith("--"));
const signal = interruption();

const isAll = size === "full" && names.length === 1 && names[0] === "all";
const tally = isAll
  ? await runAll(signal)
  : await runSuites(chooseSuites(size, names), { size, signal });
console.log(tallyText(tally));
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
if (signal.aborted) process.exitCode = INTERRUPTED;
