/** Integrity check of a database's files, before it is opened for writing. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { STORAGE_LIMITS } from "./storageLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { checkLmdbFile, type CheckDepth, type LmdbReport } from "./lmdbCheck.ts";
import { LmdbDamage } from "./lmdbMeta.ts";

/** LMDB's name for the file with the data. */
export const DATA_FILE = "data.mdb";

/** How deep the check at each opening of a database looks. */
export const USUAL_DEPTH: CheckDepth = { leaves: STORAGE_LIMITS.storeCheckLeaves };
/** The full check of all pages, which takes as long as reading the file. */
export const WHOLE_DEPTH: CheckDepth = { leaves: Number.POSITIVE_INFINITY };

/** Whether a folder has no database yet. Errors: `store/read-failed`. */
export function isDatabaseFree(path: string): boolean {
  try {
    return !existsSync(path) || readdirSync(path).length === 0;
  } catch (cause) {
    throw unreadable(cause);
  }
}

/**
 * Checks the database in a folder; nobody may be writing it. Errors: `store/damaged`, and `store/read-failed` where the
 * system does not let it be read.
 */
export function checkDatabase(path: string, depth: CheckDepth = USUAL_DEPTH): LmdbReport {
  const file = join(path, DATA_FILE);
  if (!existsSync(file)) throw damagedFile(file, "it is missing");
  try {
    return checkLmdbFile(file, depth);
  } catch (cause) {
    if (cause instanceof LmdbDamage) throw damagedFile(file, cause.message, { cause });
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): SvcError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SvcError("store/read-failed", { reason }, cause);
}

/** Details of a file error; `folder` is the one that is copied or removed as a whole, the file's own unless told. */
export type FileErrorParts = { readonly cause?: unknown; readonly folder?: string };

/** Makes the error for a file of a database that is not what it was written as. */
export function damagedFile(
  file: string,
  reason: string,
  { cause, folder = dirname(file) }: FileErrorParts = {},
): SvcError {
  return new SvcError("store/damaged", { file, folder, reason }, cause);
}

/** Makes the error for a file of a database that the system does not let be read. */
export function unreadableFile(
  file: string,
  reason: string,
  { cause, folder = dirname(file) }: FileErrorParts = {},
): SvcError {
  return new SvcError("store/unreadable", { file, folder, reason }, cause);
}
