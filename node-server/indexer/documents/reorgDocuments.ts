/** The documents of `/info/reorgs` and `/info/extremes`: what the selected chain left, and the fullest minutes. */
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { highestRanks, type RankedMinute } from "../tables/derivedTables.ts";
import { watchedSince } from "../tables/observedTables.ts";
import { reorgOf, reorgs, reorgsAfter, type ReorgRow } from "../tables/reorgTable.ts";
import { ALWAYS, aTurn, coverageOf, whole, type AnswerView } from "./answerView.ts";

type Reorg = RestAnswer<"reorgs">["recent"][number];
type Moment = RestAnswer<"extremes">["widest"][number];

const MS = 1_000n;

/** Counts reorganisations by their depths, each once, however often it is asked. */
export class ReorgTally {
  readonly #byDepth = new Map<number, number>();
  #after: Uint8Array = new Uint8Array();

  /** The counts, the lowest depth first, with what has come since the last call. */
  async counts(
    observed: AnswerView["reader"],
    signal: AbortSignal,
  ): Promise<readonly (readonly [depth: number, count: number])[]> {
    for (;;) {
      const page = reorgsAfter(observed, this.#after, INDEXER_LIMITS.indexTurnRows);
      for (const pair of page) {
        this.#after = pair.key;
        const row = reorgOf(pair);
        if (row === undefined) continue;
        this.#byDepth.set(row.removed, (this.#byDepth.get(row.removed) ?? 0) + 1);
      }
      if (page.length < INDEXER_LIMITS.indexTurnRows) break;
      await aTurn(signal);
    }
    return [...this.#byDepth].toSorted(([a], [b]) => a - b);
  }
}

/** Tells of the reorganisations that this node saw. */
export async function reorgsDocument(
  { nowMs, signal }: AnswerView,
  observed: AnswerView["reader"],
  { tally, limit }: { readonly tally: ReorgTally; readonly limit: number },
): Promise<RestAnswer<"reorgs">> {
  const counts = await tally.counts(observed, signal);
  const since = watchedSince(observed) ?? nowMs;
  return {
    windowSeconds: whole((nowMs > since ? nowMs - since : 0n) / MS),
    count: counts.reduce((sum, [, count]) => sum + count, 0),
    maxDepth: counts.at(-1)?.[0] ?? 0,
    histogram: Object.fromEntries(counts.map(([depth, count]) => [String(depth), count])),
    recent: reorgs(observed, { order: "time", limit }).map(shownReorg),
  };
}

/** Tells the fullest minutes and the deepest reorganisations. */
export function extremesDocument(
  view: AnswerView,
  observed: AnswerView["reader"],
): RestAnswer<"extremes"> {
  const limit = INDEXER_LIMITS.indexExtremes;
  return {
    widest: highestRanks(view.reader, "blocks", limit).map(moment),
    reddest: highestRanks(view.reader, "reds", limit).map(moment),
    deepest: reorgs(observed, { order: "depth", limit }).map(shownReorg),
    ...coverageOf(view, ALWAYS),
  };
}

function moment({ minute, count }: RankedMinute): Moment {
  return { minute: whole(minute), count };
}

function shownReorg({ t, oldTip, newTip, forkPoint, removed, added }: ReorgRow): Reorg {
  const forkPointUnknown = forkPoint === null ? "gone" : null;
  const depth = removed;
  return { t: whole(t), depth, oldTip, newTip, forkPoint, forkPointUnknown, removed, added };
}
