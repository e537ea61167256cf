/** A program that serves, as a process: run as an operator runs it, and ended by signals. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { HANG_MS } from "../../testkit/hangMs.ts";

/** What starts a program as operators start it; it becomes the program. */
const STARTER = fileURLToPath(new URL("../../../scripts/run.sh", import.meta.url));
/** Lines of all programs of a test that are kept for a failing one. */
const KEPT_LINES = 400;

/** How a program is started. */
export type ProgramSpec = {
  /** For errors. */
  readonly name: string;
  /** File below the root and arguments. */
  readonly command: readonly string[];
  /** Home of its user. */
  readonly home: string;
  /** Finds the address in the line that says where it listens. */
  readonly listens: RegExp;
  readonly environment?: Readonly<Record<string, string>>;
  /** The last lines of all programs of the test. */
  readonly log: string[];
};

/** A running program. */
export class ListeningProgram {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  readonly #address = Promise.withResolvers<string>();
  readonly #spec: ProgramSpec;
  /** Where it listens, once it does. */
  address: string | null = null;

  /** Starts it and does not wait for it. */
  constructor(spec: ProgramSpec) {
    this.#spec = spec;
    this.#child = spawn("sh", [STARTER, ...spec.command], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: spec.home, ...spec.environment },
    });
    this.#exited = once(this.#child, "exit");
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.#hear(line));
    }
    this.#address.promise.catch(() => undefined);
    const fail = (reason: string): void =>
      this.#address.reject(new Error(`${spec.name}: ${reason}`));
    const limit = setTimeout(() => fail("does not listen"), HANG_MS);
    void this.#exited.then(() => fail("ended before it listened"));
    void Promise.allSettled([this.#address.promise]).then(() => clearTimeout(limit));
  }

  /** Resolves with where it listens. Rejects when it ends before. */
  listening(): Promise<string> {
    return this.#address.promise;
  }

  /** Of the process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Ends it without a warning. Rejects when it had ended by itself. */
  async kill(): Promise<void> {
    const { exitCode } = this.#child;
    if (exitCode !== null) throw new Error(`${this.#spec.name} ended by itself with ${exitCode}`);
    this.#child.kill("SIGKILL");
    await this.#exited;
    this.address = null;
  }

  /** Ends it as an operator does; resolves with its status, null for one that a signal ended. */
  async stop(): Promise<number | null> {
    this.#child.kill("SIGTERM");
    await this.#exited;
    this.address = null;
    return this.#child.exitCode;
  }

  /** Its status when it has ended by itself; null when a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#exited;
    return this.#child.exitCode;
  }

  /** Ends it if it runs, for the end of a test. */
  end(): void {
    this.#child.kill("SIGKILL");
  }

  #hear(line: string): void {
    const { log, listens } = this.#spec;
    log.push(`${this.pid} ${line}`);
    if (log.length > KEPT_LINES) log.splice(0, KEPT_LINES / 2);
    const address = listens.exec(line)?.[1];
    if (address === undefined) return;
    this.address = address;
    this.#address.resolve(address);
  }
}
