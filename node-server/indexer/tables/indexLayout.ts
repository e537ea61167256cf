/**
 * Schema of the index's two databases, in the folder `index` of a network's data (docs/formats.md 9). `derived` follows from the
 * chain and can be deleted at any time; `observed` is what only this node saw, and stays.
 */
import type { DatabaseLayout } from "../../storage/layout.ts";

/** Layout of the derived tables. A new version is made by deleting the old one, so it has no migrations. */
export const DERIVED_LAYOUT: DatabaseLayout = {
  name: "derived",
  version: 1,
  tables: [
    { number: 1, name: "chain", large: false },
    { number: 2, name: "blocks", large: false },
    { number: 3, name: "transactions", large: false },
    { number: 4, name: "by_daa", large: false },
    { number: 5, name: "by_time", large: false },
    { number: 6, name: "bins", large: false },
    { number: 7, name: "ranks", large: false },
    { number: 8, name: "places", large: false },
  ],
  migrations: [],
};

/** Numbers of the derived tables. */
export const DERIVED_TABLES = {
  chain: 1,
  blocks: 2,
  transactions: 3,
  byDaa: 4,
  byTime: 5,
  bins: 6,
  ranks: 7,
  places: 8,
} as const;

/** Layout of the observed tables. */
export const OBSERVED_LAYOUT: DatabaseLayout = {
  name: "observed",
  version: 1,
  tables: [
    { number: 1, name: "state", large: false },
    { number: 2, name: "reorgs", large: false },
    { number: 3, name: "seen", large: false },
    { number: 4, name: "relayers", large: false },
  ],
  migrations: [],
};

/** Numbers of the observed tables. */
export const OBSERVED_TABLES = { state: 1, reorgs: 2, seen: 3, relayers: 4 } as const;
