/** The folder of a drill: its name says which process has it, so that the next drill knows what a kill left behind. */
import { mkdtempSync, readdirSync, rmSync, lstatSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "svc-drill-";
const OWNED = /^svc-drill-([1-9][0-9]{0,9})-[A-Za-z0-9]{6}$/;

/** Makes the folder of this process below `root`, for its owner alone. Throws the system's errors. */
export function drillFolder(root: string = tmpdir()): string {
  return mkdtempSync(join(root, `${PREFIX}${process.pid}-`));
}

/**
 * Removes folders of drills of this user whose process is gone. One whose number another process has by now stays until that one ends; one
 * that cannot be removed stays, too. Never throws.
 */
export function removeStaleFolders(root: string = tmpdir()): void {
  for (const name of namesIn(root)) {
    const pid = Number(OWNED.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || isRunning(pid)) continue;
    const path = join(root, name);
    try {
      const { uid } = lstatSync(path);
      if (uid === process.getuid?.()) rmSync(path, { recursive: true, force: true });
    } catch {
      // It is somebody else's, or gone.
    }
  }
}

function namesIn(root: string): readonly string[] {
  try {
    return readdirSync(root);
  } catch {
    return [];
  }
}

/** Whether there is such a process. One of another user is, too. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
