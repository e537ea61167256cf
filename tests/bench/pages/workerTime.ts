/** Processor time of the web workers of a browser that this process has started. Other work on the machine does not change it. */
import { readdirSync, readFileSync } from "node:fs";

/** As Chromium names the thread of a worker. */
const WORKER = "DedicatedWorker";
const NS_IN_MS = 1_000_000;

/** Milliseconds that the workers which live now have used so far; null where the system tells none. */
export function workerTimeMs(): number | null {
  const times = descendants(process.pid).flatMap(workersOf);
  return times.length === 0 ? null : times.reduce((sum, ms) => sum + ms, 0);
}

function descendants(root: number): readonly number[] {
  const parents = new Map<number, number[]>();
  for (const name of listed("/proc").filter((entry) => /^\d+$/.test(entry))) {
    // The name of a program may hold blanks and brackets: its parent stands behind the last one.
    const fields = read(`/proc/${name}/stat`).split(") ").at(-1)?.split(" ") ?? [];
    const parent = Number(fields[1]);
    parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const found: number[] = [];
  for (const next = [root]; next.length > 0;) {
    const children = parents.get(next.pop() ?? 0) ?? [];
    found.push(...children);
    next.push(...children);
  }
  return found;
}

function workersOf(pid: number): readonly number[] {
  const tasks = listed(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}`);
  return tasks
    .filter((task) => read(`${task}/comm`).startsWith(WORKER))
    .map((task) => Number(read(`${task}/schedstat`).split(" ")[0]) / NS_IN_MS)
    .filter((ms) => Number.isFinite(ms));
}

/** A process may end while it is looked at. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function listed(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
