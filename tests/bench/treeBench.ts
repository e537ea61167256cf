/** Merkle nodes of the note tree, and note commitments. */
import type { Bench, ComparedPart } from "./bench.ts";
import { median } from "./bench.ts";
import type { Answer } from "./lineProcess.ts";
import { inTurns, oneCore, startOurs, startPeer } from "./sides.ts";

const LEAVES = 1024;

/**
 * The bench. The answer's figures are of Merkle nodes, its `ratio` is the larger of both; `ratio_batch` is
 * against upstream's batch call for nodes, which it has for these only.
 */
export const treeBench: Bench = {
  kind: "comparison",
  name: "tree",
  about: `${LEAVES - 1} Merkle nodes, and ${LEAVES} note commitments`,
  async run({ signal }) {
    const [ours, peer] = [startOurs(oneCore(), signal), startPeer(oneCore(), signal)];
    try {
      const made = await peer.ask({ op: "notes", count: LEAVES });
      const [notes, leaves] = [made.text("notes"), made.text("leaves")];
      const last = async (side: typeof ours) =>
        (await side.ask({ op: "commit", notes })).text("last");
      if ((await last(ours)) !== (await last(peer))) throw new Error("the commitments differ");
      const each = (answer: Answer) => (answer.number("ms") * 1000) / LEAVES;
      const merkle = { op: "merkle", leaves };
      const taken = await inTurns({
        ours: async () => each(await ours.ask(merkle)),
        theirs: async () => each(await peer.ask({ ...merkle, batched: false })),
        theirsBatch: async () => each(await peer.ask({ ...merkle, batched: true })),
        ourNotes: async () => each(await ours.ask({ op: "commit", notes })),
        theirNotes: async () => each(await peer.ask({ op: "commit", notes })),
      });
      const { ourNotes, theirNotes, ...nodes } = taken.samples;
      const phases = {
        merkleNode: compared(nodes.ours, nodes.theirs),
        noteCommitment: compared(ourNotes, theirNotes),
      };
      const ratio = Math.max(phases.merkleNode.ratio, phases.noteCommitment.ratio);
      return { unit: "µs", per: "Merkle node", ...nodes, phases, ratio, notes: taken.notes };
    } finally {
      ours.stop();
      peer.stop();
    }
  },
};

function compared(ours: readonly number[], theirs: readonly number[]): ComparedPart {
  const [own, other] = [median(ours), median(theirs)];
  return { ours: own, theirs: other, ratio: own / other, unit: "µs" };
}
