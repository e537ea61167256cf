/** Trial decryption of a page of scan records in which nothing is one's own. */
import type { Bench } from "./bench.ts";
import { inTurns, oneCore, startOurs, startPeer } from "./sides.ts";

const BLOCKS = 16;
const ACTIONS = 64;
/** The made-up wallet whose key is tried. */
const WALLET = 3;

/** The bench. Ours reads the page and writes the facts too; theirs is upstream's batch call alone. */
export const scanBench: Bench = {
  kind: "comparison",
  name: "scan",
  about: `trial decryption with one key, page of ${BLOCKS} blocks with ${ACTIONS} actions each`,
  async run({ signal }) {
    const [ours, peer] = [startOurs(oneCore(), signal), startPeer(oneCore(), signal)];
    try {
      const body = (await peer.ask({ op: "page", blocks: BLOCKS, actions: ACTIONS })).text("body");
      const each = (ms: number) => (ms * 1000) / (BLOCKS * ACTIONS);
      const page = { op: "scan", body, blocks: BLOCKS };
      const { samples, notes } = await inTurns({
        ours: async () => each((await ours.ask({ ...page, wallet: WALLET })).number("ms")),
        theirs: async () => each((await peer.ask({ ...page, wallets: [WALLET] })).number("ms")),
      });
      return { unit: "µs", per: "action and key", ...samples, phases: {}, notes };
    } finally {
      ours.stop();
      peer.stop();
    }
  },
};
