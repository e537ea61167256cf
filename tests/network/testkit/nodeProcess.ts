/** Node process under test, run as an operator runs it: a process of its own, queried over its servers, ended by signals. */
import { spawn, type ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { GrpcClient } from "@svc/node-server/client/grpcClient.ts";
import { HANG_MS } from "../../testkit/hangMs.ts";
import { processorMs } from "../../bench/node/processorTime.ts";
import { readPoolRows } from "@svc/shared/protocol/facts/poolFacts.ts";
import { readTipAnswer, type TipAnswer } from "@svc/shared/protocol/facts/tipFacts.ts";

/** What starts a program as operators start it; it becomes the program. */
const starter = fileURLToPath(new URL("../../../scripts/run.sh", import.meta.url));
/** Lines of the log that are kept for a failing test. */
const KEPT_LINES = 2_000;
/** Written to `clear_refs`, it resets the peak memory of a process. */
const FORGET_PEAK = "5";
/** Times that a node is asked to dial a port. */
const MOST_DIALS = 5;
const UNREACHED = /"address":"([^"]+)","msg":"a peer could not be reached"/;
/** Milliseconds between the first two looks at a condition, and the most: what takes long is looked at less often. */
const LOOK_MS = { first: 25, most: 200 } as const;
const KEYS_READY = /^verifying keys ready/;
const submitted = v.object({ txid: v.string() });

/** Start options of a node. */
export type NodeSpec = {
  /** Shown with its log. */
  readonly name: string;
  /** A profile file. */
  readonly profile: string;
  readonly appdir: string;
  /** Ports of this machine that it dials again and again. */
  readonly peers?: readonly number[];
  /** Further options. */
  readonly more?: readonly string[];
  /** Modules that run before the program. */
  readonly imports?: readonly string[];
  /** Variables added to its environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Cores it may use, as `taskset` writes them; all when left out. */
  readonly cores?: string;
  /** Files and connections that it may have open; as many as this process when left out. */
  readonly nofile?: number;
  /** Forms of lines that are counted from its first line on. */
  readonly watched?: readonly RegExp[];
};

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A running node. */
export class NodeProcess {
  readonly spec: NodeSpec;
  readonly #child: Child;
  readonly #exited: Promise<unknown>;
  /** The last lines, for a failing test: nothing may be concluded from what is not there. */
  readonly #lines: string[] = [];
  readonly #counts: Map<RegExp, number>;
  readonly #waiting = new Set<(line: string) => void>();
  /** Times that an address may still be dialled for a test. */
  readonly #dialsLeft = new Map<string, number>();
  /** Whether it said that it can judge payments: its first lines may be forgotten when a test asks. */
  readonly #keys = Promise.withResolvers<void>();
  /** Whether a test has ended it without a warning. */
  #isKilled = false;
  #ports: { readonly http: string; readonly grpc: string; readonly peers: number } | null = null;
  #client: GrpcClient | null = null;

  private constructor(spec: NodeSpec) {
    this.spec = spec;
    this.#counts = new Map((spec.watched ?? []).map((pattern) => [pattern, 0]));
    const { cores, nofile } = spec;
    const within = [
      ...(nofile === undefined ? [] : ["prlimit", `--nofile=${nofile}:${nofile}`]),
      ...(cores === undefined ? [] : ["taskset", "-c", cores]),
    ];
    const program = [starter, "node-server/bin/svc.ts", "node", ...optionsOf(spec)];
    const [command = "", ...all] = [...within, "sh", ...program];
    const child = spawn(command, all, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...spec.environment, NODE_OPTIONS: nodeOptions(spec) },
    });
    this.#child = child;
    this.#exited = once(child, "exit");
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on("line", (line) => this.#hear(line));
    }
  }

  /** Starts a node; resolves when its servers listen. */
  static async start(spec: NodeSpec): Promise<NodeProcess> {
    const node = NodeProcess.begin(spec);
    await node.listening().catch(async (error: unknown) => {
      // Nobody has this node yet, who would show its log and end it.
      console.error(error, node.log);
      await node.kill();
      throw error;
    });
    return node;
  }

  /** Starts a node and does not wait for it. */
  static begin(spec: NodeSpec): NodeProcess {
    return new NodeProcess(spec);
  }

  /** Resolves when its servers listen. */
  async listening(): Promise<void> {
    const port = async (name: string): Promise<string> => {
      const line = await this.line(new RegExp(`^${name} +\\S`), HANG_MS);
      return line.split(" ").at(-1) ?? "";
    };
    const [http, grpc, peers] = await Promise.all(["browser API", "gRPC", "peers"].map(port));
    const base = new URL(http ?? "").origin;
    this.#ports = { http: base, grpc: grpc ?? "", peers: Number(peers) };
  }

  /**
   * Starts a node and kills it at so many lines of its output, or at a line of that form, wherever it is then: it may not
   * listen yet. Resolves when it is gone.
   */
  static async killedAt(
    spec: NodeSpec,
    { lines, orLine }: { readonly lines: number; readonly orLine: RegExp },
  ): Promise<NodeProcess> {
    const node = new NodeProcess(spec);
    let heard = 0;
    node.#waiting.add((line) => {
      heard += 1;
      if (heard === lines || orLine.test(line)) node.#signalKill();
    });
    await node.#exited;
    const { signalCode } = node.#child;
    if (!node.#isKilled || signalCode !== "SIGKILL") {
      throw node.#failure(`ended by itself\n${node.log}`);
    }
    return node;
  }

  /** Where the browser protocol is served, `http://host:port`. */
  get http(): string {
    return this.#started().http;
  }

  /** Where peers are taken in. */
  get peerPort(): number {
    return this.#started().peers;
  }

  /** Where gRPC is served, `host:port`. */
  get grpcAddress(): string {
    return this.#started().grpc;
  }

  /** The stream of calls; ends with the node. */
  get grpc(): GrpcClient {
    this.#client ??= new GrpcClient(this.#started().grpc);
    return this.#client;
  }

  /** Whether the process is gone. */
  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Of the process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The last lines that it printed and logged. */
  get log(): string {
    return `--- ${this.spec.name}\n${this.#lines.join("\n")}\n`;
  }

  /** How many lines of a watched form came so far. Throws for a form that is not watched: lines of it may be forgotten. */
  countOf(pattern: RegExp): number {
    const count = this.#counts.get(pattern);
    if (count === undefined) throw this.#failure(`${pattern} is not watched`);
    return count;
  }

  /** Gathers the lines of a form that come from now on. */
  gather(pattern: RegExp): readonly string[] {
    const found: string[] = [];
    this.#waiting.add((line) => {
      if (pattern.test(line)) found.push(line);
    });
    return found;
  }

  /** Resolves when it can judge payments. Rejects after the time, or when the node ends. */
  async keysReady(limitMs: number): Promise<void> {
    await this.#within(this.#keys.promise, "verifying keys", limitMs);
  }

  /** The first line that matches, of those that are kept and those to come. Rejects after the time, or when the node ends. */
  async line(pattern: RegExp, limitMs: number): Promise<string> {
    const before = this.#lines.find((line) => pattern.test(line));
    if (before !== undefined) return before;
    return this.nextLine(pattern, limitMs);
  }

  /** As `line`, of those to come. */
  async nextLine(pattern: RegExp, limitMs: number): Promise<string> {
    const found = Promise.withResolvers<string>();
    const hear = (line: string): void => {
      if (pattern.test(line)) found.resolve(line);
    };
    this.#waiting.add(hear);
    try {
      return await this.#within(found.promise, String(pattern), limitMs);
    } finally {
      this.#waiting.delete(hear);
    }
  }

  /** What comes in time from a node that runs. */
  async #within<T>(coming: Promise<T>, what: string, limitMs: number): Promise<T> {
    const late = Promise.withResolvers<never>();
    const limit = setTimeout(() => late.reject(this.#failure(`no ${what}`)), limitMs);
    const ended = this.#exited.then(() => Promise.reject(this.#failure(`ended before ${what}`)));
    try {
      return await Promise.race([coming, late.promise, ended]);
    } finally {
      clearTimeout(limit);
    }
  }

  /** Where its chain stands. Rejects while another store takes the place of the one in use. */
  async tip(): Promise<TipAnswer> {
    const response = await fetch(`${this.http}/v1/tip`);
    const text = await response.text();
    if (!response.ok) throw this.#failure(text);
    return readTipAnswer(text);
  }

  /** Waits until its chain stands so; rejects, with the last tip and the log, after the time. */
  async untilTip(
    what: string,
    isSo: (tip: TipAnswer) => boolean,
    limitMs: number,
  ): Promise<TipAnswer> {
    let last: TipAnswer | undefined;
    await untilSo(async () => {
      if (this.hasEnded) throw this.#failure("it has ended");
      const tip = await this.tip().catch(() => undefined);
      last = tip ?? last;
      return tip !== undefined && isSo(tip);
    }, limitMs).catch((error: unknown) => {
      throw this.#failure(`${what}: ${String(error)}; ${describeTip(last)}`);
    });
    if (last === undefined) throw this.#failure(what);
    return last;
  }

  /** Hands a payment in over HTTP; returns its id. */
  async submit(raw: Uint8Array): Promise<string> {
    const response = await fetch(`${this.http}/v1/tx`, { method: "POST", body: raw.slice() });
    return v.parse(submitted, await response.json()).txid;
  }

  /** Ids of the waiting payments that its server shows. */
  async waiting(): Promise<readonly string[]> {
    const response = await fetch(`${this.http}/v1/mempool`);
    return readPoolRows(await response.text()).entries.map(({ txid }) => txid);
  }

  /** Peers that it is connected to. */
  async peerCount(): Promise<number> {
    const { infos } = await this.grpc.call({ $case: "getConnectedPeerInfo", value: {} });
    return infos.length;
  }

  /** Has it dial a port of this machine, and again where the other side has not accepted within the second that a node waits. */
  async addPeer(port: number): Promise<void> {
    const address = `127.0.0.1:${port}`;
    this.#dialsLeft.set(address, MOST_DIALS);
    await this.#dial(address);
  }

  async #dial(address: string): Promise<void> {
    const left = this.#dialsLeft.get(address) ?? 0;
    if (left === 0) return;
    this.#dialsLeft.set(address, left - 1);
    await this.grpc.call({ $case: "addPeer", value: { address, isPermanent: false } });
  }

  /** Milliseconds that it has computed so far, all its threads together. */
  processorMs(): number {
    const spent = processorMs(this.pid);
    if (spent === null) throw this.#failure("its processor time is not told");
    return spent;
  }

  /** Memory of its own in MiB: what it holds beside mapped files. */
  anonymousMiB(): number {
    return this.#statusMiB(/RssAnon:\s*(\d+) kB/);
  }

  /** Resident memory in MiB. */
  residentMiB(): number {
    return this.#statusMiB(/VmRSS:\s*(\d+) kB/);
  }

  /** Lets `peakMiB` begin anew: the system knows it from here on. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, FORGET_PEAK);
  }

  /** The most that it was so far. */
  peakMiB(): number {
    return this.#statusMiB(/VmHWM:\s*(\d+) kB/);
  }

  /** Sends it a signal. */
  send(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Its exit status when it has ended by itself, and null when a signal ended it. */
  async ended(): Promise<number | null> {
    await this.#exited;
    this.#client?.close();
    return this.#child.exitCode;
  }

  /** As `ended`; rejects when it has not ended within the time. */
  async endedWithin(limitMs: number): Promise<number | null> {
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => limit.reject(this.#failure("has not ended")), limitMs);
    return Promise.race([this.ended(), limit.promise]).finally(() => clearTimeout(timer));
  }

  /** Ends it as an operator does. Rejects unless it says that all is well. Again waits for the same end. */
  async stop(): Promise<void> {
    this.#client?.close();
    this.#child.kill("SIGTERM");
    await this.#exited;
    const { exitCode, signalCode } = this.#child;
    // A kill that no test ordered is the system's, for want of memory.
    const isFine = exitCode === 0 || (this.#isKilled && signalCode === "SIGKILL");
    if (!isFine) throw this.#failure(`ended with ${exitCode ?? signalCode}`);
  }

  /** Ends it without a warning. */
  async kill(): Promise<void> {
    this.#client?.close();
    this.#signalKill();
    await this.#exited;
  }

  #signalKill(): void {
    this.#isKilled = true;
    this.#child.kill("SIGKILL");
  }

  #statusMiB(field: RegExp): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const [, kib] = field.exec(status) ?? [];
    if (kib === undefined) throw this.#failure(`no ${field} in its status: ${status}`);
    return Number(kib) / 1024;
  }

  #started() {
    if (this.#ports === null) throw this.#failure("it has not started");
    return this.#ports;
  }

  #hear(line: string): void {
    this.#lines.push(line);
    if (KEYS_READY.test(line)) this.#keys.resolve();
    for (const [pattern, count] of this.#counts) {
      if (pattern.test(line)) this.#counts.set(pattern, count + 1);
    }
    if (this.#lines.length > KEPT_LINES) this.#lines.splice(0, KEPT_LINES / 2);
    const address = UNREACHED.exec(line)?.[1];
    // It may be ending.
    if (address !== undefined) this.#dial(address).catch(() => undefined);
    for (const hear of this.#waiting) hear(line);
  }

  #failure(reason: string): Error {
    return new Error(`${this.spec.name}: ${reason}`);
  }
}

/** Looks again and again until something is so. Rejects after the time. */
export async function untilSo(isSo: () => Promise<boolean>, limitMs: number): Promise<void> {
  const end = performance.now() + limitMs;
  for (
    let waitMs: number = LOOK_MS.first;
    !(await isSo());
    waitMs = Math.min(2 * waitMs, LOOK_MS.most)
  ) {
    if (performance.now() > end) throw new Error(`not so after ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

function nodeOptions({ imports = [] }: NodeSpec): string {
  const before = process.env["NODE_OPTIONS"] ?? "";
  return [before, ...imports.map((path) => `--import=${path}`)].join(" ").trim();
}

function optionsOf({ profile, appdir, peers = [], more = [] }: NodeSpec): string[] {
  return [
    `--profile=${profile}`,
    `--appdir=${appdir}`,
    "--rpclisten=0",
    "--httplisten=0",
    "--listen=127.0.0.1:0",
    "--outpeers=0",
    "--unsaferpc",
    "--enable-unsynced-mining",
    "--proof-threads=1",
    "--loglevel=debug",
    ...peers.map((port) => `--addpeer=127.0.0.1:${port}`),
    ...more,
  ];
}

function describeTip(tip: TipAnswer | undefined): string {
  if (tip === undefined) return "it did not answer";
  const { sink, chainIndex, blockCount, headerCount, pruningPoint } = tip;
  return `sink ${sink} at ${chainIndex}, ${blockCount} blocks, ${headerCount} headers, pruning point ${pruningPoint}`;
}
