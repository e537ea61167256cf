/** CPU time of other processes. */
import { readFileSync } from "node:fs";

/** Length of a tick in `/proc`, which is the same on every Linux. */
const TICK_MS = 10;
/** Where user and system time stand behind the name of the program. */
const USER = 11;
const SYSTEM = 12;

/** Milliseconds that a process, with all its threads, has computed so far; null where the system does not tell. */
export function processorMs(pid: number): number | null {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null;
  }
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  return TICK_MS * (Number(fields[USER]) + Number(fields[SYSTEM]));
}
