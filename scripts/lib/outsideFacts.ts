/**
 * Facts of a run that vitest's JSON report leaves out: hooks of groups that failed, errors that no test caught, seconds of files
 * with their hooks and imports, and the load when a test failed. `OutsideFactsReporter` writes them, `runSuite` reads them. Paths
 * are below the project's root.
 */
import * as v from "valibot";

/** The environment variable with the path of the file that the reporter writes. */
export const FACTS_VARIABLE = "SVC_OUTSIDE_FACTS";

const outsideFacts = v.object({
  /** Groups whose own hooks failed; their files' hooks are in vitest's report. */
  groups: v.array(v.object({ file: v.string(), group: v.string(), message: v.string() })),
  /** Messages of errors that no test caught. */
  uncaught: v.array(v.string()),
  /** Seconds of each file, by its path: imports, hooks and tests. */
  seconds: v.record(v.string(), v.number()),
  /** Load of the machine when the first test of a file failed, by the file's path. */
  loads: v.record(v.string(), v.array(v.number())),
});

/** The facts of one run. */
export type OutsideFacts = v.InferOutput<typeof outsideFacts>;

/** A failure outside of tests: that of a file, or of a whole run. */
type OutsideFailure = {
  readonly file: string | null;
  readonly test: null;
  readonly reason: string;
};

/** Of a runner that writes none, or that ended before it could. */
const NO_FACTS: OutsideFacts = { groups: [], uncaught: [], seconds: {}, loads: {} };

/** Reads the file of the reporter. A text that is missing or torn has nothing. */
export function readOutsideFacts(text: string): OutsideFacts {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), outsideFacts), text);
  return read.success ? read.output : NO_FACTS;
}

/** The failures among them. A group's failure is its file's: tests that its hook kept from running have no result of their own. */
export function outsideFailures({ groups, uncaught }: OutsideFacts): readonly OutsideFailure[] {
  return [
    ...groups.map(({ file, group, message }) => ({
      file,
      test: null,
      reason: `a hook of "${group}" failed: ${message}`,
    })),
    ...uncaught.map((message) => ({
      file: null,
      test: null,
      reason: `an error that no test caught: ${message}`,
    })),
  ];
}
