/** The document of `/info/work-history` (specification explorer A6). */
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { WORK_WINDOWS, type WorkWindow } from "@svc/shared/protocol/rest/routes/historyRoutes.ts";
import { meanDifficulty } from "../tables/binRow.ts";
import { coverageOf, type AnswerView } from "./answerView.ts";
import { hashrateOf, summedBins } from "./summedBins.ts";

const MS = 1_000n;

/** Makes the document. Bins that end before the index begins are left out: nothing is known of them. */
export async function workHistoryDocument(
  view: AnswerView,
  window: WorkWindow,
): Promise<RestAnswer<"workHistory">> {
  const { windowSeconds, binSeconds } = WORK_WINDOWS[window];
  const bins = await summedBins(view, {
    seconds: binSeconds,
    count: windowSeconds / binSeconds,
  });
  const from = view.first?.timestamp ?? view.nowMs;
  const known = bins.filter(({ start }) => BigInt(start + binSeconds) * MS > from);
  return {
    windowSeconds,
    binSeconds,
    ...coverageOf(view, { sinceMs: BigInt(bins[0]?.start ?? 0) * MS, untilMs: null }),
    points: known.map(({ start, bin }) => ({
      t: start,
      difficulty: meanDifficulty(bin),
      bps: bin.blocks / binSeconds,
      hashrate: hashrateOf(bin, binSeconds),
      blocks: bin.blocks,
      reds: bin.reds,
      transactions: bin.carried,
    })),
  };
}
