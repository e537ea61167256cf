/**
 * Benchmark of the initial block download between two nodes of this machine, against loading the same chain without a
 * network.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import { loadIntoNode } from "../../network/testkit/chainMaker.ts";
import { NodeProcess, type NodeSpec } from "../../network/testkit/nodeProcess.ts";
import { packBlocks } from "../../testkit/packedBlocks.ts";
import type { Bench, BenchOptions, Report } from "../run/bench.ts";
import { median } from "../run/median.ts";
import { bodyBytesOf, payingIbdChain, plainIbdChain, type IbdChain } from "./ibdChain.ts";
import { CAN_PIN, type LineProcess } from "../peers/lineProcess.ts";
import { LoopWatch } from "./loopWatch.ts";
import { twoActionPayments } from "../peers/payments.ts";
import { processorMs } from "../node/processorTime.ts";
import { inTurns, type Rounds, type Sample } from "../run/rounds.ts";
import { oneCore, startLoader } from "../peers/sides.ts";

/** Payments of a chain that carries some. */
const PAYMENTS = 64;
/** Milliseconds that one sync may take. */
const PATIENCE_MS = 600_000;

/** The benchmark. */
export const ibdBench: Bench = {
  kind: "report",
  name: "ibd",
  about:
    "a fresh node catches up with a local one, on a core each, against `ingest` of the same chain",
  figures: [{ field: "blocks_per_s", better: "higher" }],
  async run(options) {
    const chain = await chainOf(options);
    return inTemporaryFolder((folder) => measured(new IbdScene(folder, chain), options));
  },
};

async function chainOf({ blocks, tx, signal }: BenchOptions): Promise<IbdChain> {
  const core = await loadCoreFile();
  if (tx === 0) return plainIbdChain(core, blocks);
  const payments = await twoActionPayments(PAYMENTS, signal);
  return payingIbdChain(core, { count: blocks, payments, perBlock: tx });
}

/** A node that has the chain, and fresh ones that fetch it. */
class IbdScene {
  readonly chain: IbdChain;
  readonly #folder: string;
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

  /**
   * Milliseconds from the first dial of a fresh node, on the last core, until it stands where the other one does; how late
   * its main thread was meanwhile, and the processor time of both where the system tells.
   */
  async sync(serving: NodeProcess): Promise<Sample> {
    this.#count += 1;
    const name = `syncing-${this.#count}`;
    const { sink } = await serving.tip();
    const watch = new LoopWatch(join(this.#folder, `${name}.delay`));
    const node = await this.#node(name, oneCore(), watch.spec);
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
      const { p99, max } = await watch.end(node);
      await node.stop();
      const late = { lateP99: p99, lateMax: max };
      return {
        ms,
        ...late,
        ...spent("servingCpuMs", after[0], before[0]),
        ...spent("syncingCpuMs", after[1], before[1]),
      };
    } catch (error) {
      console.error(`${serving.log}${node.log}`);
      throw error;
    } finally {
      await node.kill();
      rmSync(join(this.#folder, name), { recursive: true, force: true });
    }
  }

  /** Milliseconds in which a loader takes the same blocks in, on the last core, and its processor time. */
  async ingest(loader: LineProcess): Promise<Sample> {
    const [profileFile, blocksFile] = [this.#profileFile, this.#blocksFile];
    const answer = await loader.ask({ op: "load", profileFile, blocksFile });
    return { ms: answer.number("ms"), cpuMs: answer.number("cpuMs") };
  }

  async #node(
    name: string,
    cores: string,
    watched: Pick<NodeSpec, "imports" | "environment"> = {},
  ): Promise<NodeProcess> {
    const appdir = join(this.#folder, name);
    mkdirSync(appdir, { recursive: true });
    const profile = this.#profileFile;
    const spec = { name, profile, appdir, more: ["--loglevel=info"], ...watched };
    const node = await NodeProcess.start(CAN_PIN ? { ...spec, cores } : spec);
    // What a start costs is another benchmark's.
    await node.keysReady(PATIENCE_MS);
    return node;
  }
}

async function measured(scene: IbdScene, options: BenchOptions): Promise<Report> {
  const serving = await scene.serving();
  const loader = startLoader(oneCore(), options.signal);
  try {
    const rounds = await inTurns(
      { ibd: () => scene.sync(serving), ingest: () => scene.ingest(loader) },
      { ...options, log: options.log("") },
    );
    return reportOf(scene.chain, rounds);
  } finally {
    loader.stop();
    await serving.stop();
  }
}

function reportOf({ blocks, payments }: IbdChain, rounds: Rounds): Report {
  const count = blocks.length;
  const ibd = rounds.of("ibd", "ms");
  const rates = { ibd: ratesOf(count, ibd), ingest: ratesOf(count, rounds.of("ingest", "ms")) };
  const rate = median(rates.ibd);
  const ratio = rate / median(rates.ingest);
  const mbPerS = (1_000 * bodyBytesOf(blocks)) / 1e6 / median(ibd);
  const cpu = (figure: string): number | null => {
    const all = rounds.some("ibd", figure);
    return all.length === 0 ? null : median(all) / count;
  };
  const [serving, syncing] = [cpu("servingCpuMs"), cpu("syncingCpuMs")];
  const late = Math.max(...rounds.of("ibd", "lateP99"));
  const loading = median(rounds.of("ingest", "cpuMs")) / count;
  return {
    fields: {
      blocks_per_s: rate,
      mb_per_s: mbPerS,
      ratio_to_ingest: ratio,
      ingest_blocks_per_s: median(rates.ingest),
      blocks: count,
      payments,
      serving_cpu_ms_per_block: serving,
      syncing_cpu_ms_per_block: syncing,
      ingest_cpu_ms_per_block: loading,
      loop_delay_p99_ms: late,
      loop_delay_max_ms: Math.max(...rounds.of("ibd", "lateMax")),
      samples: { blocks_per_s: rates.ibd, ingest_blocks_per_s: rates.ingest },
      notes: rounds.notes,
    },
    lines: [
      `  ${rate.toFixed(0)} blocks a second (${shown(rates.ibd)}), ${mbPerS.toFixed(2)} MB of bodies a second`,
      `  ${median(rates.ingest).toFixed(0)} without a network (${shown(rates.ingest)}): ratio ${ratio.toFixed(2)}`,
      `  processor time a block: ${serving?.toFixed(3) ?? "?"} ms serving, ${syncing?.toFixed(3) ?? "?"} ms syncing, ${loading.toFixed(3)} ms loading`,
      `  main thread late by ${late.toFixed(1)} ms at most in 99 of 100 looks`,
      ...rounds.notes.map((note) => `  (${note})`),
    ],
  };
}

function ratesOf(count: number, ms: readonly number[]): readonly number[] {
  return ms.map((one) => (1_000 * count) / one);
}

function shown(rates: readonly number[]): string {
  return rates.map((rate) => rate.toFixed(0)).join(", ");
}

/** The difference under a name; nothing where the system does not tell. */
function spent(
  name: string,
  after: number | null | undefined,
  before: number | null | undefined,
): Sample {
  return typeof after === "number" && typeof before === "number" ? { [name]: after - before } : {};
}
