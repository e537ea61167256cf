/** Reading test counts out of what the runners report. */

/** Tests that ran. Skipped ones count in neither. */
export type Tally = { readonly passed: number; readonly failed: number };

/** Sums the `test result:` lines of `cargo test`, one per test program. */
export function countCargo(output: string): Tally {
  let passed = 0;
  let failed = 0;
  // oxlint-disable-next-line no-control-regex -- cargo colours its output
  const plain = output.replaceAll(/\u001b\[[0-9;]*m/g, "");
  for (const [, good, bad] of plain.matchAll(/^test result: .* (\d+) passed; (\d+) failed;/gm)) {
    passed += Number(good);
    failed += Number(bad);
  }
  return { passed, failed };
}

/** Reads the last `N passed, N failed` of a program that counts for itself. */
export function countProgram(output: string): Tally {
  const [, passed = "0", failed = "0"] =
    [...output.matchAll(/^(\d+) passed, (\d+) failed$/gm)].at(-1) ?? [];
  return { passed: Number(passed), failed: Number(failed) };
}

/** Reads vitest's JSON report. A file that failed to load counts as one failure. */
export function countVitest(text: string): Tally {
  const report: unknown = JSON.parse(text);
  const failedFiles = testFiles(report).filter(
    (file) => file.status === "failed" && file.assertions === 0,
  );
  return {
    passed: numberIn(report, "numPassedTests"),
    failed: numberIn(report, "numFailedTests") + failedFiles.length,
  };
}

function numberIn(value: unknown, field: string): number {
  if (typeof value !== "object" || value === null) return 0;
  const found: unknown = Object.entries(value).find(([name]) => name === field)?.[1];
  return typeof found === "number" ? found : 0;
}

function testFiles(report: unknown): { status: string; assertions: number }[] {
  if (typeof report !== "object" || report === null || !("testResults" in report)) return [];
  if (!Array.isArray(report.testResults)) return [];
  return report.testResults.map((file: { status?: unknown; assertionResults?: unknown }) => ({
    status: String(file.status),
    assertions: Array.isArray(file.assertionResults) ? file.assertionResults.length : 0,
  }));
}
