/**
 * Benchmark of chain reorganisations: the first change to a branch, which validates its blocks, and later ones, which only
 * apply them again.
 */
import * as v from "valibot";
import type { Bench } from "../run/bench.ts";
import { median } from "../run/median.ts";
import { pinNote } from "../run/rounds.ts";
import { oneCore, startLoader } from "../peers/sides.ts";

/** Swings that only apply; one that judges comes before them in each run. */
const APPLYING = 7;

const parts = v.record(v.string(), v.number());
const answerForm = v.object({
  swings: v.array(
    v.object({
      ms: v.number(),
      longestCallMs: v.number(),
      removed: v.number(),
      added: v.number(),
      parts,
    }),
  ),
});

/** The benchmark. */
export const reorgBench: Bench = {
  kind: "report",
  name: "reorg",
  about: "from the heavier tip's insertion until virtual stands on it, after --depth blocks",
  figures: [
    { field: "judging_ms", better: "lower" },
    { field: "applying_ms", better: "lower" },
  ],
  async run({ depth, signal }) {
    const loader = startLoader(oneCore(), signal);
    try {
      const { value } = await loader.ask({ op: "reorg", depth, swings: APPLYING + 1 });
      const { swings } = v.parse(answerForm, value);
      const [judging, ...applying] = swings;
      if (judging === undefined) throw new Error("nothing was measured");
      const again = median(applying.map(({ ms }) => ms));
      const longest = Math.max(...swings.map(({ longestCallMs }) => longestCallMs));
      return {
        fields: {
          depth,
          judging_ms: judging.ms,
          applying_ms: again,
          longest_call_ms: longest,
          parts_ms: { judging: judging.parts, applying: applying.at(-1)?.parts },
          samples: { applying_ms: applying.map(({ ms }) => ms) },
          blocks: swings.map(({ removed, added }) => ({ removed, added })),
          notes: ["one sample of judging_ms: a block is judged once", ...pinNote()],
        },
        lines: [
          `  ${judging.ms.toFixed(0)} ms when the new branch is judged for the first time`,
          `  ${again.toFixed(0)} ms when it was judged before (median of ${applying.length})`,
          `  ${longest.toFixed(1)} ms the longest single call of the engine`,
        ],
      };
    } finally {
      loader.stop();
    }
  },
};
