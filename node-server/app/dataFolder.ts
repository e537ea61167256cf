/** The folder of one network's data: `appdir/<network>/`, held by one process at a time. */
import { chmodSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { acquireLock, type LockFile } from "../platform/lockFile.ts";
import { makeDurableFolder } from "../storage/durableFolder.ts";
import { CONSENSUS_LAYOUT, META_LAYOUT } from "../storage/layout.ts";
import { settleFolders } from "../storage/storeFolders.ts";

/** Where `svc node` keeps data unless told otherwise. */
export function userFolder(): string {
  return join(homedir(), ".svc");
}

/** Where `svc local` keeps data unless told otherwise. */
export function projectFolder(): string {
  return fileURLToPath(new URL("../../.data", import.meta.url));
}

/** Where the pages are built. */
export function builtPages(): string {
  return fileURLToPath(new URL("../../web/dist", import.meta.url));
}

/** Waiting payments, own ones among them, and addresses of peers are nothing for other users of the machine. */
const OWNER_ONLY = 0o700;

/** Whether the databases begin anew, and whether blocks that a killed process was about to delete are kept. */
export type HoldOptions = { readonly reset: boolean; readonly archival: boolean };

/** A held folder. */
export type DataFolder = { readonly path: string; readonly lock: LockFile };

/**
 * Takes the folder, closes it to other users of the machine and settles what a killed process left of an import; with `reset` the databases are deleted. Errors:
 * `node/already-running`.
 */
export function holdDataFolder(
  appdir: string,
  network: string,
  { reset, archival }: HoldOptions,
): DataFolder {
  const path = join(appdir, network);
  makeDurableFolder(path, OWNER_ONLY);
  chmodSync(path, OWNER_ONLY);
  const lock = acquireLock(join(path, "lock"));
  settleFolders(path, { keepsOld: archival });
  if (reset) {
    for (const { name } of [CONSENSUS_LAYOUT, META_LAYOUT]) {
      rmSync(join(path, name), { recursive: true, force: true });
    }
  }
  return { path, lock };
}
