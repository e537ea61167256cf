/** CSV of the documents of charts: a line for each item of the JSON, with its digits, and nothing that a spreadsheet runs. */
import { describe, expect, it } from "vitest";
import { readCsv } from "../../base/csv.ts";
import { CSV_ROWS, csvOf, isCsvRow } from "./restCsv.ts";
import { REST_ROUTES } from "./restRoutes.ts";

const BOUNDS = { records: 1_000, fields: 20, chars: 100 };

function linesOf(csv: string): readonly (readonly string[])[] {
  return readCsv(csv, BOUNDS).map(({ fields }) => fields);
}

it("stands beside the charts, and beside nothing else", () => {
  expect(CSV_ROWS).toEqual(["pulse", "workHistory", "reorgs", "miners", "extremes"]);
  expect(["pulse", "block", "constructor", "__proto__"].map(isCsvRow)).toEqual([
    ...[true, false, false, false],
  ]);
});

it.each(CSV_ROWS)("%s: the example has a line for its columns, and each as many fields", (name) => {
  const lines = linesOf(csvOf(name, JSON.stringify(REST_ROUTES[name].example.answer)));
  expect(lines.length).toBeGreaterThan(1);
  for (const fields of lines) expect(fields).toHaveLength(lines[0]?.length ?? 0);
});

describe("a line", () => {
  it("has each number as it is written in the JSON", () => {
    const json =
      '{"points":[{"t":1795678800,"difficulty":81234567.50,"bps":1e-7,"hashrate":12345678901234567890.5,"blocks":3,"reds":0,"transactions":17}]}';
    expect(linesOf(csvOf("workHistory", json))).toEqual([
      ["t", "difficulty", "bps", "hashrate", "blocks", "reds", "transactions"],
      ["1795678800", "81234567.50", "1e-7", "12345678901234567890.5", "3", "0", "17"],
    ]);
  });

  it("of a bin says from when to when it lasts, the oldest first", () => {
    const json = JSON.stringify({
      ...{ binSeconds: 15, workBinSeconds: 60, timestamp: 1_000_000 },
      ...{ blockBins: [1, 2], transactionBins: [3, 4] },
      ...{ difficultyBins: [5, 6], hashrateBins: [7, 8] },
      ...{ workDifficultyBins: [9], workHashrateBins: [10] },
    });
    expect(linesOf(csvOf("pulse", json)).slice(1)).toEqual([
      ["15m", "975000", "990000", "1", "3", "5", "7"],
      ["15m", "990000", "1005000", "2", "4", "6", "8"],
      ["window", "960000", "1020000", "", "", "9", "10"],
    ]);
  });

  it("runs nothing in a spreadsheet, whatever a miner calls itself", () => {
    const json = JSON.stringify({ miners: [{ label: '=HYPERLINK("x")' }] });
    expect(csvOf("miners", json)).toContain(`"'=HYPERLINK(""x"")"`);
  });
});

it.each([
  ["pulse", "{}"],
  ["pulse", '{"binSeconds":1.5,"timestamp":1,"blockBins":[1]}'],
  ["miners", '{"miners":7}'],
  ["reorgs", '{"recent":[7]}'],
  ["reorgs", "[]"],
  ["reorgs", "nothing"],
] as const)("%s of %s is none", (name, json) => {
  expect(() => csvOf(name, json)).toThrow("codec/bad-json");
});
