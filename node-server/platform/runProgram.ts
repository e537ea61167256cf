/** Running another program to its end, with this program's terminal. */
import { spawn } from "node:child_process";

/** How to run it. */
export type ProgramOptions = {
  /** Working folder. */
  readonly folder: string;
  /** Stops the program. */
  readonly signal: AbortSignal;
};

/** The exit status, 1 for a program that was stopped; `null` when it could not be started. */
export function runProgram(
  program: string,
  args: readonly string[],
  { folder, signal }: ProgramOptions,
): Promise<number | null> {
  const child = spawn(program, args, { cwd: folder, stdio: "inherit", signal });
  return new Promise((resolve) => {
    child.on("error", () => {
      if (child.pid === undefined) resolve(null);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });
}
