/** Child process with a JSON lines protocol (one request, one answer), pinned to cores of its own. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { readFileSync } from "node:fs";

/** Start options of the program. */
export type LineProgram = {
  readonly command: string;
  readonly args: readonly string[];
  /** Cores it may use, as `taskset` writes them; where there is no `taskset` it may use all. */
  readonly cores: string;
  readonly signal: AbortSignal;
};

/** Whether programs can be pinned on this machine. */
export const CAN_PIN = spawnSync("taskset", ["--version"]).status === 0;

/** A running program. */
export class LineProcess {
  readonly #child: ChildProcess;
  readonly #waiting: PromiseWithResolvers<unknown>[] = [];
  #ended: Error | null = null;

  constructor({ command, args, cores, signal }: LineProgram) {
    const [program, rest] = CAN_PIN
      ? ["taskset", ["-c", cores, command, ...args]]
      : [command, [...args]];
    const child = spawn(program, rest, { stdio: ["pipe", "pipe", "inherit"], signal });
    this.#child = child;
    if (child.stdout === null) throw new Error("the program has no output");
    createInterface({ input: child.stdout }).on("line", (line) => {
      this.#waiting.shift()?.resolve(JSON.parse(line));
    });
    child.once("error", (error) => this.#fail(error));
    child.once("exit", (code) => this.#fail(new Error(`${command} ended with ${code}`)));
  }

  /** Asks and waits. Rejects when the program answers with an error or has ended. */
  async ask(request: Readonly<Record<string, unknown>>): Promise<Answer> {
    if (this.#ended !== null) throw this.#ended;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.push(waiting);
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`);
    return new Answer(await waiting.promise);
  }

  /** Peak resident memory so far in MiB; null where the system does not tell. */
  peakMiB(): number | null {
    try {
      const status = readFileSync(`/proc/${this.#child.pid}/status`, "utf8");
      const kib = /VmHWM:\s*(\d+) kB/.exec(status)?.[1];
      return kib === undefined ? null : Number(kib) / 1024;
    } catch {
      return null;
    }
  }

  /** Ends the program. Calling it again does nothing. */
  stop(): void {
    this.#child.stdin?.end();
  }

  #fail(error: Error): void {
    this.#ended ??= error;
    for (const waiting of this.#waiting.splice(0)) waiting.reject(error);
  }
}

/** An answer, read field by field. */
export class Answer {
  readonly #value: object;

  constructor(value: unknown) {
    if (typeof value !== "object" || value === null) throw new Error("the answer is no object");
    if ("error" in value) throw new Error(String(value.error));
    this.#value = value;
  }

  number(field: string): number {
    const value: unknown = Reflect.get(this.#value, field);
    if (typeof value !== "number") throw new Error(`the answer has no number ${field}`);
    return value;
  }

  text(field: string): string {
    const value: unknown = Reflect.get(this.#value, field);
    if (typeof value !== "string") throw new Error(`the answer has no text ${field}`);
    return value;
  }

  /** Texts one after the other. */
  texts(field: string): readonly string[] {
    const value: unknown = Reflect.get(this.#value, field);
    if (!Array.isArray(value)) throw new Error(`the answer has no list ${field}`);
    return value.map(String);
  }

  /** The whole answer, to be passed on. */
  get value(): object {
    return this.#value;
  }

  /** Numbers by name. */
  numbers(field: string): Readonly<Record<string, number>> {
    const value: unknown = Reflect.get(this.#value, field);
    const entries = Object.entries(typeof value === "object" && value !== null ? value : {});
    return Object.fromEntries(entries.map(([name, item]) => [name, Number(item)]));
  }
}
