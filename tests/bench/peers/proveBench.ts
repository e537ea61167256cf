/** Benchmark of proving: time per proof against upstream, speed-up with several workers, memory of a large proof. */
import type { Bench, BenchOptions, Subject } from "../run/bench.ts";
import { median } from "../run/median.ts";
import type { Comparison } from "../run/comparison.ts";
import { verifiedByOurs, verifiedByPeers } from "./crossCheck.ts";
import type { LineProcess } from "./lineProcess.ts";
import { provedPayment, signedPayment } from "./payments.ts";
import { Peers, startPlanner, type Peer } from "./peers.ts";
import { inTurns, type Rounds, type Sample } from "../run/rounds.ts";
import { lastCores, oneCore, startOurs } from "./sides.ts";

/**
 * Samples of the speed-up for each that is compared with upstream: other work on a machine slows two busy cores more
 * than one, and seven samples would leave a tenth to chance.
 */
const PAIRS_PER_ROUND = 3;
/** Small proofs that each side makes before any counts: keys are built, code is compiled. */
const WARM_PROOFS = 2;
/** Actions of such a proof. */
const WARM_ACTIONS = 2;
/** Upstream's call. */
const WAYS = { proof: "create_proof" };

/** The benchmark. */
export const proveBench: Bench = {
  kind: "comparison",
  name: "prove",
  about:
    "one proof with warm keys, without the building of its actions (--actions, --workers, --memory)",
  run(options) {
    if (options.memory) return measureMemory(options);
    return options.workers > 1 ? measureSpeedup(options) : measureTime(options);
  },
  subject,
};

/** Our programs, and upstream's in each build. */
type Scene = { readonly ours: readonly LineProcess[]; readonly peers: Peers };

/** Warms every program with the same small proofs, each of which the other side has to take. */
async function warm({ ours, peers }: Scene, small: object): Promise<void> {
  for (let round = 0; round < WARM_PROOFS; round += 1) {
    for (const side of ours) await proveOurs({ ours: [side], peers }, small);
    for (const peer of peers.all) await provePeer({ ours, peers }, peer, small);
  }
}

/** Times a proof of our first program; no build of upstream may refuse the payment. */
async function proveOurs({ ours: [side], peers }: Scene, plan: object): Promise<Sample> {
  if (side === undefined) throw new Error("there is a program of ours");
  const { proof, transaction } = await provedPayment(side, plan);
  await verifiedByPeers(peers, transaction);
  return {
    proof: proof.number("ms"),
    building: proof.number("buildMs"),
    ...proof.numbers("phases"),
  };
}

/** Times a proof of upstream's; our first program must take the payment. */
async function provePeer({ ours: [verifier] }: Scene, peer: Peer, plan: object): Promise<Sample> {
  if (verifier === undefined) throw new Error("there is a program of ours");
  const answer = await peer.side.ask({ op: "prove", plan });
  await verifiedByOurs(verifier, answer.text("transaction"));
  return { proof: answer.number("ms") };
}

async function measureTime(options: BenchOptions): Promise<Comparison> {
  const { actions, signal } = options;
  const peers = await Peers.start(oneCore(), signal);
  const ours = startOurs(oneCore(), signal);
  const scene = { ours: [ours], peers };
  try {
    const { value: small } = await peers.planner.ask({ op: "plan", actions: WARM_ACTIONS });
    const { value: plan } = await peers.planner.ask({ op: "plan", actions });
    await ours.ask({ op: "open", workers: 1, cacheFolder: null });
    await warm(scene, small);
    const rounds = await inTurns(
      {
        ours: () => proveOurs(scene, plan),
        ...peers.sides((peer) => provePeer(scene, peer, plan)),
      },
      { ...options, log: options.log(""), warm: false },
    );
    return compared(peers, rounds, `${actions}-action proof`);
  } finally {
    ours.stop();
    peers.stop();
  }
}

async function measureSpeedup(options: BenchOptions): Promise<Comparison> {
  const { actions, workers, signal } = options;
  const cores = lastCores(workers);
  const peers = await Peers.start(oneCore(), signal);
  const [shared, alone] = [startOurs(cores, signal), startOurs(cores, signal)];
  const scene = { ours: [shared], peers };
  try {
    const { value: small } = await peers.planner.ask({ op: "plan", actions: WARM_ACTIONS });
    const { value: plan } = await peers.planner.ask({ op: "plan", actions });
    await alone.ask({ op: "open", workers: 1, cacheFolder: null });
    await shared.ask({ op: "open", workers, cacheFolder: null });
    await warm({ ours: [shared, alone], peers }, small);
    const ours = () => proveOurs(scene, plan);
    const rounds = await inTurns(
      { ours, ...peers.sides((peer) => provePeer(scene, peer, plan)) },
      { ...options, log: options.log(""), warm: false },
    );
    const pairs = await inTurns(
      { ours, alone: () => proveOurs({ ours: [alone], peers }, plan) },
      {
        ...options,
        rounds: options.rounds * PAIRS_PER_ROUND,
        log: options.log("pairs"),
        warm: false,
      },
    );
    const per = `${actions}-action proof, ours with ${workers} workers, theirs in one thread`;
    return {
      ...compared(peers, rounds, per),
      cores: workers,
      shared: pairs.of("ours", "proof"),
      alone: pairs.of("alone", "proof"),
    };
  } finally {
    for (const side of [shared, alone]) side.stop();
    peers.stop();
  }
}

function compared(peers: Peers, rounds: Rounds, per: string): Comparison {
  const parts = rounds.figuresOf("ours").filter((name) => name !== "proof");
  const phases = parts.map((name): [string, number] => [name, median(rounds.some("ours", name))]);
  return {
    unit: "ms",
    per,
    ours: rounds.of("ours", "proof"),
    theirs: peers.theirs(rounds, WAYS),
    peers: peers.about,
    phases: Object.fromEntries(phases),
    notes: [...peers.notes, ...rounds.notes],
  };
}

/** The peak of a fresh process that makes one proof; both sides in one thread unless `--workers` says more. */
async function measureMemory(options: BenchOptions): Promise<Comparison> {
  const { actions, workers, signal } = options;
  const peers = await Peers.start(oneCore(), signal);
  try {
    const { value: plan } = await peers.planner.ask({ op: "plan", actions });
    const verifier = startOurs(oneCore(), signal);
    const ours = async (): Promise<Sample> => {
      const side = startOurs(lastCores(workers), signal);
      try {
        await side.ask({ op: "open", workers, cacheFolder: null });
        await side.ask({ op: "prove", plan });
        const proof = peakOf(side);
        await verifiedByPeers(peers, await signedPayment(side, plan));
        return { proof };
      } finally {
        side.stop();
      }
    };
    const theirs = async ({ build }: Peer): Promise<Sample> => {
      const side = Peers.fresh(build, oneCore(), signal);
      try {
        const answer = await side.ask({ op: "prove", plan });
        const proof = peakOf(side);
        await verifiedByOurs(verifier, answer.text("transaction"));
        return { proof };
      } finally {
        side.stop();
      }
    };
    try {
      const rounds = await inTurns(
        { ours, ...peers.sides(theirs) },
        { ...options, log: options.log(""), warm: false },
      );
      const per = `process that builds its keys and makes a ${actions}-action proof with ${workers} worker(s)`;
      return { ...compared(peers, rounds, per), unit: "MiB", phases: {} };
    } finally {
      verifier.stop();
    }
  } finally {
    peers.stop();
  }
}

function peakOf(side: LineProcess): number {
  const peak = side.peakMiB();
  if (peak === null) throw new Error("this system does not tell the peak of a process");
  return peak;
}

async function subject(options: BenchOptions, checkout: string): Promise<Subject> {
  const { actions, workers, memory, signal } = options;
  const planner = startPlanner(oneCore(), signal);
  const { value: plan } = await planner.ask({ op: "plan", actions }).finally(() => planner.stop());
  const open = async () => {
    const side = startOurs(lastCores(workers), signal, checkout);
    await side.ask({ op: "open", workers, cacheFolder: null });
    return side;
  };
  if (memory) {
    const measure = async (): Promise<Sample> => {
      const side = await open();
      await side.ask({ op: "prove", plan });
      const peak = peakOf(side);
      side.stop();
      return { peak };
    };
    return { measure, stop: () => {} };
  }
  const side = await open();
  const measure = async (): Promise<Sample> => {
    const answer = await side.ask({ op: "prove", plan });
    return { proof: answer.number("ms") };
  };
  return { measure, stop: () => side.stop() };
}
