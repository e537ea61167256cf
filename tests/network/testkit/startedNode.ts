/** Outcome of a program start: whether it came to serve, and if not, how it ended and what it printed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { svcCommand } from "../../testkit/svcCommand.ts";

/** The outcome of a start. */
export type StartOutcome = {
  /** Whether its servers listened; it was then asked and stopped. */
  readonly served: boolean;
  /** As it ended, after SIGTERM where it served. */
  readonly status: number | null;
  readonly signal: string | null;
  /** Everything that it printed and logged. */
  readonly said: string;
};

/** Which node is started, and for how long it may neither serve nor end. */
export type StartOptions = {
  readonly profileFile: string;
  readonly appdir: string;
  readonly limitMs: number;
  /** Asks the node while it serves. */
  readonly ask?: (http: string) => Promise<void>;
};

/** Starts a node without peers, waits until it serves or has ended, and ends it. Rejects after the time. */
export async function startOutcome(options: StartOptions): Promise<StartOutcome> {
  const { profileFile, appdir, limitMs } = options;
  const [command, ...args] = svcCommand([
    ...["node", `--profile=${profileFile}`, `--appdir=${appdir}`],
    ...["--rpclisten=0", "--httplisten=0", "--listen=127.0.0.1:0"],
    ...["--outpeers=0", "--proof-threads=1"],
  ]);
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
  const lines: string[] = [];
  const served = Promise.withResolvers<string>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      const [, http] = /^browser API +(\S+)\/v1\/tip$/.exec(line) ?? [];
      if (http !== undefined) served.resolve(http);
    });
  }
  const closed = once(child, "close");
  const limit = AbortSignal.timeout(limitMs);
  const late = once(limit, "abort").then(() => null);
  try {
    const first = await Promise.race([served.promise, closed.then(() => ""), late]);
    if (first === null) throw new Error(`neither serves nor ends: ${lines.join("\n")}`);
    if (first !== "") {
      await options.ask?.(first);
      child.kill("SIGTERM");
    }
    await closed;
    const { exitCode: status, signalCode: signal } = child;
    return { served: first !== "", status, signal, said: lines.join("\n") };
  } finally {
    child.kill("SIGKILL");
  }
}
