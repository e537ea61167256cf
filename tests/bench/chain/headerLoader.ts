/** Header loader of the benchmarks: headers without bodies into a store on disk, with speed and memory as the store grows. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import type { Readable } from "node:stream";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import { readTipFacts } from "@svc/shared/protocol/facts/tipFacts.ts";
import { readInsertOutcomes } from "@svc/node-server/engine/calls/engineFacts.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";

/** Points in time at which memory is looked at. */
const SAMPLES = 50;
const MIB = 1024 * 1024;
/** Every header is of the past for this clock: 2^53 ms. */
const LATE_MS = 9_007_199_254_740_992n;

/** Arguments of a loading. */
export type HeaderRequest = {
  /** An empty folder for the store. */
  readonly folder: string;
  readonly profile: string;
  readonly profileFile: string;
  /** The program that makes headers. */
  readonly maker: string;
  readonly count: number;
};

/** Memory after so many headers, in MiB. */
export type MemorySample = {
  readonly headers: number;
  /** Resident, mapped pages of the store's files among them: the system takes those back when it needs room. */
  readonly rss: number;
  /** Resident and the process's own; null where the system does not tell. */
  readonly rssAnon: number | null;
  /** Files of the store. */
  readonly store: number;
};

/** The cost of a loading. */
export type LoadedHeaders = {
  /** Within calls of the engine; the maker works meanwhile and is waited for outside of them. */
  readonly ms: number;
  /** Processor time of the whole process meanwhile, its garbage collector's threads included. */
  readonly cpuMs: number;
  readonly longestCallMs: number;
  /** Processor time of the call that took most of it: what a longest call has beyond it was waiting, for the disk say. */
  readonly longestCallCpuMs: number;
  readonly samples: readonly MemorySample[];
};

/** Loads headers as they are made. Rejects when one is not taken. */
export async function loadHeaders(core: CoreGlue, request: HeaderRequest): Promise<LoadedHeaders> {
  const { folder, profile, profileFile, maker, count } = request;
  const { store } = await openStore(folder, CONSENSUS_LAYOUT);
  const args = ["headers", "--profile", profileFile, "--count", String(count)];
  const child = spawn(maker, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const engine = callCore(() => new core.Engine(kvHostStore(store), profile));
    const load = new Load(engine, request);
    for await (const call of callsOf(child.stdout)) load.take(call);
    const loaded = load.end();
    engine.free();
    return loaded;
  } finally {
    child.kill();
    await store.close();
  }
}

class Load {
  readonly #engine: RawEngine;
  readonly #request: HeaderRequest;
  readonly #samples: MemorySample[] = [];
  #taken = 0;
  #ms = 0;
  #cpuMs = 0;
  #longest = 0;
  #longestCpu = 0;

  constructor(engine: RawEngine, request: HeaderRequest) {
    this.#engine = engine;
    this.#request = request;
    callCore(() => engine.setGroupCommit(true));
    this.#sample();
  }

  take(raw: Uint8Array): void {
    const outcomes = readInsertOutcomes(
      this.#timed(() => this.#engine.insertHeaders(raw, LATE_MS)),
    );
    const refused = outcomes.find((outcome) => outcome.kind !== "accepted" || !outcome.new);
    if (refused !== undefined) throw new Error(`a header is refused: ${JSON.stringify(refused)}`);
    this.#taken += outcomes.length;
    const due = (this.#request.count * this.#samples.length) / SAMPLES;
    if (this.#taken >= due) this.#sample();
  }

  end(): LoadedHeaders {
    this.#timed(() => this.#engine.setGroupCommit(false));
    const { headersBlueScore } = readTipFacts(callCore(() => this.#engine.tip()));
    if (headersBlueScore !== BigInt(this.#request.count)) throw new Error("headers are missing");
    if (this.#samples.at(-1)?.headers !== this.#taken) this.#sample();
    return {
      ms: this.#ms,
      cpuMs: this.#cpuMs,
      longestCallMs: this.#longest,
      longestCallCpuMs: this.#longestCpu,
      samples: this.#samples,
    };
  }

  #timed<T>(call: () => T): T {
    const cpu = process.cpuUsage();
    const begun = performance.now();
    const answer = callCore(call);
    const ms = performance.now() - begun;
    const used = process.cpuUsage(cpu);
    const cpuMs = (used.user + used.system) / 1_000;
    this.#cpuMs += cpuMs;
    this.#ms += ms;
    this.#longest = Math.max(this.#longest, ms);
    this.#longestCpu = Math.max(this.#longestCpu, cpuMs);
    return answer;
  }

  #sample(): void {
    const sample = { ...memory(), store: filesOf(this.#request.folder) / MIB };
    this.#samples.push({ headers: this.#taken, ...sample });
    const text = Object.entries(sample).map(([name, mib]) => `${name} ${mib?.toFixed(0)}`);
    const ms = this.#ms.toFixed(0);
    console.error(`${this.#taken} headers after ${ms} ms of the engine; MiB: ${text.join(", ")}`);
  }
}

function memory(): { rss: number; rssAnon: number | null } {
  const rss = process.memoryUsage.rss() / MIB;
  try {
    const status = readFileSync("/proc/self/status", "utf8");
    const kib = /RssAnon:\s*(\d+) kB/.exec(status)?.[1];
    return { rss, rssAnon: kib === undefined ? null : Number(kib) / 1024 };
  } catch {
    return { rss, rssAnon: null };
  }
}

function filesOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  const sizes = files.map((file) => {
    if (!file.isFile()) return 0;
    const { blocks } = statSync(join(file.parentPath, file.name));
    return 512 * blocks;
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Calls as the maker writes them: length u32, bytes. */
async function* callsOf(output: Readable): AsyncGenerator<Uint8Array> {
  let rest = Buffer.alloc(0);
  for await (const part of output) {
    rest = Buffer.concat([rest, part]);
    while (rest.length >= 4) {
      const end = 4 + rest.readUInt32LE(0);
      if (rest.length < end) break;
      yield rest.subarray(4, end);
      rest = rest.subarray(end);
    }
  }
  if (rest.length > 0) throw new Error("the maker of headers ended in the middle");
}
