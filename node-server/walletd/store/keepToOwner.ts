/** Rights of the database's files: those of the wallet files beside it. */
import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";

const OWNER_ONLY = 0o600;

/**
 * Makes the files of an open database its owner's alone; LMDB makes them readable for all. Files of earlier programs are changed,
 * too. Throws `store/read-failed`.
 */
export function keepToOwner(database: string): void {
  try {
    for (const file of readdirSync(database, { withFileTypes: true })) {
      if (file.isFile()) chmodSync(join(database, file.name), OWNER_ONLY);
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SvcError("store/read-failed", { reason }, cause);
  }
}
