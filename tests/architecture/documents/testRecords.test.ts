/** The records of what was asked for name tests that are there. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../", import.meta.url);
const ROW =
  /^\| (?<sentence>[^|]+) \| (?<file>[\w./-]+(?:(?:\.test|Contract)\.tsx?|\.rs)) \| (?<title>[^|]+) \|$/;

type Row = { readonly sentence: string; readonly file: string; readonly title: string };

function rowsOf(text: string): readonly Row[] {
  return text.split("\n").flatMap((line) => {
    const { sentence, file, title } = ROW.exec(line)?.groups ?? {};
    if (sentence === undefined || file === undefined || title === undefined) return [];
    return [{ sentence, file, title }];
  });
}

/** Each record, and the least number of its rows. */
const RECORDS = [
  ["docs/records/walletd.md", 60],
  ["docs/records/gateway.md", 10],
  ["docs/records/explorer.md", 100],
  ["docs/records/light-client.md", 60],
  ["docs/records/wallet.md", 35],
] as const;

describe.each(RECORDS)("the record %s", (path, least) => {
  const rows = rowsOf(readFileSync(new URL(path, ROOT), "utf8"));

  it("has its rows", () => {
    expect(rows.length).toBeGreaterThan(least);
  });

  it("names tests that are there", () => {
    const wrong = rows.filter(
      ({ file, title }) => !readFileSync(new URL(file, ROOT), "utf8").includes(title),
    );
    expect(wrong).toEqual([]);
  });
});

it("a record that names no test is seen", () => {
  const [row] = rowsOf("| a | tests/architecture/rules.test.ts | no test has this title |");
  expect(readFileSync(new URL(row?.file ?? "", ROOT), "utf8")).not.toContain(row?.title);
});
