/**
 * The program as set-up builds it: each thread in a few files instead of hundreds (docs/adr/0037-built-program.md). It is a
 * cache: it is used only while all that it was built from is as it was.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Folder of the builds, below the root. Each lies in a folder of its own in it, so two levels below the root, as the sources do:
 * relative names of the core, pages and data hold in both.
 */
export const BUILDS_FOLDER = ".cache";
/** Name of the file in it that tells of the newest build. */
export const BUILD_RECORD = "program.json";

/** A file that the program was built from: its path below the root, its size in bytes and when it was changed, in ms. */
export type BuiltInput = readonly [path: string, size: number, changedMs: number];

/** What there is to know of a build: its folder's name, and all that went in. */
export type BuildRecord = { readonly folder: string; readonly inputs: readonly BuiltInput[] };

/** What there is to know of the file at `path` below the root, or null when there is none. */
export function builtInput(path: string, root = ROOT): BuiltInput | null {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  return stats === undefined ? null : [path, stats.size, stats.mtimeMs];
}

/** The built entry called `name`, or null where nothing was built or something has changed since. */
export function builtEntry(name: string, root = ROOT): string | null {
  const record = readRecord(join(root, BUILDS_FOLDER, BUILD_RECORD));
  if (record === null || !record.inputs.every((input) => isAsBuilt(input, root))) return null;
  return pathToFileURL(join(root, BUILDS_FOLDER, record.folder, `${name}.js`)).href;
}

function isAsBuilt(input: unknown, root: string): boolean {
  if (!Array.isArray(input) || typeof input[0] !== "string") return false;
  const found = builtInput(input[0], root);
  return found !== null && found[1] === input[1] && found[2] === input[2];
}

/** The newest build, whatever its inputs look like; null when there is none or its record is damaged. */
function readRecord(file: string): { folder: string; inputs: readonly unknown[] } | null {
  try {
    const { folder, inputs }: { folder?: unknown; inputs?: unknown } = JSON.parse(
      readFileSync(file, "utf8"),
    );
    const isWhole = typeof folder === "string" && Array.isArray(inputs) && inputs.length > 0;
    return isWhole ? { folder, inputs } : null;
  } catch {
    return null;
  }
}
