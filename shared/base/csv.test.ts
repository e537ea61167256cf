import { describe, expect, it } from "vitest";
import { readCsv, writeCsv } from "./csv.ts";

const bounds = { records: 5, fields: 4, chars: 20 };
const fieldsOf = (text: string) => readCsv(text, bounds).map(({ fields }) => fields);

describe("CSV", () => {
  it("is read with quotes, both line ends, and lines within fields", () => {
    expect(readCsv('a,b\r\n"x ""y"", z","1\n2"\n\n,\n"",last', bounds)).toEqual([
      { line: 1, fields: ["a", "b"] },
      { line: 2, fields: ['x "y", z', "1\n2"] },
      { line: 5, fields: ["", ""] },
      { line: 6, fields: ["", "last"] },
    ]);
    expect(fieldsOf("")).toEqual([]);
    expect(fieldsOf("a\r,b\n")).toEqual([["a\r", "b"]]);
  });

  it.each([
    ["a quote within a field", 'a\nb"c'],
    ["a quote that is not closed", 'a\n"b\n\n'],
    ["text behind a quoted field", 'a\n"b"c'],
    ["too many fields", "a\n,,,,"],
    ["a field is too long", `a\n${"x".repeat(21)}`],
    ["a field is too long", `a\n"${'""'.repeat(21)}"`],
    ["more than 5 lines", "a\nb\nc\nd\ne\nf"],
  ])("is refused for %s, with the line", (reason, text) => {
    const line = reason.startsWith("more") ? 6 : 2;
    expect(() => fieldsOf(text)).toThrow(`codec/bad-csv (line=${line}, reason=${reason})`);
  });

  it("is written so that it reads back, and so that no spreadsheet calculates", () => {
    const records = [
      ["a", 'say "hi", you'],
      ["two\nlines", ""],
    ];
    expect(fieldsOf(writeCsv(records))).toEqual(records);
    for (const formula of ["=1+1", "+1", "-1", "@x", "\tx", "\rx"]) {
      expect(fieldsOf(writeCsv([[formula]]))).toEqual([[`'${formula}`]]);
    }
  });
});
