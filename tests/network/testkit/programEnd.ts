/** Program run to its end, for tests of refused starts and of checks. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { PATIENCE_MS } from "./networkSizes.ts";

/** How a run of the program ended, and what it said. */
export type ProgramEnd = {
  /** null when a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
};

/** Runs `svc` with these arguments until it ends; one that does not end in time is killed. */
export async function programEnd(
  args: readonly string[],
  user: { readonly uid?: number; readonly gid?: number } = {},
): Promise<ProgramEnd> {
  const [command, ...all] = svcCommand(args);
  const child = spawn(command, all, {
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    ...user,
  });
  const ended = once(child, "exit");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  await ended;
  return { status: child.exitCode, stdout, stderr };
}

/** Arguments of a node that looks for nobody and listens where the system likes. */
export function nodeArguments(profileFile: string, appdir: string): readonly string[] {
  const quiet = ["--nogrpc", "--nohttp", "--maxinpeers=0", "--outpeers=0", "--loglevel=warn"];
  return ["node", `--profile=${profileFile}`, `--appdir=${appdir}`, ...quiet];
}
