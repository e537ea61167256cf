/** The data folder of one network: `appdir/<network>/`, locked by one process at a time. */
import { chmodSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFolder } from "./folderError.ts";
import { acquireLock, type LockFile } from "../../platform/files/lockFile.ts";
import { PROJECT_ROOT } from "../../platform/projectRoot.ts";
import { makeDurableFolder } from "../../storage/durableFolder.ts";
import { removalSteps, settleFolders } from "../../storage/storeFolders.ts";

/** The default data folder of `svc node`. */
export function userFolder(): string {
  return join(homedir(), ".svc");
}

/** The default data folder of `svc local`. */
export function projectFolder(): string {
  return fileURLToPath(new URL(".data", PROJECT_ROOT));
}

/** The folder of the built pages. */
export function builtPages(): string {
  return fileURLToPath(new URL("web/dist", PROJECT_ROOT));
}

/** Waiting payments, own ones among them, and addresses of peers are nothing for other users of the machine. */
const OWNER_ONLY = 0o700;

/**
 * Options of opening: whether the databases begin anew, and whether blocks that a killed process was about to delete are kept.
 */
export type HoldOptions = { readonly reset: boolean; readonly archival: boolean };

/** A locked data folder. */
export type DataFolder = { readonly path: string; readonly lock: LockFile };

/**
 * Locks the folder, closes it to other users of the machine and settles what a killed process left of an import; with `reset`
 * the databases are deleted. Errors: `node/already-running`, `node/bad-folder`, `store/no-room`; nothing is held then.
 */
export function holdDataFolder(
  appdir: string,
  network: string,
  { reset, archival }: HoldOptions,
): DataFolder {
  const path = join(appdir, network);
  return onFolder(path, () => {
    makeDurableFolder(path, OWNER_ONLY);
    chmodSync(path, OWNER_ONLY);
    const lock = acquireLock(join(path, "lock"));
    try {
      settleFolders(path, { keepsOld: archival });
      if (reset) for (const step of removalSteps(path)) step();
    } catch (error) {
      giveUp(lock);
      throw error;
    }
    return { path, lock };
  });
}

/** Releases a folder whose databases were not looked at: one that was left unclean stays marked as such. */
export function giveUp(lock: LockFile): void {
  if (lock.wasLeft) lock.leave();
  else lock.release();
}
