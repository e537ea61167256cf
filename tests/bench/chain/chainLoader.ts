/**
 * Block loader of the benchmarks: an engine over a store on disk in this thread, fed as a program's engine thread is, with
 * the same session, the same bounds of group commit, commits that are flushed to the disk.
 */
import { performance } from "node:perf_hooks";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { ENGINE_LIMITS } from "@svc/node-server/engine/engineLimits.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue, RawEngine } from "@svc/shared/core/generated/coreGlue.ts";
import type { EngineReport, ProofJob } from "@svc/node-server/engine/calls/engineMessages.ts";
import { EngineSession } from "@svc/node-server/engine/host/engineSession.ts";
import { kvHostStore } from "@svc/node-server/engine/host/kvHostStore.ts";
import { CONSENSUS_LAYOUT } from "@svc/node-server/storage/layout.ts";
import { openStore } from "@svc/node-server/storage/openStore.ts";
import { PROOFS, PartWatch, type PartTimes } from "./partWatch.ts";

/** Judges proofs: one truth per job. */
export type Judge = (jobs: readonly ProofJob[]) => readonly boolean[];

/** Arguments of a loading. */
export type LoadRequest = {
  /** An empty folder for the store. */
  readonly folder: string;
  readonly profile: string;
  /** Parents first. */
  readonly blocks: readonly Uint8Array[];
  /** The clock of every insertion. */
  readonly nowMs: bigint;
  readonly judge?: Judge;
};

/** The cost of a loading, from the first block to the commit of the last. */
export type Loaded = {
  readonly ms: number;
  /** Processor time of the whole process. */
  readonly cpuMs: number;
  readonly parts: PartTimes;
  /** Proofs that were judged. */
  readonly proofs: number;
};

/** Loads all blocks. Rejects when one is not accepted. */
export async function loadChain(core: CoreGlue, request: LoadRequest): Promise<Loaded> {
  const { store } = await openStore(request.folder, CONSENSUS_LAYOUT);
  try {
    const host = kvHostStore(store);
    const engine = callCore(() => new core.Engine(host, request.profile));
    const watch = new PartWatch();
    watch.follow(engine);
    const load = new Load(request, watch);
    load.watchEnd(engine);
    load.session = new EngineSession({
      engine,
      prune: null,
      report: (report) => load.report(report),
      defer: (turn) => setImmediate(turn),
      later: (call, ms) => setTimeout(call, ms).unref(),
      flush: () => {},
      ended: () => {},
    });
    const loaded = await load.run();
    checkSink(core, engine, request.blocks);
    engine.free();
    return loaded;
  } finally {
    await store.close();
  }
}

/** A block that is no chain block is accepted all the same: the chain must end in the last one. */
function checkSink(core: CoreGlue, engine: RawEngine, blocks: readonly Uint8Array[]): void {
  const last = blocks.at(-1);
  if (last === undefined) return;
  const { hash }: { hash: string } = JSON.parse(callCore(() => core.computeHashes(last)));
  const { sink }: { sink: string } = JSON.parse(callCore(() => engine.tip()));
  if (sink !== hash) throw new Error("the last block is not on the selected chain");
}

/** Numbers below this belong to blocks. */
const GROUP_CALL = 1_000_000_000;

class Load {
  session: EngineSession | null = null;
  readonly #request: LoadRequest;
  readonly #watch: PartWatch;
  readonly #done = Promise.withResolvers<void>();
  readonly #jobs: ProofJob[] = [];
  #sent = 0;
  #answered = 0;
  #proofs = 0;

  constructor(request: LoadRequest, watch: PartWatch) {
    this.#request = request;
    this.#watch = watch;
  }

  /** The last group does not wait until it is full or old: nothing will follow. */
  watchEnd(engine: RawEngine): void {
    const { insertBlock } = engine;
    let left = this.#request.blocks.length;
    engine.insertBlock = (raw, nowMs) => {
      left -= 1;
      if (left === 0) setImmediate(() => this.#group(false));
      return insertBlock.call(engine, raw, nowMs);
    };
  }

  async run(): Promise<Loaded> {
    this.#group(true);
    const cpu = process.cpuUsage();
    const begun = performance.now();
    this.#watch.start();
    this.#feed();
    await this.#done.promise;
    const ms = performance.now() - begun;
    const used = process.cpuUsage(cpu);
    const cpuMs = (used.user + used.system) / 1_000;
    return { ms, cpuMs, parts: this.#watch.times(), proofs: this.#proofs };
  }

  report(report: EngineReport): void {
    switch (report.kind) {
      case "answer":
        if (report.answer.kind === "block") this.#answer(report.answer.value.kind);
        return;
      case "jobs":
        if (this.#jobs.length === 0) setImmediate(() => this.#judge());
        this.#jobs.push(...report.jobs);
        return;
      case "refused":
      case "failed":
        this.#done.reject(SvcError.fromJson(report.error));
        return;
      case "opened":
      case "events":
      case "unpruned":
    }
  }

  #answer(kind: string): void {
    if (kind !== "accepted") this.#done.reject(new Error(`a block is ${kind}`));
    this.#answered += 1;
    if (this.#answered === this.#request.blocks.length) this.#done.resolve();
    else this.#feed();
  }

  /** Keeps as many blocks waiting as a node lets wait. */
  #feed(): void {
    const { blocks, nowMs } = this.#request;
    while (this.#sent < blocks.length && this.#sent - this.#answered < ENGINE_LIMITS.ingestBlocks) {
      const raw = blocks[this.#sent];
      if (raw === undefined) return;
      this.session?.receive({ id: this.#sent, call: { kind: "block", raw, nowMs } });
      this.#sent += 1;
    }
  }

  #judge(): void {
    const { judge } = this.#request;
    if (judge === undefined) {
      this.#done.reject(new Error("the chain carries payments"));
      return;
    }
    const jobs = this.#jobs.splice(0, ENGINE_LIMITS.verifyBatchJobs);
    if (this.#jobs.length > 0) setImmediate(() => this.#judge());
    const valid = this.#watch.timed(PROOFS, () => judge(jobs));
    this.#proofs += jobs.length;
    for (const [index, { txid, format }] of jobs.entries()) {
      this.session?.receive({ verdict: { txid, format, valid: valid[index] === true } });
    }
  }

  #group(on: boolean): void {
    this.session?.receive({ id: GROUP_CALL, call: { kind: "group", on } });
  }
}
