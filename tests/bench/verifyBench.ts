/** Verification of 2-action payments, signatures included: alone or many together. */
import type { Bench } from "./bench.ts";
import { twoActionPayments } from "./payments.ts";
import { inTurns, oneCore, startOurs, startPeer } from "./sides.ts";

/** The bench. `ratio` is against upstream's verification of each by itself, `ratio_batch` against its batch. */
export const verifyBench: Bench = {
  kind: "comparison",
  name: "verify",
  about: "a 2-action payment, proof and signatures, verified together with others (--batch)",
  async run({ batch, signal }) {
    const [ours, peer] = [startOurs(oneCore(), signal), startPeer(oneCore(), signal)];
    try {
      const transactions = await twoActionPayments(batch, ours, peer);
      const ask = async (side: typeof ours, op: string): Promise<number> =>
        (await side.ask({ op, transactions })).number("ms") / batch;
      const { samples, notes } = await inTurns({
        ours: () => ask(ours, "verify"),
        theirs: () => ask(peer, "verify"),
        theirsBatch: () => ask(peer, "verifyBatch"),
      });
      return { unit: "ms", per: `payment of ${batch}`, ...samples, phases: {}, notes };
    } finally {
      ours.stop();
      peer.stop();
    }
  },
};
