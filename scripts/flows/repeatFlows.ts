/**
 * Repeats each flow of tier T1 alone beside busy processes: `npm run test:flows [-- --runs N] [--beside N]`, 20 runs beside six
 * where nothing is said.
 *
 * Each run is kept below `docs/records/flows` with its commit; a run that was stopped goes on with the flow that ran least. The
 * last line is `N passed, N failed`, in runs of flows, those of earlier commits included.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { INTERRUPTED, ROOT } from "../lib/command.ts";
import { interruption } from "../lib/interruption.ts";
import { KeptOutput } from "../lib/keptOutput.ts";
import { machineText } from "../lib/machine.ts";
import { runSuite } from "../lib/runSuite.ts";
import { checkedOutSources, RECORDS } from "../lib/sourceCommit.ts";
import { chooseSuites, FLOW_FILES } from "../suites.ts";
import { FlowRecords, isRed, type FlowRun } from "./flowRecords.ts";
import { startBusyProcesses } from "./startBusyProcesses.ts";

const { values } = parseArgs({
  options: { runs: { type: "string" }, beside: { type: "string" } },
});
const wanted = wholeNumber(values.runs ?? "20");
const beside = wholeNumber(values.beside ?? "6");
const signal = interruption();
const [suite] = chooseSuites("reduced", ["flows"]);
const records = new FlowRecords(join(ROOT, RECORDS, "flows"), await checkedOutSources());

const end = startBusyProcesses(beside);
try {
  await repeat();
} finally {
  end();
}
report();

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${text} is no number of runs or processes`);
  return Number(text);
}

async function repeat(): Promise<void> {
  if (suite === undefined) throw new Error("there is no suite of flows");
  for (;;) {
    const flow = records.nextOf(FLOW_FILES, beside, wanted);
    if (flow === null) return;
    const output = new KeptOutput();
    const { tally, failures, seconds } = await runSuite(suite, {
      size: "reduced",
      part: [flow],
      signal,
      show: output.show,
    });
    if (signal.aborted) return;
    const run: FlowRun = {
      flow,
      beside,
      passed: tally.passed,
      failed: tally.failed,
      seconds: Math.round(seconds),
      day: new Date().toISOString().slice(0, 10),
      machine: machineText(),
      reasons: failures.map(({ test, reason }) => `${test ?? "the file"}: ${reason}`),
    };
    records.add(run);
    if (isRed(run)) console.log(output.text);
    console.log(`${isRed(run) ? "FAILED" : "ok"} ${flow} (${run.seconds} s)`);
  }
}

function report(): void {
  const sums = FLOW_FILES.map((flow) => ({ flow, ...records.sumOf(flow, beside) }));
  for (const { flow, runs, red, seconds } of sums) {
    const mean = runs === 0 ? "–" : (seconds / runs).toFixed(0);
    console.log(`${flow}: ${runs} runs beside ${beside}, ${red} red, ${mean} s each`);
  }
  const red = sums.reduce((sum, one) => sum + one.red, 0);
  const runs = sums.reduce((sum, one) => sum + one.runs, 0);
  console.log(`${runs - red} passed, ${red} failed`);
  const isWhole = sums.every((one) => one.runs >= wanted);
  process.exitCode = red === 0 && isWhole ? 0 : 1;
  if (signal.aborted) process.exitCode = INTERRUPTED;
}
