/**
 * Crash tests with 11,500 kills at random points: `npm run test:full -- kills`.
 *
 * Runs each crash-test source until it has its number of kill points at the commit that is checked out. Points of several
 * runs add up; a run that was stopped goes on where it was. `SVC_KILL_KINDS=program,tab` runs and judges these kinds alone. The last
 * line is `N passed, N failed`: points after which everything acknowledged was there, and those after which it was not.
 */
import { join } from "node:path";
import { ROOT, runCommand } from "./lib/command.ts";
import { checkedOutSources, RECORDS } from "./lib/sourceCommit.ts";
import { countKills, hasReached, KillRecords, killRow } from "./kills/killRecords.ts";
import { KILL_SOURCES, type KillSource } from "./kills/killSources.ts";

/** Seconds that one run may take. */
const RUN_SECONDS = 7_200;

// What it started ends with it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));

const commit = await checkedOutSources();
const records = new KillRecords(join(ROOT, RECORDS, "kills"), commit);
const wanted = process.env["SVC_KILL_KINDS"]?.split(",");
for (const source of KILL_SOURCES) {
  if (wanted !== undefined && !wanted.includes(source.kind)) continue;
  while (records.pointsOf(source.kind) < source.goal) {
    if (!(await runOnce(source))) break;
  }
}
report();

/** Runs a source once; false when it failed. */
async function runOnce(source: KillSource): Promise<boolean> {
  const { kind, goal, perRun } = source;
  const seed = records.nextSeed(kind);
  const kills = Math.min(perRun, goal - records.pointsOf(kind));
  console.log(`${kind} (${source.about}): ${kills} points, seed ${seed}`);
  const { status, output, seconds } = await runCommand(source.runner, source.arguments, {
    folder: source.runner === "cargo" ? "wasm-core" : "",
    environment: {
      SVC_TEST_SIZE: "full",
      SVC_KILLS: String(kills),
      SVC_SEED: String(seed),
    },
    seconds: RUN_SECONDS,
  });
  const counted = countKills(output, kind);
  const failed = status !== 0 || counted.points === 0;
  const lost = failed ? Math.max(1, counted.lost) : counted.lost;
  const day = new Date().toISOString().slice(0, 10);
  records.add({ kind, seed, points: counted.points, lost, day });
  if (failed) console.log(output.slice(-20_000));
  console.log(
    `${kind}: ${records.pointsOf(kind)} of ${goal}, ${lost} lost (${seconds.toFixed(0)} s)`,
  );
  return lost === 0;
}

function report(): void {
  for (const { kind, goal, about } of KILL_SOURCES) {
    console.log(`${kind.padEnd(8)} ${records.pointsOf(kind)} of ${goal}: ${about}`);
  }
  const points = records.all.reduce((sum, one) => sum + one.points, 0);
  const lost = records.all.reduce((sum, one) => sum + one.lost, 0);
  console.log(`row for docs/testing.md: ${killRow(records, commit)}`);
  if (lost > 0) console.log(`runs that failed stay in ${records.file}`);
  const passed = hasReached(records, wanted);
  console.log(`${points} passed, ${passed ? 0 : Math.max(1, lost)} failed`);
  process.exitCode = passed ? 0 : 1;
}
