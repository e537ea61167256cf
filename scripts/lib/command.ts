/** Running other programs from the project's scripts. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The repository's root folder, with a slash at its end. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** How a program ended and what it wrote (standard output and error, in order of arrival). */
export type CommandResult = {
  readonly status: number;
  readonly output: string;
  readonly seconds: number;
};

/** How to run a program. */
export type CommandOptions = {
  /** Folder below the root; the root itself when left out. */
  readonly folder?: string;
  /** Variables added to the environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Show the output as it comes, on standard error. */
  readonly show?: boolean;
  /** Stops the program. */
  readonly signal?: AbortSignal;
  /** Ends the program and everything that it started after so many seconds, or when this process ends; status 124. */
  readonly seconds?: number;
  /** Ends a program with such a bound as soon as its output holds this; status 1. */
  readonly enough?: RegExp;
};

/** Runs a program to its end. A program that cannot be started ends with status 127. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const start = performance.now();
  const child = spawn(program, args, {
    cwd: `${ROOT}${options.folder ?? ""}`,
    env: { ...process.env, FORCE_COLOR: options.show ? "1" : "0", ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
    ...(options.signal === undefined ? {} : { signal: options.signal }),
    // A group of its own can be ended as a whole.
    detached: options.seconds !== undefined,
  });
  const bound = boundGroup(child.pid, options.seconds);
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString("utf8");
    if (options.show) process.stderr.write(chunk);
    if (options.enough?.test(output) === true) bound.kill();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve) => {
    const end = (status: number) => {
      const seconds = (performance.now() - start) / 1000;
      resolve({ status: bound.end() ? 124 : status, output, seconds });
    };
    child.on("error", (error) => {
      output += `${program}: ${error.message}\n`;
      end(127);
    });
    child.on("close", (status) => end(status ?? 1));
  });
}

/** Ends a group of processes after its time, or when told; `end` takes the bound away and tells whether it was reached. */
function boundGroup(
  pid: number | undefined,
  seconds: number | undefined,
): { kill(): void; end(): boolean } {
  if (pid === undefined || seconds === undefined) return { kill: () => {}, end: () => false };
  let reached = false;
  const kill = () => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  };
  const timer = setTimeout(() => {
    reached = true;
    kill();
  }, seconds * 1000);
  process.once("exit", kill);
  return {
    kill,
    end: () => {
      clearTimeout(timer);
      process.off("exit", kill);
      return reached;
    },
  };
}
