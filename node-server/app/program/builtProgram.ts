/**
 * Cache of the bundled program that set-up builds: each thread in a few files instead of hundreds
 * (docs/adr/0037-built-program.md). The bundle is used only while all that it was built from is as it was.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { PROJECT_ROOT } from "../../platform/projectRoot.ts";

const ROOT = fileURLToPath(PROJECT_ROOT);

/**
 * Folder of the builds, below the root. Each lies in a folder of its own in it, so two levels below the root, as
 * `platform/projectRoot.ts` does.
 */
export const BUILDS_FOLDER = ".cache";
/** Name of the file that describes the newest build. */
export const BUILD_RECORD = "program.json";

/** A source file of the build: its path below the root, its size in bytes and when it was changed, in ms. */
export type BuiltInput = readonly [path: string, size: number, changedMs: number];

/** The description of a build: its folder's name, and all its sources. */
export type BuildRecord = { readonly folder: string; readonly inputs: readonly BuiltInput[] };

/** Describes the file at `path` below the root, or null when there is none. */
export function builtInput(path: string, root = ROOT): BuiltInput | null {
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  return stats === undefined ? null : [path, stats.size, stats.mtimeMs];
}

/** Finds the built entry called `name`, or null where nothing was built or something has changed since. */
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
