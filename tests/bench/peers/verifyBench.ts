/** Benchmark of verification: 2-action payments, signatures included, alone or in a batch. */
import type { Bench, BenchOptions } from "../run/bench.ts";
import { requireRefusal } from "./crossCheck.ts";
import type { LineProcess } from "./lineProcess.ts";
import { twoActionPayments } from "./payments.ts";
import { Peers } from "./peers.ts";
import { inTurns, type Sample } from "../run/rounds.ts";
import { oneCore, startOurs } from "./sides.ts";

/** Upstream's two ways. */
const WAYS = { one: "verify_proof", batch: "BatchValidator" };

/** The benchmark. Theirs is the quicker of upstream's ways for as many payments as ours takes in one call. */
export const verifyBench: Bench = {
  kind: "comparison",
  name: "verify",
  about: "a 2-action payment, proof and signatures, verified together with others (--batch)",
  async run(options) {
    const { batch, signal } = options;
    const transactions = await twoActionPayments(batch, signal);
    const peers = await Peers.start(oneCore(), signal);
    const ours = startOurs(oneCore(), signal);
    try {
      // Each side takes all of them and refuses a changed one before any time counts; `verify` fails when one is refused.
      await ours.ask({ op: "verify", transactions });
      await requireRefusal(ours, "verify", transactions);
      for (const { side } of peers.all) {
        for (const op of ["verify", "verifyBatch"]) {
          await side.ask({ op, transactions });
          await requireRefusal(side, op, transactions);
        }
      }
      const ask = async (side: LineProcess, op: string): Promise<number> =>
        (await side.ask({ op, transactions })).number("ms") / batch;
      const rounds = await inTurns(
        {
          ours: async () => ({ together: await ask(ours, "verify") }),
          ...peers.sides(async ({ side }) => ({
            one: await ask(side, "verify"),
            batch: await ask(side, "verifyBatch"),
          })),
        },
        { ...options, log: options.log("") },
      );
      return {
        unit: "ms",
        per: `payment of ${batch}`,
        ours: rounds.of("ours", "together"),
        theirs: peers.theirs(rounds, WAYS),
        peers: peers.about,
        phases: {},
        notes: [...peers.notes, ...rounds.notes],
      };
    } finally {
      ours.stop();
      peers.stop();
    }
  },
  subject,
};

async function subject({ batch, signal }: BenchOptions, checkout: string) {
  const transactions = await twoActionPayments(batch, signal);
  const ours = startOurs(oneCore(), signal, checkout);
  const measure = async (): Promise<Sample> => {
    const answer = await ours.ask({ op: "verify", transactions });
    return { together: answer.number("ms") / batch };
  };
  return { measure, stop: () => ours.stop() };
}
