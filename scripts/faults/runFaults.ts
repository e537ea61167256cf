/**
 * Faults that tests must notice: `npm run test:faults`, or with ids of faults to try these alone.
 *
 * Draws 60 of `faults.json` by a seed (`SVC_SEED`, 39 when it is not set) and tries each in a copy of the checked-out commit: the
 * tests that reach its file, then the files that the rule of `npm test` chooses, up to the first red one. What came of it is kept,
 * so a run that was stopped resumes. The last line is `N passed, N failed`: caught, and survived or not to be judged.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { INTERRUPTED, ROOT } from "../lib/command.ts";
import { interruption } from "../lib/interruption.ts";
import { checkedOutSources, RECORDS } from "../lib/sourceCommit.ts";
import { drawFaults, readFaults, type Fault } from "./fault.ts";
import { judgeFault } from "./faultJudge.ts";
import { FaultRecords } from "./faultRecords.ts";
import { FaultTree } from "./faultTree.ts";

const DRAWN = 60;

const signal = interruption();
const seed = process.env["SVC_SEED"] ?? "39";
const { faults } = readFaults(readFileSync(new URL("faults.json", import.meta.url), "utf8"));
const commit = await checkedOutSources();
const tree = await FaultTree.open(commit, signal);
const records = new FaultRecords(join(ROOT, RECORDS, "faults"), commit);
const chosen = chooseFaults(process.argv.slice(2));
console.log(`commit ${commit}, SVC_SEED=${seed}: ${chosen.length} of ${faults.length} faults`);
for (const fault of chosen) {
  if (records.lastOf(fault.id) === undefined && !signal.aborted) await tryOne(fault);
}
report();

function chooseFaults(ids: readonly string[]): readonly Fault[] {
  if (ids.length === 0) return drawFaults(faults, DRAWN, seed);
  return ids.map((id) => {
    const found = faults.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no fault called ${id}`);
    return found;
  });
}

async function tryOne(fault: Fault): Promise<void> {
  const { id } = fault;
  const start = performance.now();
  console.log(`${id}: ${fault.file}: ${fault.what}`);
  try {
    const trial = await judgeFault(tree, fault, (text) => console.log(text));
    const seconds = Math.round((performance.now() - start) / 1000);
    const day = new Date().toISOString().slice(0, 10);
    records.add({ id, commit, ...trial, seconds, day });
    console.log(`  ${trial.verdict} (${seconds} s)`);
  } catch (error) {
    if (!signal.aborted)
      console.log(
        `  not judged: ${error instanceof Error ? error.message.slice(-4_000) : String(error)}`,
      );
  }
}

function report(): void {
  const found = chosen.map(({ id }) => ({ id, record: records.lastOf(id) }));
  const caught = found.filter(({ record }) => record?.verdict === "caught").length;
  for (const { id, record } of found) {
    if (record === undefined) console.log(`not judged: ${id}`);
    else if (record.verdict === "survived") console.log(`survived: ${id}`);
  }
  console.log(`${caught} passed, ${found.length - caught} failed`);
  process.exitCode = caught === found.length ? 0 : 1;
  if (signal.aborted) process.exitCode = INTERRUPTED;
}
