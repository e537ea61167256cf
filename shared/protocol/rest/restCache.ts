/** How long an answer of the public REST interface may be kept, by its row (specification explorer C4). */
import type { RestRouteName } from "./restRoutes.ts";

/** Seconds for which an answer is fresh, and for which it may be shown beyond that while a new one is fetched. */
export type Freshness = { readonly freshS: number; readonly staleS: number };

const MOVES_WITH_THE_TIP: Freshness = { freshS: 1, staleS: 5 };
const MOVES_SLOWLY: Freshness = { freshS: 5, staleS: 30 };
const HARDLY_MOVES: Freshness = { freshS: 60, staleS: 300 };

const MOVES_BY_MINUTES: Freshness = { freshS: 30, staleS: 120 };
const DAY_S = 86_400;
/** What a hash names: it never changes, and may only go. */
const NEVER_MOVES: Freshness = { freshS: DAY_S, staleS: DAY_S };

/** How the freshness of what lies in the chain grows with its depth: below so many blue blocks it is this. */
const BY_DEPTH: readonly (Freshness & { readonly below: bigint })[] = [
  { below: 20n, freshS: 2, staleS: 5 },
  { below: 60n, freshS: 10, staleS: 30 },
  { below: 600n, freshS: 60, staleS: 300 },
];
/** Beyond them: a reorganisation may still reach so deep until the network's finality depth, so that no answer is kept for long. */
const DEEP: Freshness = { freshS: 600, staleS: 600 };

/** Of an answer that there is nothing: it may come to be at any moment. */
export const MISSING_FRESHNESS: Freshness = { freshS: 5, staleS: 0 };
/** The header `Cache-Control` of such an answer. */
export const MISSING_CACHE_CONTROL = writtenFreshness(MISSING_FRESHNESS);

/** Of rows whose answers get older with the depth of a block, it is that near the tip. */
const FRESHNESS: { readonly [R in RestRouteName]: Freshness | null } = {
  blockDag: MOVES_WITH_THE_TIP,
  recentBlocks: MOVES_WITH_THE_TIP,
  blocksAt: MOVES_WITH_THE_TIP,
  blockWindow: MOVES_WITH_THE_TIP,
  block: MOVES_WITH_THE_TIP,
  blockBytes: NEVER_MOVES,
  transaction: MOVES_WITH_THE_TIP,
  transactionSearch: null,
  transactionCount: MOVES_SLOWLY,
  searchBucket: MOVES_SLOWLY,
  nodes: MOVES_BY_MINUTES,
  relay: MOVES_SLOWLY,
  mempool: MOVES_WITH_THE_TIP,
  feeEstimate: MOVES_WITH_THE_TIP,
  rules: HARDLY_MOVES,
  pulse: MOVES_WITH_THE_TIP,
  workHistory: HARDLY_MOVES,
  reorgs: MOVES_BY_MINUTES,
  extremes: MOVES_BY_MINUTES,
  index: MOVES_SLOWLY,
  miners: MOVES_BY_MINUTES,
  mergedMining: MOVES_BY_MINUTES,
  network: MOVES_SLOWLY,
  health: null,
  shielded: MOVES_SLOWLY,
  coinSupply: HARDLY_MOVES,
  blockReward: HARDLY_MOVES,
  halving: HARDLY_MOVES,
  acceptanceProof: MOVES_WITH_THE_TIP,
  supplyProof: MOVES_WITH_THE_TIP,
  profile: HARDLY_MOVES,
  evidenceTip: MOVES_WITH_THE_TIP,
  evidenceOpening: NEVER_MOVES,
  evidenceMembership: NEVER_MOVES,
  evidenceRun: NEVER_MOVES,
};

/** Rows about something in the chain, whose answers may be kept the longer the deeper it lies. */
const DEEPENING: ReadonlySet<RestRouteName> = new Set([
  "block",
  "blocksAt",
  "transaction",
  "acceptanceProof",
  "supplyProof",
  "evidenceTip",
]);

/**
 * The most that a true node says of an answer of a row; null where nobody keeps it. `isSettled`: the answer may be about something deep in
 * the chain, as far as it says itself.
 */
export function freshnessMost(name: RestRouteName, isSettled: boolean): Freshness | null {
  return isSettled && DEEPENING.has(name) ? DEEP : FRESHNESS[name];
}

/**
 * The header `Cache-Control` of an answer. Nobody keeps one about health. `depth`: of an answer about something in the chain, by
 * how much the blue score of the sink is above its own.
 */
export function restCacheControl(name: RestRouteName, depth: bigint | null = null): string {
  const freshness = depth === null ? FRESHNESS[name] : atDepth(depth);
  return freshness === null ? "no-store" : writtenFreshness(freshness);
}

function atDepth(depth: bigint): Freshness {
  return BY_DEPTH.find(({ below }) => depth < below) ?? DEEP;
}

/** The header `Cache-Control` that says it. */
export function writtenFreshness({ freshS, staleS }: Freshness): string {
  return `public, max-age=${freshS}, s-maxage=${freshS}, stale-while-revalidate=${staleS}`;
}
