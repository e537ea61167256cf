/** How long an answer of the public REST interface may be kept, by its row (specification explorer C4). */
import type { RestRouteName } from "./restRoutes.ts";

/** Seconds for which an answer is fresh, and for which it may be shown beyond that while a new one is fetched. */
type Freshness = { readonly freshS: number; readonly staleS: number };

const MOVES_WITH_THE_TIP: Freshness = { freshS: 1, staleS: 5 };
const MOVES_SLOWLY: Freshness = { freshS: 5, staleS: 30 };
const HARDLY_MOVES: Freshness = { freshS: 60, staleS: 300 };

const FRESHNESS: { readonly [R in RestRouteName]: Freshness | null } = {
  blockDag: MOVES_WITH_THE_TIP,
  network: MOVES_SLOWLY,
  health: null,
  shielded: MOVES_SLOWLY,
  coinSupply: HARDLY_MOVES,
  blockReward: HARDLY_MOVES,
  halving: HARDLY_MOVES,
};

/** The header `Cache-Control` of an answer. Nobody keeps one about health. */
export function restCacheControl(name: RestRouteName): string {
  const freshness = FRESHNESS[name];
  if (freshness === null) return "no-store";
  const { freshS, staleS } = freshness;
  return `public, max-age=${freshS}, s-maxage=${freshS}, stale-while-revalidate=${staleS}`;
}
