/** The record of the wallet daemon's tests names tests that are there. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const ROW = /^\| (?<sentence>[^|]+) \| (?<file>[\w./-]+\.test\.ts) \| (?<title>[^|]+) \|$/;

type Row = { readonly sentence: string; readonly file: string; readonly title: string };

function rowsOf(text: string): readonly Row[] {
  return text.split("\n").flatMap((line) => {
    const { sentence, file, title } = ROW.exec(line)?.groups ?? {};
    if (sentence === undefined || file === undefined || title === undefined) return [];
    return [{ sentence, file, title }];
  });
}

const rows = rowsOf(readFileSync(new URL("docs/records/walletd.md", ROOT), "utf8"));

describe("the record of the wallet daemon", () => {
  it("has rows for all nine parts", () => {
    expect(rows.length).toBeGreaterThan(60);
  });

  it("names tests that are there", () => {
    const wrong = rows.filter(
      ({ file, title }) => !readFileSync(new URL(file, ROOT), "utf8").includes(title),
    );
    expect(wrong).toEqual([]);
  });

  it("would miss a title that is not there", () => {
    const [row] = rowsOf("| a | tests/architecture/rules.test.ts | no test has this title |");
    expect(readFileSync(new URL(row?.file ?? "", ROOT), "utf8")).not.toContain(row?.title);
  });
});
