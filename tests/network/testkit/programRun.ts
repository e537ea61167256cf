/** Process of the program `svc` with any command, whose outputs are read and which is ended by signals. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { onTestFailed, onTestFinished } from "vitest";
import { svcCommand } from "../../testkit/svcCommand.ts";
import { PATIENCE_MS } from "./networkSizes.ts";

/** Characters of each output that are kept. */
const KEPT = 1_000_000;

type Environment = Readonly<Record<string, string>>;

/** How a program ended, and what it said. */
export type RunEnd = {
  readonly status: unknown;
  readonly signal: unknown;
  readonly out: string;
  readonly err: string;
};

/** One of the two outputs. */
export type OutputName = "out" | "err";

/** A running program; a test that ends leaves none behind. */
export class ProgramRun {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #closed: Promise<unknown[]>;
  readonly #said = { out: "", err: "" };
  readonly #waiting = new Set<() => void>();
  /** Bytes of standard error so far. */
  errBytes = 0;

  /** Starts a command line. */
  constructor([command = "", ...args]: readonly string[], environment: Environment = {}) {
    this.#child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...environment },
    });
    this.#closed = once(this.#child, "close");
    this.#hear("out", this.#child.stdout);
    this.#hear("err", this.#child.stderr);
    onTestFailed(() => console.error(`--- ${command} ${args.join(" ")}`, this.#said));
    onTestFinished(() => void this.#child.kill("SIGKILL"));
  }

  /** Starts `svc`. */
  static svc(args: readonly string[], imports: readonly string[] = []): ProgramRun {
    return new ProgramRun(svcCommand(args, imports));
  }

  /** Of the process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether it goes on. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** What it said so far. */
  get said(): Readonly<Record<OutputName, string>> {
    return this.#said;
  }

  /** The first text of this form in either output, of what it said and will say. Rejects when it ends before. */
  async text(form: RegExp, limitMs = PATIENCE_MS): Promise<RegExpExecArray> {
    const found = Promise.withResolvers<RegExpExecArray>();
    const look = (): void => {
      const match = form.exec(this.#said.out) ?? form.exec(this.#said.err);
      if (match !== null) found.resolve(match);
      else if (!this.isRunning) found.reject(new Error(`it ended before ${form}`));
    };
    const limit = setTimeout(() => found.reject(new Error(`no ${form}`)), limitMs);
    this.#waiting.add(look);
    void this.#closed.then(look);
    look();
    return found.promise.finally(() => {
      clearTimeout(limit);
      this.#waiting.delete(look);
    });
  }

  /** Sends a signal. */
  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes the end at which an output is read. */
  closeReader(name: OutputName): void {
    (name === "out" ? this.#child.stdout : this.#child.stderr).destroy();
  }

  /** Reads nothing of an output any more, and leaves it open. */
  stopReading(name: OutputName): void {
    (name === "out" ? this.#child.stdout : this.#child.stderr).pause();
  }

  /** Reads an output again. */
  resumeReading(name: OutputName): void {
    (name === "out" ? this.#child.stdout : this.#child.stderr).resume();
  }

  /** Waits for its end; what it still said is heard. Rejects after the time. */
  async ended(limitMs = PATIENCE_MS): Promise<RunEnd> {
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => limit.reject(new Error("it has not ended")), limitMs);
    // A reader that stands still would never hear the end.
    const exited = this.isRunning ? once(this.#child, "exit") : Promise.resolve();
    await Promise.race([exited, limit.promise]).finally(() => clearTimeout(timer));
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.resume();
    await this.#closed;
    const { exitCode: status, signalCode: signal } = this.#child;
    return { status, signal, ...this.#said };
  }

  #hear(name: OutputName, stream: Readable): void {
    stream.on("data", (chunk: Uint8Array) => {
      if (name === "err") this.errBytes += chunk.length;
      this.#said[name] = `${this.#said[name]}${Buffer.from(chunk).toString()}`.slice(-KEPT);
      for (const look of this.#waiting) look();
    });
  }
}
