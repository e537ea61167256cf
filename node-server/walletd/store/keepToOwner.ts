/** Rights of the database's files: those of the wallet files beside it. */
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";

const OWNER_ONLY = 0o600;
const ALL_RIGHTS = 0o777;
const RIGHTS_OF_OTHERS = 0o077;

/**
 * Makes the files of an open database its owner's alone; LMDB makes them readable for all. Files of earlier programs are changed,
 * too. A file of another user, or on a disk without rights of its own, cannot be changed; it is taken where others have no
 * rights anyway. Throws `store/read-failed`, and `node/bad-folder` with the name of a file that others may read or write.
 */
export function keepToOwner(
  database: string,
  change: (path: string, mode: number) => void = chmodSync,
): void {
  try {
    for (const file of readdirSync(database, { withFileTypes: true })) {
      if (file.isFile()) keepFile(join(database, file.name), change);
    }
  } catch (cause) {
    if (SvcError.is(cause, "node/bad-folder")) throw cause;
    throw new SvcError("store/read-failed", { reason: messageOf(cause) }, cause);
  }
}

function keepFile(path: string, change: (path: string, mode: number) => void): void {
  try {
    change(path, OWNER_ONLY);
  } catch (cause) {
    const mode = statSync(path).mode & ALL_RIGHTS;
    if ((mode & RIGHTS_OF_OTHERS) === 0) return;
    const reason =
      `others may use it (mode ${mode.toString(8)}), and this user cannot change that (${messageOf(cause)}); ` +
      "give it to this user with mode 600, or mount its disk for this user alone";
    throw new SvcError("node/bad-folder", { path, reason }, cause);
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
