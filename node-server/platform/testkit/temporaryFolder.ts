/** Temporary folders of tests and of measurements. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own, and how to remove it with all that is in it; removing it again does nothing. */
export type TemporaryFolder = { readonly path: string; readonly remove: () => void };

/** Makes an empty folder among those of the system. */
export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "svc-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs the work with an empty folder, which is gone when the work has ended in whatever way. */
export async function inTemporaryFolder<Result>(
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const { path, remove } = temporaryFolder();
  try {
    return await work(path);
  } finally {
    remove();
  }
}
