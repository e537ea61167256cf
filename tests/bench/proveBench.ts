/** Proofs: time per proof against upstream, speed-up with several workers, memory of a large proof. */
import type { Bench, BenchOptions, Comparison } from "./bench.ts";
import { median } from "./bench.ts";
import type { LineProcess } from "./lineProcess.ts";
import { inTurns, lastCores, oneCore, startOurs, startPeer } from "./sides.ts";

/**
 * Samples of the speed-up beyond those that are compared with upstream: other work on a machine slows two busy cores
 * more than one, and seven samples would leave a tenth to chance.
 */
const MORE_SAMPLES = 14;

/** The bench. */
export const proveBench: Bench = {
  kind: "comparison",
  name: "prove",
  about:
    "one proof with warm keys, without the building of its actions (--actions, --workers, --memory)",
  run(options) {
    if (options.memory) return measureMemory(options);
    return options.workers > 1 ? measureSpeedup(options) : measureTime(options);
  },
};

/** Medians of the phases of proofs, filled while they run. */
class Phases {
  readonly #samples = new Map<string, number[]>();

  /** Asks for a proof and gives its milliseconds. */
  async prove(side: LineProcess, plan: object): Promise<number> {
    const answer = await side.ask({ op: "prove", plan });
    const phases = { building: answer.number("buildMs"), ...answer.numbers("phases") };
    for (const [name, ms] of Object.entries(phases)) {
      const samples = this.#samples.get(name) ?? [];
      samples.push(ms);
      this.#samples.set(name, samples);
    }
    return answer.number("ms");
  }

  medians(): Record<string, number> {
    const rows = [...this.#samples].map(([name, samples]): [string, number] => [
      name,
      median(samples),
    ]);
    return Object.fromEntries(rows);
  }
}

async function measureTime({ actions, signal }: BenchOptions): Promise<Comparison> {
  const [ours, peer] = [startOurs(oneCore(), signal), startPeer(oneCore(), signal)];
  try {
    const { value: small } = await peer.ask({ op: "plan", actions: 2 });
    const { value: plan } = await peer.ask({ op: "plan", actions });
    await ours.ask({ op: "open", workers: 1, cacheFolder: null });
    // Keys are built, code is compiled: a small proof warms like a large one.
    for (let round = 0; round < 2; round += 1) await ours.ask({ op: "prove", plan: small });
    await peer.ask({ op: "prove", plan: small });
    const phases = new Phases();
    const { samples, notes } = await inTurns(
      {
        ours: () => phases.prove(ours, plan),
        theirs: async () => (await peer.ask({ op: "prove", plan })).number("ms"),
      },
      { warm: false },
    );
    const per = `${actions}-action proof`;
    return { unit: "ms", per, ...samples, phases: phases.medians(), notes };
  } finally {
    ours.stop();
    peer.stop();
  }
}

async function measureSpeedup({ actions, workers, signal }: BenchOptions): Promise<Comparison> {
  const cores = lastCores(workers);
  const sides = [startOurs(cores, signal), startOurs(cores, signal)];
  const peer = startPeer(oneCore(), signal);
  const [alone, shared] = sides;
  try {
    if (alone === undefined || shared === undefined) throw new Error("there are two sides");
    const { value: plan } = await peer.ask({ op: "plan", actions });
    await alone.ask({ op: "open", workers: 1, cacheFolder: null });
    await shared.ask({ op: "open", workers, cacheFolder: null });
    const phases = new Phases();
    const quiet = new Phases();
    const pair = {
      ours: () => phases.prove(shared, plan),
      alone: () => quiet.prove(alone, plan),
    };
    const theirs = async () => (await peer.ask({ op: "prove", plan })).number("ms");
    const { samples, notes } = await inTurns({ ...pair, theirs });
    const more = await inTurns(pair, { warm: false, most: MORE_SAMPLES });
    const middle = (name: keyof typeof pair) => median([...samples[name], ...more.samples[name]]);
    const speedup = middle("alone") / middle("ours");
    const per = `${actions}-action proof, ours with ${workers} workers, theirs in one thread`;
    return { unit: "ms", per, ...samples, phases: phases.medians(), speedup, notes };
  } finally {
    for (const side of sides) side.stop();
    peer.stop();
  }
}

/** The peak of a fresh process that makes one proof; both sides in one thread unless `--workers` says more. */
async function measureMemory(options: BenchOptions): Promise<Comparison> {
  const { actions, workers, signal } = options;
  const peer = startPeer(oneCore(), signal);
  const peaks: number[] = [];
  try {
    const { value: plan } = await peer.ask({ op: "plan", actions });
    for (let round = 0; round < 3; round += 1) {
      const ours = startOurs(lastCores(workers), signal);
      await ours.ask({ op: "open", workers, cacheFolder: null });
      await ours.ask({ op: "prove", plan });
      peaks.push(ours.peakMiB() ?? Number.NaN);
      ours.stop();
    }
    await peer.ask({ op: "prove", plan });
    const theirs = [peer.peakMiB() ?? Number.NaN];
    return {
      unit: "MiB",
      per: `process that makes a ${actions}-action proof with ${workers} worker(s)`,
      ours: peaks,
      theirs,
      phases: {},
      peakMiB: Math.max(...peaks),
      notes: ["three samples of ours and one of theirs: a peak hardly varies"],
    };
  } finally {
    peer.stop();
  }
}
