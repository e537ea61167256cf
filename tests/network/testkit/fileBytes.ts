/** Contents of a folder's files, to be compared with their later contents. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Hexadecimal of every file below a folder but the locks of databases, which belong to the processes that use them. */
export function fileBytes(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== "lock.mdb");
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted();
  return Object.fromEntries(
    paths.map((path) => [relative(folder, path), readFileSync(path).toString("hex")]),
  );
}
