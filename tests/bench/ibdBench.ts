/** An initial sync between two nodes of this machine, against loading the same chain without a network. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCoreFile } from "@svc/node-server/platform/wasmFiles.ts";
import { loadIntoNode } from "../network/chainMaker.ts";
import { NodeProcess } from "../network/nodeProcess.ts";
import type { Bench, BenchOptions, Report } from "./bench.ts";
import { median } from "./bench.ts";
import {
  bodyBytesOf,
  packBlocks,
  payingIbdChain,
  plainIbdChain,
  type IbdChain,
} from "./ibdChain.ts";
import { CAN_PIN, type LineProcess } from "./lineProcess.ts";
import { LoopWatch, type LoopDelay } from "./loopWatch.ts";
import { twoActionPayments } from "./payments.ts";
import { processorMs } from "./processorTime.ts";
import { inTurns, oneCore, startLoader, startOurs, startPeer } from "./sides.ts";

/** Payments of a chain that carries some. */
const PAYMENTS = 64;
/** Milliseconds that one sync may take. */
const PATIENCE_MS = 600_000;
/** What is asked of an initial sync. */
const LEAST_RATIO = 0.7;
const LEAST_BLOCKS_PER_S = 105;

/** The bench. */
export const ibdBench: Bench = {
  kind: "report",
  name: "ibd",
  about:
    "a fresh node catches up with a local one, on a core each, against `ingest` of the same chain",
  async run(options) {
    const chain = await chainOf(options);
    const folder = mkdtempSync(join(tmpdir(), "svc-bench-"));
    try {
      return await measured(new IbdScene(folder, chain), options);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

async function chainOf({ blocks, tx, signal }: BenchOptions): Promise<IbdChain> {
  const core = await loadCoreFile();
  if (tx === 0) return plainIbdChain(core, blocks);
  const [ours, peer] = [startOurs(oneCore(), signal), startPeer(oneCore(), signal)];
  try {
    const payments = await twoActionPayments(PAYMENTS, ours, peer);
    return payingIbdChain(core, { count: blocks, payments, perBlock: tx });
  } finally {
    ours.stop();
    peer.stop();
  }
}

/** Processor time of one sync in milliseconds, and how late the fresh node's main thread was. */
type Used = {
  readonly serving: number | null;
  readonly syncing: number | null;
  readonly delay: LoopDelay;
};

/** A node that has the chain, and fresh ones that fetch it. */
class IbdScene {
  readonly chain: IbdChain;
  readonly #folder: string;
  /** Of each sync. */
  readonly used: Used[] = [];
  /** Processor time of each loading. */
  readonly ingestCpuMs: number[] = [];
  #count = 0;

  constructor(folder: string, chain: IbdChain) {
    this.#folder = folder;
    this.chain = chain;
    writeFileSync(this.#profileFile, chain.profile);
    writeFileSync(this.#blocksFile, packBlocks(chain.blocks));
  }

  get #profileFile(): string {
    return join(this.#folder, "network.json");
  }

  get #blocksFile(): string {
    return join(this.#folder, "blocks");
  }

  /** Starts the node that has the chain, on the first core. */
  async serving(): Promise<NodeProcess> {
    const appdir = join(this.#folder, "serving");
    await loadIntoNode(await loadCoreFile(), { appdir, ...this.chain });
    return this.#node("serving", "0");
  }

  /** Milliseconds from the first dial of a fresh node, on the last core, until it stands where the other one does. */
  async sync(serving: NodeProcess): Promise<number> {
    this.#count += 1;
    const name = `syncing-${this.#count}`;
    const { sink } = await serving.tip();
    const watch = new LoopWatch(join(this.#folder, `${name}.delay`));
    const node = await watch.started(() => this.#node(name, oneCore()));
    try {
      const before = [processorMs(serving.pid), processorMs(node.pid)];
      watch.begin(node);
      const begun = performance.now();
      const address = `127.0.0.1:${serving.peerPort}`;
      await node.grpc.call({ $case: "addPeer", value: { address, isPermanent: false } });
      // Answering questions would take time of what is measured: it is asked where it stands when it has all blocks.
      await node.line(/"msg":"caught up"/, PATIENCE_MS);
      await node.untilTip(`the sink ${sink}`, (tip) => tip.sink === sink, PATIENCE_MS);
      const ms = performance.now() - begun;
      const after = [processorMs(serving.pid), processorMs(node.pid)];
      this.used.push({
        serving: difference(after[0], before[0]),
        syncing: difference(after[1], before[1]),
        delay: await watch.end(node),
      });
      await node.stop();
      return ms;
    } catch (error) {
      console.error(`${serving.log}${node.log}`);
      throw error;
    } finally {
      await node.kill();
      rmSync(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  /** Milliseconds in which a loader takes the same blocks in, on the last core. */
  async ingest(loader: LineProcess): Promise<number> {
    const [profileFile, blocksFile] = [this.#profileFile, this.#blocksFile];
    const answer = await loader.ask({ op: "load", profileFile, blocksFile });
    this.ingestCpuMs.push(answer.number("cpuMs"));
    return answer.number("ms");
  }

  async #node(name: string, cores: string): Promise<NodeProcess> {
    const appdir = join(this.#folder, name);
    mkdirSync(appdir, { recursive: true });
    const profile = this.#profileFile;
    const spec = { name, profile, appdir, more: ["--loglevel=info"] };
    const node = await NodeProcess.start(CAN_PIN ? { ...spec, cores } : spec);
    // What a start costs is another benchmark's.
    await node.line(/^verifying keys ready/, PATIENCE_MS);
    return node;
  }
}

async function measured(scene: IbdScene, { rounds, signal }: BenchOptions): Promise<Report> {
  const serving = await scene.serving();
  const loader = startLoader(oneCore(), signal);
  try {
    const { samples, notes } = await inTurns(
      { ibd: () => scene.sync(serving), ingest: () => scene.ingest(loader) },
      { most: rounds },
    );
    // Of the round before there is no sample.
    const used = scene.used.slice(-samples.ibd.length);
    const ingestCpuMs = scene.ingestCpuMs.slice(-samples.ingest.length);
    return reportOf(scene.chain, { ...samples, used, ingestCpuMs, notes });
  } finally {
    loader.stop();
    await serving.stop();
  }
}

type Measured = {
  readonly ibd: readonly number[];
  readonly ingest: readonly number[];
  readonly used: readonly Used[];
  readonly ingestCpuMs: readonly number[];
  readonly notes: readonly string[];
};

function reportOf({ blocks, payments }: IbdChain, measurement: Measured): Report {
  const { ibd, ingest, used, ingestCpuMs, notes } = measurement;
  const count = blocks.length;
  const rates = { ibd: ratesOf(count, ibd), ingest: ratesOf(count, ingest) };
  const rate = median(rates.ibd);
  const ratio = rate / median(rates.ingest);
  const mb = bodyBytesOf(blocks) / 1e6;
  const cpu = (side: "serving" | "syncing"): number | null => {
    const all = used.map((one) => one[side]).filter((ms) => ms !== null);
    return all.length === 0 ? null : median(all) / count;
  };
  const [serving, syncing] = [cpu("serving"), cpu("syncing")];
  const late = Math.max(...used.map(({ delay }) => delay.p99));
  const loading = median(ingestCpuMs) / count;
  const isEnough = ratio >= LEAST_RATIO && rate >= LEAST_BLOCKS_PER_S;
  return {
    fields: {
      blocks_per_s: rate,
      mb_per_s: mb / (median(ibd) / 1_000),
      ratio_to_ingest: ratio,
      ingest_blocks_per_s: median(rates.ingest),
      enough: isEnough,
      blocks: count,
      payments,
      serving_cpu_ms_per_block: serving,
      syncing_cpu_ms_per_block: syncing,
      ingest_cpu_ms_per_block: loading,
      loop_delay_p99_ms: late,
      loop_delay_max_ms: Math.max(...used.map(({ delay }) => delay.max)),
      samples: { blocks_per_s: rates.ibd, ingest_blocks_per_s: rates.ingest },
      notes,
    },
    lines: [
      `  ${rate.toFixed(0)} blocks a second (${shown(rates.ibd)}), ${(mb / (median(ibd) / 1_000)).toFixed(2)} MB of bodies a second`,
      `  ${median(rates.ingest).toFixed(0)} without a network (${shown(rates.ingest)}): ratio ${ratio.toFixed(2)}${isEnough ? "" : ", NOT ENOUGH"}`,
      `  processor time a block: ${serving?.toFixed(3) ?? "?"} ms serving, ${syncing?.toFixed(3) ?? "?"} ms syncing, ${loading.toFixed(3)} ms loading`,
      `  main thread late by ${late.toFixed(1)} ms at most in 99 of 100 looks`,
      ...notes.map((note) => `  (${note})`),
    ],
  };
}

function ratesOf(count: number, ms: readonly number[]): readonly number[] {
  return ms.map((one) => (1_000 * count) / one);
}

function shown(rates: readonly number[]): string {
  return rates.map((rate) => rate.toFixed(0)).join(", ");
}

function difference(
  after: number | null | undefined,
  before: number | null | undefined,
): number | null {
  return typeof after === "number" && typeof before === "number" ? after - before : null;
}
