/** The pass table of a drill as text. */
import type { DrillRow } from "./runScenes.ts";

const HEAD = ["scene", "when", "expected", "seen", ""] as const;
const GAP = "  ";

/** A line for each thing that was looked at; the last one of a scene says whether the scene passed. */
export function drillTable(rows: readonly DrillRow[]): readonly string[] {
  const cells = rows.flatMap(({ scene, checks, pass }) =>
    checks.map(({ when, expected, seen }, place) => [
      place === 0 ? scene : "",
      when,
      expected,
      seen,
      place < checks.length - 1 ? "" : pass ? "pass" : "FAIL",
    ]),
  );
  const lines = [[...HEAD], ...cells];
  const widths = HEAD.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}
