/** Translates errors of system calls on a data folder into sentences for the operator. */
import { dirname } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { APP_LIMITS } from "../appLimits.ts";
import { freeBytes, noRoomError } from "../../storage/diskSpace.ts";

/** By the system's code. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: "this user may not write there",
  EPERM: "it belongs to another user",
  EROFS: "it lies on a disk that cannot be written",
  ENOTDIR: "a file is in the way",
  EEXIST: "a file is in the way",
  ENOENT: "it is a link to nothing, or was removed",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
};
/** Making one says so of a folder in one that is there: there are files of the system's own making only. */
const NONE_MADE = "no folder can be made there";
const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

/** Runs a call that works on a folder. Errors: `node/bad-folder`, `store/no-room`, and those of the project as they are. */
export function onFolder<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (thrown) {
    throw folderError(path, thrown);
  }
}

function folderError(path: string, thrown: unknown): SvcError {
  const isSystems = thrown instanceof Error && "code" in thrown && "syscall" in thrown;
  const code = isSystems && typeof thrown.code === "string" ? thrown.code : null;
  if (code === null) return SvcError.from(thrown);
  if (FULL.has(code)) return noRoomError(path, leftAbove(path), APP_LIMITS.diskStartBytes);
  const message = thrown instanceof Error ? thrown.message : code;
  const isMaking = isSystems && thrown.syscall === "mkdir" && code === "ENOENT";
  const reason = isMaking ? NONE_MADE : (REASONS[code] ?? message);
  return new SvcError("node/bad-folder", { path, reason }, thrown);
}

/** Bytes left on the disk of a folder that may not exist. */
function leftAbove(path: string): number {
  try {
    return freeBytes(path);
  } catch {
    const above = dirname(path);
    return above === path ? 0 : leftAbove(above);
  }
}
