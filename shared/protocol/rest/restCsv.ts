/**
 * The documents of charts as CSV (RFC 4180): the same answer as their JSON, below the same path with `.csv` behind it. Node and edge
 * make it from the JSON text, so that both write the same bytes and every number keeps its digits.
 */
import { writeCsv } from "../../base/csv.ts";
import { SvcError } from "../../base/svcError.ts";
import { NumberText, parseExactJson } from "../contract/numberText.ts";
import type { RestRouteName } from "./restRoutes.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A table that a document holds: its columns, and its lines. */
type CsvTable = {
  readonly columns: readonly string[];
  readonly lines: (document: Fields) => readonly (readonly unknown[])[];
};

const MS_PER_SECOND = 1_000n;

/** A list of the document as it is: a line for each item, a column for each of these fields. */
function listOf(field: string, columns: readonly string[]): CsvTable {
  const lines = (document: Fields): readonly (readonly unknown[])[] =>
    itemsOf(document, field).map((item) => columns.map((column) => item[column]));
  return { columns, lines };
}

const REORG_COLUMNS = ["t", "depth", "oldTip", "newTip", "forkPoint", "removed", "added"] as const;

const TABLES = {
  pulse: {
    columns: ["series", "from", "to", "blocks", "transactions", "difficulty", "hashrate"],
    lines: (document) => [
      ...binLines(document, "15m", "binSeconds", [
        ...["blockBins", "transactionBins", "difficultyBins", "hashrateBins"],
      ]),
      ...binLines(document, "window", "workBinSeconds", [
        ...[null, null, "workDifficultyBins", "workHashrateBins"],
      ]),
    ],
  },
  workHistory: listOf("points", [
    ...["t", "difficulty", "bps", "hashrate", "blocks", "reds", "transactions"],
  ]),
  reorgs: listOf("recent", REORG_COLUMNS),
  miners: listOf("miners", [
    ...["id", "label", "source", "blocks", "red", "share", "hashrate"],
    ...["distinctAddresses", "mergeMinedBlocks", "lastBlockHash", "lastBlockTime"],
  ]),
  extremes: {
    columns: ["kind", "minute", "t", "count"],
    lines: (document) => [
      ...itemsOf(document, "widest").map(({ minute, count }) => ["widest", minute, null, count]),
      ...itemsOf(document, "reddest").map(({ minute, count }) => ["reddest", minute, null, count]),
      ...itemsOf(document, "deepest").map(({ t, depth }) => ["deepest", null, t, depth]),
    ],
  },
} as const satisfies { readonly [R in RestRouteName]?: CsvTable };

/** Name of a row with a CSV twin. */
export type CsvRowName = keyof typeof TABLES;

/** The rows with a CSV twin. */
export const CSV_ROWS: readonly CsvRowName[] = [
  "pulse",
  "workHistory",
  "reorgs",
  "miners",
  "extremes",
];

/** What follows the path of a document in that of its CSV twin. */
export const CSV_SUFFIX = ".csv";

/** Whether a document has a CSV twin. */
export function isCsvRow(name: string): name is CsvRowName {
  return Object.hasOwn(TABLES, name);
}

/** Writes the CSV of a document. `json`: the body of its answer. Throws `codec/bad-json`. */
export function csvOf(name: CsvRowName, json: string): string {
  const { columns, lines }: CsvTable = TABLES[name];
  const document = fieldsOf(parseExactJson(json));
  return writeCsv([columns, ...lines(document).map((line) => line.map(cellOf))]);
}

/** A line for each bin, the oldest first; a column of null stays empty. Bins begin at multiples of their length, the last one holds the end. */
function binLines(
  document: Fields,
  series: string,
  secondsField: string,
  fields: readonly (string | null)[],
): readonly (readonly unknown[])[] {
  const columns = fields.map((field) => (field === null ? [] : listIn(document, field)));
  const count = Math.max(0, ...columns.map(({ length }) => length));
  const binMs = integerIn(document, secondsField) * MS_PER_SECOND;
  const end = (integerIn(document, "timestamp") / binMs + 1n) * binMs;
  return Array.from({ length: count }, (_, index) => {
    const to = end - binMs * BigInt(count - 1 - index);
    return [series, to - binMs, to, ...columns.map((column) => column[index])];
  });
}

function itemsOf(document: Fields, field: string): readonly Fields[] {
  return listIn(document, field).map(fieldsOf);
}

function listIn(document: Fields, field: string): readonly unknown[] {
  const list = document[field];
  if (Array.isArray(list)) return list;
  throw new SvcError("codec/bad-json", { reason: `${field} is no list` });
}

function integerIn(document: Fields, field: string): bigint {
  const number = document[field];
  if (number instanceof NumberText && /^\d{1,19}$/.test(number.text)) return BigInt(number.text);
  throw new SvcError("codec/bad-json", { reason: `${field} is no whole number` });
}

function fieldsOf(value: unknown): Fields {
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isPlain && !(value instanceof NumberText)) return { ...value };
  throw new SvcError("codec/bad-json", { reason: "no object where one belongs" });
}

function cellOf(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (typeof value === "string") return value;
  return typeof value === "bigint" || typeof value === "boolean" ? String(value) : "";
}
