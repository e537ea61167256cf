/**
 * Schema of the node's databases: tables and layout versions.
 *
 * The consensus tables mirror the list the engine keeps (`wasm-core/crates/consensus/src/store/tables.rs`);
 * a contract test compares the two. A number is never reused.
 */
import { ADDRESS_TIMES } from "./migrations/addressTimes.ts";
import type { Migration } from "./migrations/migration.ts";
import { SEGMENT_STREAMS } from "./migrations/segmentStreams.ts";

/** One table: its number is the first byte of every key; large ones live in segment files. */
export type TableRow = { readonly number: number; readonly name: string; readonly large: boolean };

/** One database: a folder, a layout version, its tables and the steps from older versions. */
export type DatabaseLayout = {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly TableRow[];
  readonly migrations: readonly Migration[];
};

/** Layout of the engine's database. */
export const CONSENSUS_LAYOUT: DatabaseLayout = {
  name: "consensus",
  version: 2,
  tables: [
    { number: 1, name: "meta", large: false },
    { number: 2, name: "headers", large: false },
    { number: 3, name: "bodies", large: true },
    { number: 4, name: "status", large: false },
    { number: 5, name: "ghostdag", large: false },
    { number: 6, name: "reachability", large: false },
    { number: 7, name: "children", large: false },
    { number: 8, name: "daa_excluded", large: false },
    { number: 9, name: "depths", large: false },
    { number: 10, name: "chain_by_index", large: false },
    { number: 11, name: "chain_by_hash", large: false },
    { number: 12, name: "acceptance", large: false },
    { number: 13, name: "chain_state", large: false },
    { number: 14, name: "nullifiers", large: false },
    { number: 15, name: "nullifier_diffs", large: false },
    { number: 16, name: "anchor_producers", large: false },
    { number: 17, name: "anchor_latest", large: false },
    { number: 18, name: "witnesses", large: true },
    { number: 19, name: "anchor_entries", large: false },
    { number: 20, name: "scan_records", large: true },
    { number: 21, name: "lanes", large: false },
    { number: 22, name: "lane_nodes", large: false },
    { number: 23, name: "lane_expiry", large: false },
    { number: 24, name: "pruning_points", large: false },
    { number: 25, name: "proof", large: false },
    { number: 26, name: "kept", large: false },
    { number: 27, name: "import", large: false },
    { number: 28, name: "lane_diffs", large: false },
    { number: 29, name: "inherited_merges", large: false },
    { number: 30, name: "anchor_bindings", large: false },
    { number: 31, name: "chain_evidence", large: false },
    { number: 32, name: "openings", large: false },
    { number: 33, name: "log_rows", large: false },
    { number: 34, name: "log_places", large: false },
  ],
  migrations: [SEGMENT_STREAMS],
};

/** Layout of the node's own database: what must survive a restart and is not consensus. */
export const META_LAYOUT: DatabaseLayout = {
  name: "meta",
  version: 2,
  tables: [
    { number: 1, name: "settings", large: false },
    { number: 2, name: "pool", large: false },
    { number: 3, name: "addresses", large: false },
    { number: 4, name: "bans", large: false },
  ],
  migrations: [ADDRESS_TIMES],
};

/** Tables of the node's own database. */
export const META_TABLES = { settings: 1, pool: 2, addresses: 3, bans: 4 } as const;

/** The numbers of a database's large tables. */
export function largeTables(layout: DatabaseLayout): ReadonlySet<number> {
  return new Set(layout.tables.filter((row) => row.large).map((row) => row.number));
}

/** The number of one of the engine's tables; 0, which is none of them, for another name. */
export function consensusTable(name: string): number {
  return CONSENSUS_LAYOUT.tables.find((row) => row.name === name)?.number ?? 0;
}

/** The name of one of the engine's tables. */
export function tableName(number: number): string {
  return CONSENSUS_LAYOUT.tables.find((row) => row.number === number)?.name ?? String(number);
}
