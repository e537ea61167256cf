/** Test counts: parsers for what the test runners report. */

/** Tests of a run. One that was to run and did not end has failed; skipped is what was left out on purpose. */
export type Tally = { readonly passed: number; readonly failed: number; readonly skipped: number };

/** The counts of a run without tests. */
export const NO_TESTS: Tally = { passed: 0, failed: 0, skipped: 0 };

/** The sum of several counts. */
export function sumTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
    }),
    NO_TESTS,
  );
}

/** The counts as text: `3 passed, 0 failed, 1 skipped`. */
export function tallyText({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

/**
 * Reads the output of `cargo test`: one `test result:` line per test program. Of a program that ended before that line, what
 * it had announced and not passed has failed; a program that failed and was not seen at all is one failure.
 */
export function countCargo(output: string): Tally {
  // oxlint-disable-next-line no-control-regex -- cargo colours its output
  const plain = output.replaceAll(/\u001b\[[0-9;]*m/g, "");
  const programs = plain.split(/^running (?=\d+ tests?$)/m).slice(1);
  const counts = programs.map(countProgramOfCargo);
  const failedPrograms = counts.filter(({ failed }) => failed > 0).length;
  const named = Number(/^error: (\d+) targets? failed:$/m.exec(plain)?.[1] ?? 0);
  const unseen = Math.max(0, named - failedPrograms);
  return sumTallies([...counts, { ...NO_TESTS, failed: unseen }]);
}

const RESULT = /^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored;/m;

/** Reads what follows `running ` of one test program. */
function countProgramOfCargo(text: string): Tally {
  const [, passed, failed, skipped] = RESULT.exec(text) ?? [];
  if (passed !== undefined) {
    return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
  }
  const announced = Number.parseInt(text, 10);
  const ended = (how: string) =>
    [...text.matchAll(new RegExp(`^test .* \\.\\.\\. ${how}`, "gm"))].length;
  const seen = { passed: ended("ok"), skipped: ended("ignored") };
  return { ...seen, failed: Math.max(1, announced - seen.passed - seen.skipped) };
}

/** Reads the last `N passed, N failed` of a program that counts for itself; `, N skipped` may follow. */
export function countProgram(output: string): Tally {
  const lines = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)];
  const [, passed = "0", failed = "0", skipped = "0"] = lines.at(-1) ?? [];
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) };
}
