/** Child processes of the project's scripts: runs a program with an output, a time bound and a signal. */
import { spawn, type ChildProcess } from "node:child_process";
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
  /** Show the output as it comes, on standard error or by a function. */
  readonly show?: boolean | ((chunk: Uint8Array) => void);
  /** Ends the program and everything that it started; status 130. */
  readonly signal?: AbortSignal;
  /** Ends the program and everything that it started after so many seconds, or when this process ends; status 124. */
  readonly seconds?: number;
  /** Ends a program with such a bound as soon as its output holds this; status 1. */
  readonly enough?: RegExp;
};

/** Exit status of a program that was ended for its time. */
export const TIMED_OUT = 124;
/** Exit status of a program that was ended because its caller wanted it. */
export const INTERRUPTED = 130;
/** Milliseconds between asking a group of processes to end and ending it. */
const GRACE_MS = 5_000;

/** Runs a program to its end. A program that cannot be started ends with status 127. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const start = performance.now();
  // A group of its own can be ended as a whole.
  const isBound = options.seconds !== undefined || options.signal !== undefined;
  const child = spawn(program, args, {
    cwd: `${ROOT}${options.folder ?? ""}`,
    env: { ...process.env, FORCE_COLOR: options.show ? "1" : "0", ...options.environment },
    stdio: ["ignore", "pipe", "pipe"],
    detached: isBound,
  });
  const bound = isBound ? new GroupBound(child, options) : null;
  const show = shownBy(options);
  let output = "";
  const collect = (chunk: Buffer) => {
    output += chunk.toString("utf8");
    show(chunk);
    if (options.enough?.test(output) === true) bound?.end();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  return new Promise((resolve) => {
    const end = (status: number) => {
      const seconds = (performance.now() - start) / 1000;
      resolve({ status: bound?.release() ?? status, output, seconds });
    };
    child.on("error", (error) => {
      output += `${program}: ${error.message}\n`;
      end(127);
    });
    child.on("close", (status) => end(status ?? 1));
  });
}

/** Runs a program that must succeed; gives its output. Rejects with what it wrote when it does not. */
export async function needCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const { status, output } = await runCommand(program, args, options);
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${output}`);
  return output;
}

function shownBy({ show = false }: CommandOptions): (chunk: Uint8Array) => void {
  if (typeof show === "function") return show;
  return (chunk) => void (show && process.stderr.write(chunk));
}

/**
 * Ends a group of processes after its time, on a signal, or with this process. Whatever its first process leaves behind ends
 * with it too: it would hold the output open and take time from what runs next.
 */
class GroupBound {
  readonly #pid: number | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  #grace: NodeJS.Timeout | undefined;
  #status: number | undefined;

  constructor(child: ChildProcess, { seconds, signal }: CommandOptions) {
    this.#pid = child.pid;
    this.#signal = signal;
    if (seconds !== undefined) {
      this.#timer = setTimeout(() => this.#cut(TIMED_OUT), seconds * 1000);
    }
    signal?.addEventListener("abort", this.#interrupt);
    if (signal?.aborted === true) this.#interrupt();
    process.once("exit", this.#kill);
    child.once("exit", this.#kill);
  }

  /** Asks the group to end, and ends it if it does not. */
  end(): void {
    if (this.#grace !== undefined) return;
    this.#send("SIGTERM");
    this.#grace = setTimeout(this.#kill, GRACE_MS);
  }

  /** Takes the bound away. The status of what was cut off, undefined for a program that ended by itself. */
  release(): number | undefined {
    clearTimeout(this.#timer);
    clearTimeout(this.#grace);
    this.#signal?.removeEventListener("abort", this.#interrupt);
    process.off("exit", this.#kill);
    return this.#status;
  }

  readonly #interrupt = (): void => this.#cut(INTERRUPTED);
  readonly #kill = (): void => this.#send("SIGKILL");

  #cut(status: number): void {
    this.#status ??= status;
    this.end();
  }

  #send(signal: "SIGTERM" | "SIGKILL"): void {
    if (this.#pid === undefined) return;
    try {
      process.kill(-this.#pid, signal);
    } catch {
      // It has ended by itself.
    }
  }
}
