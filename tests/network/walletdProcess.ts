/** Wallet daemon as a process, run as an operator runs it and ended by signals. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

/** What starts a program as operators start it; it becomes the program. */
const STARTER = fileURLToPath(new URL("../../scripts/run.sh", import.meta.url));
const LISTENS = /^wallet API +(http:\/\/\S+)/;
const START_MS = 60_000;
/** Lines of all daemons of a test that are kept for a failing one. */
const KEPT_LINES = 400;

/** How a daemon is started. */
export type WalletdSpec = {
  readonly profile: string;
  readonly walletDir: string;
  /** `host:port` of the node's gRPC API. */
  readonly node: string;
  /** Home of its user, where it keeps the tables of its prover. */
  readonly home: string;
  /** Further options. */
  readonly more?: readonly string[];
  /** A program of the tests in place of `svc walletd`, below the root, with what it is told beside the options. */
  readonly program?: { readonly file: string; readonly environment: Record<string, string> };
  /** The last lines of all daemons of the test. */
  readonly log: string[];
};

/** A running daemon. */
export class WalletdProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #exited: Promise<unknown>;
  readonly #address = Promise.withResolvers<string>();
  readonly #log: string[];
  /** Where it listens, once it does. */
  address: string | null = null;

  private constructor({ log, program, home, ...spec }: WalletdSpec) {
    this.#log = log;
    const start = program === undefined ? ["node-server/bin/svc.ts", "walletd"] : [program.file];
    this.#child = spawn("sh", [STARTER, ...start, ...optionsOf(spec)], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: home, ...program?.environment },
    });
    this.#exited = once(this.#child, "exit");
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.#hear(line));
    }
    this.#address.promise.catch(() => undefined);
    const fail = (reason: string): void => this.#address.reject(new Error(`walletd: ${reason}`));
    const limit = setTimeout(() => fail("does not listen"), START_MS);
    void this.#exited.then(() => fail("ended before it listened"));
    void Promise.allSettled([this.#address.promise]).then(() => clearTimeout(limit));
  }

  /** Starts one and does not wait for it. */
  static begin(spec: WalletdSpec): WalletdProcess {
    return new WalletdProcess(spec);
  }

  /** Starts one; resolves when it listens. */
  static async start(spec: WalletdSpec): Promise<WalletdProcess> {
    const daemon = new WalletdProcess(spec);
    await daemon.listening();
    return daemon;
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
    if (exitCode !== null) throw new Error(`walletd ended by itself with ${exitCode}`);
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
    this.#log.push(`${this.pid} ${line}`);
    if (this.#log.length > KEPT_LINES) this.#log.splice(0, KEPT_LINES / 2);
    const address = LISTENS.exec(line)?.[1];
    if (address === undefined) return;
    this.address = address;
    this.#address.resolve(address);
  }
}

function optionsOf({
  profile,
  walletDir,
  node,
  more = [],
}: Pick<WalletdSpec, "profile" | "walletDir" | "node" | "more">): readonly string[] {
  return [
    `--profile=${profile}`,
    `--wallet-dir=${walletDir}`,
    `--rpc-server=${node}`,
    "--listen=127.0.0.1:0",
    "--no-auto-consolidate",
    "--max-concurrent-proves=1",
    ...more,
  ];
}
