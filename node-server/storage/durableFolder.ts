/** Durable folders (fsync): a name survives a power cut only when the folder that holds it was flushed. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Flushes the names in a folder. */
export function syncFolder(folder: string): void {
  // Folders cannot be opened there, and naming is durable by itself.
  if (process.platform === "win32") return;
  syncPath(folder);
}

/** Flushes the names in a folder and below. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncTree(join(folder, entry.name));
  }
  syncFolder(folder);
}

/** Flushes the content of a file. */
export function syncFile(path: string): void {
  syncPath(path);
}

/**
 * Makes a folder with the folders above it, one by one, and their names durable. New folders get `mode`.
 * Errors: the system's; with `recursive` Node would try for ever where a system makes no folders, as in /proc.
 */
export function makeDurableFolder(folder: string, mode?: number): void {
  const path = resolve(folder);
  if (existsSync(path)) return;
  const parent = dirname(path);
  makeDurableFolder(parent, mode);
  try {
    mkdirSync(path, { ...(mode !== undefined && { mode }) });
  } catch (error) {
    // Somebody else may have made it meanwhile. A link to nothing is there too, and is told by asking for what it leads to.
    if (!isThere(error) || !statSync(path).isDirectory()) throw error;
  }
  syncFolder(parent);
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}

function syncPath(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
