/** CSV (RFC 4180): records of fields, between commas, with quotes where a field needs them. */
import { SvcError } from "./svcError.ts";

/** A record, and the line on which it begins, from 1. */
export type CsvRecord = { readonly line: number; readonly fields: readonly string[] };

/** Bounds of what is read. */
export type CsvBounds = {
  /** Records; the header counts. */
  readonly records: number;
  /** Fields of a record. */
  readonly fields: number;
  /** Characters of a field. */
  readonly chars: number;
};

const NEEDS_QUOTES = /[",\r\n]/;
/** What a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Reads a text. Lines end with LF or CRLF, the last one too or not; empty lines are skipped. Throws `codec/bad-csv` for a quote at
 * the wrong place and beyond a bound.
 */
export function readCsv(text: string, bounds: CsvBounds): readonly CsvRecord[] {
  const reader = new Reader(text, bounds);
  const records: CsvRecord[] = [];
  for (;;) {
    const record = reader.record();
    if (record === null) return records;
    const isEmpty = record.fields.length === 1 && record.fields[0] === "";
    if (isEmpty) continue;
    if (records.length >= bounds.records)
      throw bad(record.line, `more than ${bounds.records} lines`);
    records.push(record);
  }
}

/** Writes records, each line ended with CRLF. No field is taken for a formula: what begins like one gets an apostrophe. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return records.map((fields) => `${fields.map(written).join(",")}\r\n`).join("");
}

function written(field: string): string {
  const plain = FORMULA.test(field) ? `'${field}` : field;
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** Goes through the text once. */
class Reader {
  readonly #text: string;
  readonly #bounds: CsvBounds;
  #at = 0;
  #line = 1;

  constructor(text: string, bounds: CsvBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  record(): CsvRecord | null {
    if (this.#at >= this.#text.length) return null;
    const line = this.#line;
    const fields: string[] = [];
    for (;;) {
      if (fields.length >= this.#bounds.fields) throw bad(line, "too many fields");
      fields.push(this.#text[this.#at] === '"' ? this.#quoted() : this.#plain());
      const next = this.#text[this.#at];
      if (next === ",") {
        this.#at += 1;
        continue;
      }
      if (next === "\r" && this.#text[this.#at + 1] === "\n") this.#at += 1;
      if (next !== undefined) this.#at += 1;
      this.#line += 1;
      return { line, fields };
    }
  }

  #plain(): string {
    const from = this.#at;
    for (;;) {
      const char = this.#text[this.#at];
      if (char === '"') throw bad(this.#line, "a quote within a field");
      const isEnd = char === undefined || char === "," || char === "\n";
      if (isEnd || (char === "\r" && this.#text[this.#at + 1] === "\n")) break;
      this.#at += 1;
      if (this.#at - from > this.#bounds.chars) throw bad(this.#line, "a field is too long");
    }
    return this.#text.slice(from, this.#at);
  }

  #quoted(): string {
    const line = this.#line;
    let field = "";
    this.#at += 1;
    for (;;) {
      const close = this.#text.indexOf('"', this.#at);
      if (close < 0) throw bad(line, "a quote that is not closed");
      field += this.#text.slice(this.#at, close);
      this.#at = close + 1;
      if (field.length > this.#bounds.chars) throw bad(line, "a field is too long");
      if (this.#text[this.#at] !== '"') break;
      field += '"';
      this.#at += 1;
    }
    this.#line += field.split("\n").length - 1;
    const next = this.#text[this.#at];
    const isEnd = next === undefined || next === "," || next === "\n";
    if (!isEnd && !(next === "\r" && this.#text[this.#at + 1] === "\n")) {
      throw bad(this.#line, "text behind a quoted field");
    }
    return field;
  }
}

function bad(line: number, reason: string): SvcError<"codec/bad-csv"> {
  return new SvcError("codec/bad-csv", { line, reason });
}
