/** Headers of the built files, as the build emits them (`headers.json`, docs/formats.md 7). */
import * as v from "valibot";

/** The file among the pages. Nobody is served it. */
export const HEADER_FILE = "headers.json";

/** Rows of the file. */
export const headerRows = v.array(
  v.object({ path: v.string(), headers: v.record(v.string(), v.string()) }),
);
/** One row. */
export type HeaderRow = v.InferOutput<typeof headerRows>[number];

/** The headers of a path: those of all rows that match, a later one replacing headers of an earlier one. */
export function headersFor(rows: readonly HeaderRow[], path: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const row of rows) {
    if (matches(row.path, path)) Object.assign(headers, row.headers);
  }
  return headers;
}

function matches(pattern: string, path: string): boolean {
  const parts = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(path);
}
