/** Recorder of a program's file operations below a folder. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { SeededRandom } from "../testkit/seededRandom.ts";
import { writeDisk } from "./diskAfter.ts";
import type { Recording } from "./fileOps.ts";
import { LOCK_FILE, readTrace, TRACED_CALLS } from "./readTrace.ts";

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
    const recording = readTrace(readFileSync(trace, "latin1"), top);
    requireWhole(recording, { found: top, remade: join(folder.path, "remade") });
    return recording;
  } finally {
    folder.remove();
  }
}

/** Throws unless everything that was recorded, done again, makes the same folder: then nothing passed by unseen. */
function requireWhole(
  recording: Recording,
  { found, remade }: { readonly found: string; readonly remade: string },
): void {
  const random: SeededRandom = { below: () => 0 };
  const uncut = { at: recording.ops.length, names: 100, sectors: 100, lengths: 100 };
  writeDisk(recording, uncut, { random, folder: remade });
  const differing = differences(found, remade);
  if (differing.length > 0) throw new Error(`not as recorded: ${differing.join(", ")}`);
}

/** Files that are not the same below two folders. */
function differences(left: string, right: string): string[] {
  const names = new Set([...readdirSync(left), ...readdirSync(right)]);
  return [...names].flatMap((name) => {
    const [ours, theirs] = [join(left, name), join(right, name)];
    if (!existsSync(ours) || !existsSync(theirs)) return [ours];
    if (statSync(ours).isDirectory()) return differences(ours, theirs);
    // Its content is written through memory, and never lasts.
    return name === LOCK_FILE || readFileSync(ours).equals(readFileSync(theirs)) ? [] : [ours];
  });
}
