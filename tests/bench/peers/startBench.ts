/**
 * Benchmark of the prover's start in a fresh process: a cold start, and a warm one that finds the tables of an earlier
 * process.
 */
import { inTemporaryFolder } from "@svc/node-server/platform/testkit/temporaryFolder.ts";
import type { Bench, BenchOptions } from "../run/bench.ts";
import { median } from "../run/median.ts";
import { verifiedByPeers } from "./crossCheck.ts";
import { provedPayment } from "./payments.ts";
import { Peers } from "./peers.ts";
import { inTurns, type Sample } from "../run/rounds.ts";
import { oneCore, startOurs } from "./sides.ts";

/** The benchmark. Theirs is the building of upstream's proving key, which it cannot store, in a fresh process too. */
export const startBench: Bench = {
  kind: "comparison",
  name: "start",
  about: "ready to prove, in a fresh process: nothing is stored, or the tables of an earlier one",
  async run(options) {
    const { signal } = options;
    const peers = await Peers.start(oneCore(), signal);
    try {
      await requireProofs(peers, signal);
      const rounds = await inTurns(
        {
          ours: () => bothStarts(options),
          ...peers.sides(async ({ build }) => {
            const peer = Peers.fresh(build, oneCore(), signal);
            const answer = await peer.ask({ op: "setup" }).finally(() => peer.stop());
            return { setup: answer.number("ms") };
          }),
        },
        { ...options, log: options.log("") },
      );
      const theirs = peers.theirs(rounds, { setup: "ProvingKey::build" });
      const quantity = (figure: string, per: string) => ({
        unit: "ms" as const,
        per,
        ours: rounds.of("ours", figure),
        theirs,
      });
      return {
        ...quantity("first", "first start"),
        more: { later: quantity("later", "later start") },
        peers: peers.about,
        phases: {
          first_load: median(rounds.of("ours", "firstLoad")),
          first_tables: median(rounds.of("ours", "firstTables")),
          later_load: median(rounds.of("ours", "laterLoad")),
          later_tables: median(rounds.of("ours", "laterTables")),
        },
        notes: [...peers.notes, ...rounds.notes],
      };
    } finally {
      peers.stop();
    }
  },
  async subject(options, checkout) {
    const measure = async (): Promise<Sample> => {
      const { first, later } = await bothStarts(options, checkout);
      return { first, later };
    };
    return { measure, stop: () => {} };
  },
};

/** A first start stores its tables, a later one in another process finds them. */
async function bothStarts({ signal }: BenchOptions, checkout?: string) {
  return inTemporaryFolder(async (cacheFolder) => {
    const start = async () => {
      const ours = startOurs(oneCore(), signal, checkout);
      const open = ours.ask({ op: "open", workers: 1, cacheFolder });
      const answer = await open.finally(() => ours.stop());
      const { load = 0, tables = 0 } = answer.numbers("phases");
      return { ms: answer.number("ms"), load, tables };
    };
    const [first, later] = [await start(), await start()];
    return {
      first: first.ms,
      later: later.ms,
      firstLoad: first.load,
      firstTables: first.tables,
      laterLoad: later.load,
      laterTables: later.tables,
    };
  });
}

/** What a first and a later start are ready for are proofs that upstream takes. */
async function requireProofs(peers: Peers, signal: AbortSignal): Promise<void> {
  const { value: plan } = await peers.planner.ask({ op: "plan", actions: 2 });
  await inTemporaryFolder(async (cacheFolder) => {
    for (const _ of ["first", "later"]) {
      const ours = startOurs(oneCore(), signal);
      try {
        await ours.ask({ op: "open", workers: 1, cacheFolder });
        await verifiedByPeers(peers, (await provedPayment(ours, plan)).transaction);
      } finally {
        ours.stop();
      }
    }
  });
}
