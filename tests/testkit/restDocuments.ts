/** The documents of the public REST interface key by key, as `tests/vectors/rest-documents.json` writes them down from the specification. */
import { readFileSync } from "node:fs";
import { jsonRecord, unlikeForm } from "./jsonForms.ts";

const VECTOR = new URL("../vectors/rest-documents.json", import.meta.url);

const DOCUMENTS = jsonRecord(jsonRecord(JSON.parse(readFileSync(VECTOR, "utf8")))["documents"]);

/** The rows whose documents the specification has. */
export const SPECIFIED_ROWS: readonly string[] = Object.keys(DOCUMENTS);

/** What is not as it must be in the document of a row, by its place; empty when all is. */
export function unlikeDocument(row: string, document: unknown): readonly string[] {
  return unlikeForm(DOCUMENTS[row] ?? "none", document, row);
}
