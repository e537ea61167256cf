/**
 * Speed check against an earlier commit: `npm run bench:changes`. Fails when one of the compared figures is slower than it was by
 * more than chance gives (`npm run bench -- NAME --against COMMIT`), or cannot be measured.
 *
 * Building another commit takes minutes. Where no build of an earlier one is at hand the check is left out, and says so.
 */
import { earlierBuild } from "./bench/earlierBuild.ts";
import { LOST_STATUS } from "./bench/lostStatus.ts";
import { ROOT, runCommand } from "./lib/command.ts";

/** What users wait for, in sizes that take minutes together. */
const COMPARED = ["prove --actions 2", "scan", "ingest --blocks 2000", "ibd --blocks 2000"];
/** Rounds of each: a quarter of an hour for all on two cores. */
const ROUNDS = 5;

async function main(): Promise<number> {
  const commit = await earlierBuild(ROOT, isEarlier);
  if (commit === undefined) {
    console.log(
      "left out: there is no build of an earlier commit (npm run bench -- NAME --against COMMIT makes one)",
    );
    return 0;
  }
  const faults: string[] = [];
  for (const bench of COMPARED) {
    const args = [...bench.split(" "), "--against", commit, "--rounds", String(ROUNDS)];
    const { status } = await runCommand(process.execPath, ["scripts/bench.ts", ...args], {
      show: (chunk) => void process.stdout.write(chunk),
    });
    if (status === LOST_STATUS) faults.push(`${bench} is slower`);
    else if (status !== 0) faults.push(`${bench} could not be measured`);
  }
  console.log(faults.length === 0 ? `not slower than ${commit}` : faults.join(", "));
  return faults.length === 0 ? 0 : 1;
}

/** Whether a commit is known and lies before the one that is checked out. */
async function isEarlier(commit: string): Promise<boolean> {
  const git = async (...args: string[]) => (await runCommand("git", args)).status === 0;
  const isPast = await git("merge-base", "--is-ancestor", commit, "HEAD");
  return isPast && !(await git("merge-base", "--is-ancestor", "HEAD", commit));
}

process.exitCode = await main();
