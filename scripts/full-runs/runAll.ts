/**
 * Full-size run of every test suite, which resumes after an interruption: `npm run test:full -- all`.
 *
 * Runs part after part, keeps what came of each by commit, and runs no part again that has passed at this commit; one that
 * failed is repeated with its seed. When all have run, their sum is a row of docs/testing.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileTests } from "../gate/compileTests.ts";
import { INTERRUPTED, ROOT, TIMED_OUT } from "../lib/command.ts";
import { machineText } from "../lib/machine.ts";
import { drawSeed, endLine, runSuite, type SuiteEnd } from "../lib/runSuite.ts";
import { checkedOutSources, RECORDS } from "../lib/sourceCommit.ts";
import { NO_TESTS, sumTallies, type Tally } from "../lib/tally.ts";
import { SUITES, type Suite } from "../suites.ts";
import { fullRunRow, withFullRunRow } from "./fullRunRow.ts";
import { PartRecords } from "./partRecords.ts";
import { partsOf, type SuitePart } from "./suiteParts.ts";

/** Arguments of a full run: the commit, its suites, and where results are kept. */
export type FullRun = {
  readonly suites: readonly Suite[];
  readonly commit: string;
  /** Folder of the records. */
  readonly records: string;
  /** The document with the table. */
  readonly document: string;
};

/** Runs all suites of the commit that is checked out. Rejects when there are changes to commit. */
export async function runAll(signal: AbortSignal): Promise<Tally> {
  return runParts(
    {
      suites: SUITES,
      commit: await checkedOutSources(),
      records: join(ROOT, RECORDS, "suites"),
      document: join(ROOT, "docs", "testing.md"),
    },
    signal,
  );
}

/** Runs the parts that have not passed. A part that an interruption cut off or left out is a failure in the sum. */
export async function runParts(run: FullRun, signal: AbortSignal): Promise<Tally> {
  const parts = run.suites.flatMap(partsOf);
  const records = new PartRecords(run.records, run.commit);
  const seed = records.seed ?? drawSeed();
  const open = parts.filter(({ name }) => records.lastOf(name)?.failed !== 0);
  console.log(`commit ${run.commit}: ${open.length} of ${parts.length} parts to run`);
  // A part whose programs do not build fails when it runs, and says why.
  const suites = new Set(open.map(({ suite }) => suite));
  await compileTests(Array.from(suites), { size: "full", signal });
  for (const part of open) {
    if (signal.aborted) break;
    await runPart(part, { records, seed, signal });
  }
  const names = parts.map(({ name }) => name);
  const missing = names.filter((name) => records.lastOf(name) === undefined);
  if (missing.length === 0) {
    const row = fullRunRow(names, records, run.commit);
    writeFileSync(run.document, withFullRunRow(readFileSync(run.document, "utf8"), row));
    console.log(row);
  } else {
    console.log(`not run: ${missing.join(", ")}`);
  }
  return sumTallies(names.map((name) => records.lastOf(name) ?? { ...NO_TESTS, failed: 1 }));
}

/** Whether a part was stopped with more to do: that says nothing of it. Programs keep records of their own and go on. */
function wasCutOff({ kind }: Suite, { status }: SuiteEnd): boolean {
  return status === INTERRUPTED || (kind === "program" && status === TIMED_OUT);
}

async function runPart(
  { name, suite, part, filter }: SuitePart,
  run: { readonly records: PartRecords; readonly seed: number; readonly signal: AbortSignal },
): Promise<void> {
  const seed = suite.isSeeded === true ? run.seed : null;
  console.log(`\n# ${name}: ${suite.about}${seed === null ? "" : ` (SVC_SEED=${seed})`}`);
  const options = { size: "full", seed: seed ?? undefined, part, filter } as const;
  const end = await runSuite(suite, { ...options, signal: run.signal });
  console.log(endLine(name, end));
  if (wasCutOff(suite, end)) return;
  const day = new Date().toISOString().slice(0, 10);
  run.records.add({
    part: name,
    ...end.tally,
    seed,
    seconds: Math.round(end.seconds),
    day,
    machine: machineText(),
  });
}
