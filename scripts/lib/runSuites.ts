/** Running suites one after the other. */
import type { Suite } from "../suites.ts";
import { drawSeed, endLine, runSuite } from "./runSuite.ts";
import { NO_TESTS, sumTallies, type Tally } from "./tally.ts";

/** Runs suites in their order and shows what came of each. One that an interruption leaves out counts as a failure. */
export async function runSuites(
  suites: readonly Suite[],
  { size, signal }: { readonly size: "reduced" | "full"; readonly signal: AbortSignal },
): Promise<Tally> {
  const drawn = size === "full" ? drawSeed() : undefined;
  const lines: string[] = [];
  const tallies: Tally[] = [];
  for (const suite of suites) {
    if (signal.aborted) {
      lines.push(`${suite.name.padEnd(12)} not run`);
      tallies.push({ ...NO_TESTS, failed: 1 });
      continue;
    }
    const seed = suite.isSeeded === true ? drawn : undefined;
    const limit = `${size} size, at most ${suite.seconds[size] / 60} min`;
    const named = seed === undefined ? limit : `${limit}, SVC_SEED=${seed}`;
    console.log(`\n# ${suite.name}: ${suite.about} (${named})`);
    const end = await runSuite(suite, { size, seed, signal });
    tallies.push(end.tally);
    lines.push(endLine(suite.name, end));
  }
  console.log(`\n${lines.join("\n")}`);
  return sumTallies(tallies);
}
