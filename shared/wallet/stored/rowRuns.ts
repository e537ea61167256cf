/**
 * JSON of rows that are alike: runs of rows with the same fields. The names are written once, and of each row but the first only the values
 * that differ from those of the row before it. That is half of what objects would be to seal, to open and to parse, and says nothing of
 * what the fields are.
 *
 * `[2, run, …]`, where a run is `[names, values, row, …]` and a row `[same, value, …]`: bit n of `same` says that the value of the nth name
 * is that of the row before; the others follow in the order of the names. Programs before wrote `[run, …]` with `[names, values, …]`.
 */
import { stableJson } from "../../base/stableJson.ts";

/** A row: the names of its fields as a JSON list, and the JSON of each value in their order. */
export type RowText = { readonly names: string; readonly values: readonly string[] };

/** The form that is written. */
const FORM = 2;
/** Names whose bits one number holds; rows of more are written whole. */
const NAMES_MAX = 30;
/** What the JSON of a run has beside its names and rows. */
const RUN_BYTES = 8;

/** The text of a row. */
export function rowText(row: object): RowText {
  const names = Object.keys(row).toSorted();
  const values = names.map((name) => stableJson(Reflect.get(row, name)));
  return { names: JSON.stringify(names), values };
}

/** How much longer a row makes the JSON at most, behind the row before it. */
export function sizeOf(row: RowText, before: RowText | undefined): number {
  const run = continues(row, before) ? 0 : row.names.length + RUN_BYTES;
  return run + jsonOf(row, before).length + 1;
}

/** The JSON of rows. */
export function runsJson(rows: readonly RowText[]): string {
  const runs: string[][] = [];
  let before: RowText | undefined;
  for (const row of rows) {
    const json = jsonOf(row, before);
    if (continues(row, before)) runs.at(-1)?.push(json);
    else runs.push([row.names, json]);
    before = row;
  }
  return `[${[String(FORM), ...runs.map((run) => `[${run.join(",")}]`)].join(",")}]`;
}

/** The rows of such JSON, parsed, of this form or the one before; null for JSON of another form. */
export function rowsOfRuns(json: unknown): readonly object[] | null {
  if (!Array.isArray(json)) return null;
  const items: readonly unknown[] = json;
  const isWhole = items[0] !== FORM;
  const rows: object[] = [];
  for (const run of isWhole ? items : items.slice(1)) {
    if (!Array.isArray(run)) return null;
    const [names, ...texts]: readonly unknown[] = run;
    if (!Array.isArray(names) || !names.every((name) => isName(name))) return null;
    if (!readRun(names, texts, isWhole, rows)) return null;
  }
  return rows;
}

/** The one name that would not become a field is none. */
function isName(name: unknown): name is string {
  return typeof name === "string" && name !== "__proto__";
}

/** A row of the same fields as the one before: some of its values may be left out. */
function continues(row: RowText, before: RowText | undefined): before is RowText {
  return before !== undefined && before.names === row.names && row.values.length <= NAMES_MAX;
}

function jsonOf(row: RowText, before: RowText | undefined): string {
  if (!continues(row, before)) return `[${row.values.join(",")}]`;
  let same = 0;
  const changed: string[] = [];
  for (const [at, value] of row.values.entries()) {
    if (value === before.values[at]) same += 2 ** at;
    else changed.push(value);
  }
  return `[${[String(same), ...changed].join(",")}]`;
}

/** Appends the rows of a run; false where one is of another form. */
function readRun(
  names: readonly string[],
  texts: readonly unknown[],
  isWhole: boolean,
  rows: object[],
): boolean {
  let before: Record<string, unknown> | null = null;
  for (const text of texts) {
    if (!Array.isArray(text)) return false;
    const values: readonly unknown[] = text;
    before = isWhole || before === null ? wholeRow(names, values) : nextRow(names, values, before);
    if (before === null) return false;
    rows.push(before);
  }
  return true;
}

function wholeRow(
  names: readonly string[],
  values: readonly unknown[],
): Record<string, unknown> | null {
  if (values.length !== names.length) return null;
  const row: Record<string, unknown> = {};
  for (const [at, name] of names.entries()) row[name] = values[at];
  return row;
}

function nextRow(
  names: readonly string[],
  values: readonly unknown[],
  before: Readonly<Record<string, unknown>>,
): Record<string, unknown> | null {
  const [same] = values;
  if (typeof same !== "number" || !Number.isInteger(same)) return null;
  if (same < 0 || same >= 2 ** names.length || names.length > NAMES_MAX) return null;
  const row = { ...before };
  let next = 1;
  for (const [at, name] of names.entries()) {
    if (((same >> at) & 1) === 1) continue;
    if (next === values.length) return null;
    row[name] = values[next];
    next += 1;
  }
  return next === values.length ? row : null;
}
