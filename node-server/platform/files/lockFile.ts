/**
 * A lock file that names the process holding it, so that two nodes never write one folder.
 *
 * Content: `{"pid": n, "started": "…"}`. A lock whose process is gone (killed) is taken over. `started` is
 * the kernel's start time of the process where it can be read, so a process id used again is not mistaken
 * for the holder.
 */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { statSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { SvcError } from "@svc/shared/base/svcError.ts";

/** A held lock. */
export type LockFile = {
  /** Whether the process that held it last did not give it back: it was killed, or the machine went down. */
  readonly wasLeft: boolean;
  /** Gives the lock back; calling it again does nothing. */
  release(): void;
  /** Ends holding it and lets the file stay, as of a process that was killed: whoever takes it next finds it left. */
  leave(): void;
};

type Holder = { readonly pid: number; readonly started: string };

/** What stands behind the name of the lock in such a file's name. */
const LEFT = /^(\d{1,10})\.(?:new|old)$/;

/** Locks held by this very process, by folder, whatever path leads there: they are live whatever the file says. */
const held = new Set<string>();

/** Takes the lock at `path`. Errors: `node/already-running` with the holder's process id. */
export function acquireLock(path: string): LockFile {
  const own: Holder = { pid: process.pid, started: startTime(process.pid) };
  const text = `${JSON.stringify(own)}\n`;
  const place = placeOf(path);
  if (held.has(place)) throw lockedError(path, process.pid);
  const wasLeft = !create(path, text);
  if (wasLeft) {
    takeOver(path);
    if (!create(path, text)) throw lockedError(path, readHolder(path)?.pid ?? 0);
  }
  held.add(place);
  removeLeft(path);
  return {
    wasLeft,
    release: () => {
      if (held.delete(place)) release(path, text);
    },
    leave: () => void held.delete(place),
  };
}

/** The same for every path to one file: its folder's number on its disk, and its name. */
function placeOf(path: string): string {
  const { dev, ino } = statSync(dirname(path));
  return `${dev}:${ino}:${basename(path)}`;
}

/** Creates the file with its content in one step: a reader never sees a lock without a holder. */
function create(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}.new`;
  try {
    writeFileSync(draft, text);
    linkSync(draft, path);
    return true;
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "EEXIST") return false;
    throw cause;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the drafts, and the locks moved aside, of processes that were killed over them. */
function removeLeft(path: string): void {
  const [folder, name] = [dirname(path), `${basename(path)}.`];
  for (const entry of readdirSync(folder)) {
    if (!entry.startsWith(name)) continue;
    const [, pid] = LEFT.exec(entry.slice(name.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, entry), { force: true });
  }
}

/** Moves a dead process's lock away. Errors: `node/already-running` when the holder lives. */
function takeOver(path: string): void {
  const holder = readHolder(path);
  if (holder !== null && isAlive(holder)) throw lockedError(path, holder.pid);
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
  } catch {
    return; // Somebody else moved it first; `create` decides.
  }
  const moved = readHolder(aside);
  // Between the look and the move another process may have taken the lock: put it back.
  const wasFresh = moved !== null && isAlive(moved) && moved.pid !== process.pid;
  if (wasFresh) renameSync(aside, path);
  else unlinkSync(aside);
  if (wasFresh) throw lockedError(path, moved.pid);
}

function release(path: string, text: string): void {
  try {
    if (readFileSync(path, "utf8") === text) unlinkSync(path);
  } catch {
    // The folder is gone: nothing is left to give back.
  }
}

function readHolder(path: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null) return null;
    if (!("pid" in value) || !("started" in value)) return null;
    const { pid, started } = value;
    return typeof pid === "number" && typeof started === "string" ? { pid, started } : null;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  // The same id as ours without a held lock: an earlier process, as after a container restart.
  if (holder.pid === process.pid) return false;
  if (!isRunning(holder.pid)) return false;
  const now = startTime(holder.pid);
  return now === "" || holder.started === "" || now === holder.started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM";
  }
}

/** Clock ticks from boot to the process's start (field 22 of the kernel's record); "" where unknown. */
function startTime(pid: number): string {
  try {
    const record = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in brackets and may hold blanks.
    return record.slice(record.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "";
  }
}

function lockedError(path: string, pid: number): SvcError {
  return new SvcError("node/already-running", { path, pid });
}
