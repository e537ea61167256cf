/**
 * The document of `/info/merged-mining`: how many blocks are merge-mined, from the witnesses in their headers, and who delivered
 * them first, masked (corrections T16). Nobody is probed.
 */
import type { RestAnswer } from "@svc/shared/protocol/rest/restRoutes.ts";
import { INDEXER_LIMITS } from "../indexerLimits.ts";
import { relaysIn } from "../tables/observedTables.ts";
import { aTurn, coverageOf, whole, type AnswerView } from "./answerView.ts";
import { summedBins, sumOf } from "./summedBins.ts";

type MergedMining = RestAnswer<"mergedMining">;

const DAY_HOURS = 24;
const HOUR_S = 3_600;
const HOUR_MS = 3_600_000n;
const MS = 1_000n;

/** What is known beside the tables. */
export type DeliveryFacts = {
  /** What this node saw. */
  readonly observed: AnswerView["reader"];
  readonly peers: number;
  /** The name of a subnetwork, which another start of the node calls otherwise. */
  readonly idOf: (net: string) => string;
};

/** Makes the document. */
export async function mergedMiningDocument(
  view: AnswerView,
  { observed, peers, idOf }: DeliveryFacts,
): Promise<MergedMining> {
  const bins = await summedBins(view, { seconds: HOUR_S, count: DAY_HOURS });
  const { blocks, mergeMined } = sumOf(bins);
  const since = view.nowMs / HOUR_MS - BigInt(DAY_HOURS - 1);
  const nets = new Map<string, { blocks: number; last: bigint }>();
  for (let hour = since; hour < since + BigInt(DAY_HOURS); hour += 1n) {
    for (const { net, row } of relaysIn(observed, hour, INDEXER_LIMITS.indexRelayRows)) {
      if (row.mergeMined === 0) continue;
      const known = nets.get(net) ?? { blocks: 0, last: 0n };
      const last = row.lastMerged > known.last ? row.lastMerged : known.last;
      nets.set(net, { blocks: known.blocks + row.mergeMined, last });
    }
    await aTurn(view.signal);
  }
  const ranked = [...nets].toSorted(([netA, a], [netB, b]) =>
    a.blocks === b.blocks ? (netA < netB ? -1 : 1) : b.blocks - a.blocks,
  );
  return {
    scannedAt: whole((view.head?.timestamp ?? 0n) / MS),
    peers,
    merged: nets.size,
    checked: blocks,
    mergeMined,
    share: blocks === 0 ? 0 : mergeMined / blocks,
    probing: false,
    nodes: ranked.slice(0, INDEXER_LIMITS.indexRelayNets).map(([net, delivered]) => ({
      id: idOf(net),
      net,
      country: null,
      parentNetwork: null,
      parentUserAgent: null,
      parentNodeIdShort: null,
      blocks: delivered.blocks,
      lastSeen: whole(delivered.last / MS),
    })),
    ...coverageOf(view, { sinceMs: BigInt(bins[0]?.start ?? 0) * MS, untilMs: null }),
  };
}
