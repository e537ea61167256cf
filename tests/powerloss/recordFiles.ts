/** Runs a program and records what it does to the files below a folder. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../contract/kvFixtures.ts";
import type { Recording } from "./fileOps.ts";
import { readTrace, TRACED_CALLS } from "./readTrace.ts";

/** More than any one write of a program under test. */
const STRING_BYTES = 1 << 25;

/** Why nothing can be recorded here, or `null` when it can. */
export function whyNoRecording(): string | null {
  const { error, status } = spawnSync("strace", ["-f", "-o", "/dev/null", "true"]);
  if (error !== undefined) return "strace is not installed";
  return status === 0 ? null : "strace may not watch processes here";
}

/**
 * Runs a TypeScript program with a new empty folder as its first argument, and removes that folder. Throws when it does not
 * end well.
 */
export function recordFiles(program: string, args: readonly string[] = []): Recording {
  const folder = temporaryFolder();
  try {
    const trace = join(folder.path, "trace");
    const top = join(realpathSync(folder.path), "disk");
    const watched = ["-f", "-qq", "-xx", "-s", `${STRING_BYTES}`, "--seccomp-bpf"];
    const calls = ["-e", "abbrev=none", "-e", `trace=${TRACED_CALLS.join(",")}`, "-o", trace];
    const run = [process.execPath, "--disable-warning=ExperimentalWarning", program, top, ...args];
    // Calls that pass by the usual ones would not be seen.
    const env = { ...process.env, UV_USE_IO_URING: "0" };
    const { status, signal, stderr } = spawnSync("strace", [...watched, ...calls, ...run], {
      env,
      encoding: "utf8",
      stdio: ["ignore", "ignore", "pipe"],
    });
    if (status !== 0 || !existsSync(trace)) {
      throw new Error(`the recorded program ended with ${status ?? signal}: ${stderr}`);
    }
    return readTrace(readFileSync(trace, "latin1"), top);
  } finally {
    folder.remove();
  }
}
