/** Runs a child process to its end, with this program's terminal and working folder. */
import { spawn } from "node:child_process";

/**
 * Runs the program and returns its exit status, 1 for one that was stopped; `null` when it could not be started. The signal
 * stops the program.
 */
export function runProgram(
  program: string,
  args: readonly string[],
  signal: AbortSignal,
): Promise<number | null> {
  const child = spawn(program, args, { stdio: "inherit", signal });
  return new Promise((resolve) => {
    child.on("error", () => {
      if (child.pid === undefined) resolve(null);
    });
    child.on("close", (status) => resolve(status ?? 1));
  });
}
