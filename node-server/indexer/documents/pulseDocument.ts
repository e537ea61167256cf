/** The document of `/info/pulse` (specification explorer A2; corrections B12). */
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { PULSE_WINDOWS, type PulseWindow } from "@svc/shared/protocol/rest/routes/historyRoutes.ts";
import { KEYS_END } from "../../storage/kv.ts";
import { meanDifficulty } from "../tables/binRow.ts";
import { blockRowOf, orderedBlocks, orderKey } from "../tables/derivedTables.ts";
import { coverageOf, whole, type AnswerView } from "./answerView.ts";
import { hashrateOf, summedBins, sumOf, type BinWish } from "./summedBins.ts";

const WINDOW_S = 900;
const BIN_S = 15;
const BINS = WINDOW_S / BIN_S;
const HOUR: BinWish = { seconds: 60, count: 60 };
const MS = 1_000n;
/** Bins of the asked window. */
const LEAST_BINS = 60;
const MOST_BINS = 240;
/** Blocks at the beginning of the window among which the lowest DAA score is looked for: times are not quite in order. */
const FIRST_BLOCKS = 16;

/** Makes the document. */
export async function pulseDocument(
  view: AnswerView,
  window: PulseWindow,
): Promise<RestAnswer<"pulse">> {
  const { nowMs } = view;
  const bins = await summedBins(view, { seconds: BIN_S, count: BINS });
  const hour = sumOf(await summedBins(view, HOUR));
  const quarter = sumOf(bins);
  const wish = workBins(PULSE_WINDOWS[window]);
  const work = await summedBins(view, wish);
  const blocks = blocksSince(view, nowMs - BigInt(WINDOW_S) * MS);
  const rate = blocks / WINDOW_S;
  const [oldest] = work;
  return {
    windowSeconds: WINDOW_S,
    blocks15m: blocks,
    bps15m: rate,
    averageBlockTime15m: blocks === 0 ? 0 : WINDOW_S / blocks,
    transactions15m: quarter.blocks + quarter.carried,
    transactions1h: hour.blocks + hour.carried,
    hashrate15m: 2 * meanDifficulty(quarter) * rate,
    binSeconds: BIN_S,
    blockBins: bins.map(({ bin }) => bin.blocks),
    transactionBins: bins.map(({ bin }) => bin.blocks + bin.carried),
    difficultyBins: bins.map(({ bin }) => meanDifficulty(bin)),
    hashrateBins: bins.map(({ bin }) => hashrateOf(bin, BIN_S)),
    workWindowSeconds: PULSE_WINDOWS[window],
    workBinSeconds: wish.seconds,
    workDifficultyBins: work.map(({ bin }) => meanDifficulty(bin)),
    workHashrateBins: work.map(({ bin }) => hashrateOf(bin, wish.seconds)),
    timestamp: whole(nowMs),
    ...coverageOf(view, { sinceMs: BigInt(oldest?.start ?? 0) * MS, untilMs: null }),
  };
}

function workBins(windowSeconds: number): BinWish {
  const count = Math.min(MOST_BINS, Math.max(LEAST_BINS, windowSeconds / BIN_S));
  return { seconds: Math.max(BIN_S, windowSeconds / count), count };
}

/** Blocks since a time, as the DAA score counts them: the first one is not counted. */
function blocksSince({ reader, head }: AnswerView, sinceMs: bigint): number {
  if (head === null || head.timestamp < sinceMs) return 0;
  const none = new Uint8Array();
  const range = { from: orderKey(sinceMs, none), to: KEYS_END, limit: FIRST_BLOCKS };
  const oldest = orderedBlocks(reader, { order: "byTime", ...range })
    .map(({ hash }) => blockRowOf(reader, hash)?.daaScore ?? head.daaScore)
    .reduce((least, score) => (score < least ? score : least), head.daaScore);
  return Number(head.daaScore - oldest);
}
