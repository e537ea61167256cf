/** Seconds of suites and test files, as the last whole run measured them. */
import { SUITE_UNIT } from "../choice/shownRooms.ts";
import type { ChosenSuite } from "../lib/runSuites.ts";
import { SUITES } from "../suites.ts";
import type { LastPassed } from "./passedFile.ts";

/** Seconds that a unit adds to the run: files of a suite run several at a time. Empty without a whole run. */
export function measuredSeconds(last: LastPassed): ReadonlyMap<string, number> {
  if ("refused" in last) return new Map();
  const { files, suites } = last.passed;
  const workers = (file: string): number =>
    SUITES.find(({ name }) => file.startsWith(`tests/${name}/`))?.workers ?? 1;
  return new Map([
    ...Object.entries(files).map(([file, seconds]) => [file, seconds / workers(file)] as const),
    ...Object.entries(suites).map(([name, seconds]) => [SUITE_UNIT + name, seconds] as const),
  ]);
}

/** The suites with the seconds that each is expected to run; those that nobody measured have none. */
export function withSeconds(
  chosen: readonly ChosenSuite[],
  last: LastPassed,
): readonly ChosenSuite[] {
  const seconds = measuredSeconds(last);
  return chosen.map((one) => {
    const units = one.files ?? [SUITE_UNIT + one.suite.name];
    const known = units.flatMap((unit) => seconds.get(unit) ?? []);
    return known.length === 0 ? one : { ...one, seconds: known.reduce((sum, each) => sum + each) };
  });
}
