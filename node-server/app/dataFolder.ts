/** The folder of one network's data: `appdir/<network>/`, held by one process at a time. */
import { chmodSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFolder } from "./folderError.ts";
import { acquireLock, type LockFile } from "../platform/lockFile.ts";
import { makeDurableFolder } from "../storage/durableFolder.ts";
import { removalSteps, settleFolders } from "../storage/storeFolders.ts";

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
 * `node/already-running`, `node/bad-folder`, `store/no-room`; nothing is held then.
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

/** Ends holding a folder whose databases were not looked at: one that was left unclean stays marked as such. */
export function giveUp(lock: LockFile): void {
  if (lock.wasLeft) lock.leave();
  else lock.release();
}
