/**
 * Mutation testing of the files that hold consensus rules: `npm run test:full -- mutants`.
 *
 * Draws 120 by a seed (`SVC_SEED`, 16 when it is not set), tries each against the tests of the core in a copy of the commit
 * that is checked out, and keeps what came of it: a run that was stopped goes on where it was. The last line is `N passed,
 * N failed`: caught mutants, and survivors that count. It fails when less than 95 of 100 viable ones are caught, and when a
 * survivor has no reason in docs/testing.md.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cargoTool, CARGO_MUTANTS } from "./lib/cargoTools.ts";
import { ROOT } from "./lib/command.ts";
import { RECORDS } from "./lib/sourceCommit.ts";
import { MutantJudge } from "./mutants/mutantJudge.ts";
import { drawMutants, readMutants, stableName, type Mutant } from "./mutants/mutant.ts";
import { MutantRecords, type MutantRecord } from "./mutants/mutantRecords.ts";
import { describeSum, hasPassed, sumMutants } from "./mutants/mutantReport.ts";
import { MutantTree } from "./mutants/mutantTree.ts";

const DRAWN = 120;
const RESULTS = join(ROOT, RECORDS, "mutants");

// Its child processes end with it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

const seed = process.env["SVC_SEED"] ?? "16";
const program = await cargoTool(CARGO_MUTANTS);
const tree = await MutantTree.open();
const all = readMutants(await tree.list(program));
const judge = new MutantJudge(tree);
const drawn = drawMutants(all, DRAWN, seed);
const records = new MutantRecords(RESULTS, tree.commit);
const open = drawn.filter(({ name }) => records.lastOf(name) === undefined);
console.log(
  `commit ${tree.commit}, SVC_SEED=${seed}: ${drawn.length} of ${all.length} mutants drawn`,
);
console.log(`${drawn.length - open.length} of them were tried before`);

for (const mutant of open) await tryMutant(mutant);
report(drawn.flatMap(({ name }) => records.lastOf(name) ?? []));

async function tryMutant(mutant: Mutant): Promise<void> {
  const start = performance.now();
  const verdict = await judge.judge(mutant);
  const seconds = (performance.now() - start) / 1000;
  records.add({ mutant: mutant.name, commit: tree.commit, verdict, seconds });
  console.log(`${verdict.padEnd(8)} ${mutant.name} (${seconds.toFixed(0)} s)`);
}

function report(tried: readonly MutantRecord[]): void {
  const sum = sumMutants(tried, readFileSync(join(ROOT, "docs", "testing.md"), "utf8"));
  for (const name of sum.survivors) {
    const has = sum.unexplained.includes(name) ? "no reason" : "a reason";
    console.log(`survivor with ${has} in docs/testing.md: \`${stableName(name)}\` at ${name}`);
  }
  const passed = hasPassed(sum);
  console.log(`mutants: ${describeSum(sum)}, SVC_SEED=${seed}, commit ${tree.commit}`);
  console.log(`${sum.caught} passed, ${passed ? 0 : Math.max(1, sum.unexplained.length)} failed`);
  process.exitCode = passed ? 0 : 1;
}
