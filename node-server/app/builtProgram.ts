/**
 * The program as set-up builds it: each thread in a few files instead of hundreds (docs/adr/0037-built-program.md). It is a
 * cache: it is used only while all that it was built from is as it was.
 */
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** One level below the root and one more, as the sources are: relative names of the core, pages and data hold in both. */
const FOLDER = new URL("../../.cache/program/", import.meta.url);
const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Name of the file in that folder that lists what the program was built from. */
export const INPUTS_FILE = "inputs.json";

/** A file that the program was built from: its path below the root, its size in bytes and when it was changed, in ms. */
export type BuiltInput = readonly [path: string, size: number, changedMs: number];

/** What there is to know of the file at `path` below the root, or null when there is none. */
export function builtInput(path: string, root = ROOT): BuiltInput | null {
  const stats = statSync(root + path, { throwIfNoEntry: false });
  return stats === undefined ? null : [path, stats.size, stats.mtimeMs];
}

/** The built entry called `name`, or null where nothing was built or something has changed since. */
export function builtEntry(name: string, folder = FOLDER, root = ROOT): string | null {
  const inputs = readInputs(folder);
  if (inputs === null || inputs.length === 0 || !inputs.every((input) => isAsBuilt(input, root))) {
    return null;
  }
  return new URL(`${name}.js`, folder).href;
}

function isAsBuilt(input: unknown, root: string): boolean {
  if (!Array.isArray(input) || typeof input[0] !== "string") return false;
  const found = builtInput(input[0], root);
  return found !== null && found[1] === input[1] && found[2] === input[2];
}

/** The list, whatever it holds; null when there is none or it is damaged. */
function readInputs(folder: URL): readonly unknown[] | null {
  try {
    const list: unknown = JSON.parse(readFileSync(new URL(INPUTS_FILE, folder), "utf8"));
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
}
