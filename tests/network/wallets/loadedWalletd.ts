/** Wallet daemon under test, run as an operator runs it: a process of its own over a node, asked over HTTP. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { readMetrics } from "@svc/node-server/platform/testkit/readMetrics.ts";
import { PATIENCE_MS } from "../testkit/networkSizes.ts";
import type { NodeProcess } from "../testkit/nodeProcess.ts";
import { ProgramRun } from "../testkit/programRun.ts";

/** What starts a program as operators start it; it becomes the program. */
const starter = fileURLToPath(new URL("../../../scripts/run.sh", import.meta.url));

/** How a daemon is started. */
export type WalletdSpec = {
  readonly node: NodeProcess;
  readonly walletDir: string;
  /** Further options. */
  readonly more?: readonly string[];
};

const made = v.object({ address: v.string() });
const status = v.object({
  loading: v.boolean(),
  synced: v.boolean(),
  spend_ready: v.boolean(),
  scanned_blocks: v.number(),
  balance_sompi: v.string(),
  note_count: v.number(),
  address: v.nullable(v.string()),
  error: v.nullable(v.string()),
});

/** What a test reads of a wallet's status. */
export type SeenStatus = v.InferOutput<typeof status>;

/** A running daemon; the test that started it ends it. */
export class LoadedWalletd {
  readonly #run: ProgramRun;
  readonly #api: string;

  private constructor(run: ProgramRun, api: string) {
    this.#run = run;
    this.#api = api;
  }

  /** Starts a daemon; resolves when its API listens. */
  static async start({ node, walletDir, more = [] }: WalletdSpec): Promise<LoadedWalletd> {
    const args = [
      ...["walletd", `--profile=${node.spec.profile}`, `--wallet-dir=${walletDir}`],
      ...[`--rpc-server=${node.grpcAddress}`, "--listen=127.0.0.1:0", "--loglevel=warn", ...more],
    ];
    const run = new ProgramRun(["sh", starter, "node-server/bin/svc.ts", ...args]);
    const [, api = ""] = await run.text(/^wallet API +(\S+)/m);
    return new LoadedWalletd(run, api);
  }

  /** Makes a wallet; returns its address. `birthday` is a DAA score. */
  async create(token: string, birthday: number): Promise<string> {
    return v.parse(made, await this.ask("/api/wallet/create", token, { birthday })).address;
  }

  /** The status of a wallet, which is opened unless it is open. */
  async status(token: string): Promise<SeenStatus> {
    return v.parse(status, await this.ask("/api/status", token));
  }

  /** Asks for something, with a body by POST. Rejects when it is refused. */
  async ask(path: string, token: string, body?: object): Promise<unknown> {
    const response = await fetch(`${this.#api}${path}`, {
      headers: { "X-Wallet-Token": token, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }

  /** A figure that it tells monitors. */
  async metric(name: string): Promise<number> {
    const response = await fetch(`${this.#api}/metrics`);
    const found = readMetrics(await response.text()).find((series) => series.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found.value;
  }

  /** Resident memory in MiB. */
  residentMiB(): number {
    const text = readFileSync(`/proc/${this.#run.pid}/status`, "utf8");
    return Number(/VmRSS:\s*(\d+) kB/.exec(text)?.[1]) / 1024;
  }

  /** Of the process. */
  get pid(): number {
    return this.#run.pid;
  }

  /** Ends it as an operator does; resolves with its exit status. */
  async stop(): Promise<unknown> {
    this.#run.send("SIGTERM");
    return (await this.#run.ended(PATIENCE_MS)).status;
  }
}
