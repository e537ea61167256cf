/** The history in D1. Every write is one batch, and gives the same rows however often it is repeated. */
import * as v from "valibot";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";

/** A block of the history. */
export type HistoryBlock = {
  readonly hash: string;
  readonly daaScore: number;
  readonly blueScore: number;
  readonly timestampMs: number;
  readonly color: string;
  readonly isChain: boolean;
  readonly work: string;
  readonly transactions: number;
};

/** A payment of the history. */
export type HistoryPayment = {
  readonly id: string;
  readonly block: string;
  readonly daaScore: number;
  readonly status: "included" | "applied" | "dropped";
  readonly reason: string | null;
};

/** A minute: its blocks, and the payments that they carry. */
export type HistoryMinute = {
  readonly minute: number;
  readonly blocks: readonly HistoryBlock[];
  readonly payments: readonly HistoryPayment[];
  /** Nothing of it changes any more: the history goes on behind it. */
  readonly isFinal: boolean;
};

/** A reorganisation that a node saw. */
export type HistoryReorg = {
  readonly t: number;
  readonly oldTip: string;
  readonly newTip: string;
  /** Null where the node could not tell it any more. */
  readonly forkPoint: string | null;
  readonly removed: number;
  readonly added: number;
};

/** The supply after a block. Sompi are decimal text. */
export type HistorySupply = {
  readonly daaScore: number;
  readonly block: string;
  readonly minted: string;
  readonly burned: string;
  readonly notes: number;
  readonly nullifiers: number;
};

/** A hash that the history knows. */
export type RememberedHash = {
  readonly hash: string;
  readonly kind: "block" | "payment";
  readonly daaScore: number;
  readonly isChain: boolean;
  /** Colour of a block, status of a payment. */
  readonly standing: string;
  /** The block of a payment; null for a block. */
  readonly block: string | null;
};

const MINUTES_OF_HOUR = 60;
/** Behind all digits: the end of a range of hashes. */
const END = "g";
const remembered = v.pipe(
  v.object({
    hash: v.string(),
    kind: v.picklist(["block", "payment"]),
    daa_score: v.number(),
    is_chain: v.number(),
    standing: v.string(),
    block: v.nullable(v.string()),
  }),
  v.transform(({ daa_score: daaScore, is_chain: isChain, ...rest }): RememberedHash => ({
    ...{ ...rest, daaScore },
    isChain: isChain !== 0,
  })),
);
const cursorRow = v.object({ value: v.number() });

const HASHES = `
SELECT hash, 'block' AS kind, daa_score, is_chain, color AS standing, NULL AS block FROM blocks WHERE hash >= ?1 AND hash < ?2
UNION ALL
SELECT id AS hash, 'payment' AS kind, daa_score, 0 AS is_chain, status AS standing, block FROM payments WHERE id >= ?1 AND id < ?2`;

/** The history. */
export class HistoryStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** The last minute that is written for good; null for none. */
  async cursor(): Promise<number | null> {
    const row = await this.#db.prepare("SELECT value FROM cursors WHERE name = 'minute'").first();
    return row === null ? null : v.parse(cursorRow, row).value;
  }

  /** Writes a minute; with the cursor where it is final. */
  async writeMinute({ minute, blocks, payments, isFinal }: HistoryMinute): Promise<void> {
    const db = this.#db;
    const count = (test: (block: HistoryBlock) => boolean): number => blocks.filter(test).length;
    const hour = Math.floor(minute / MINUTES_OF_HOUR);
    const statements = [
      db
        .prepare(
          "INSERT OR REPLACE INTO blocks SELECT value ->> 'hash', ?2, value ->> 'daaScore', value ->> 'blueScore', value ->> 'timestampMs', value ->> 'color', value ->> 'isChain', value ->> 'work', value ->> 'transactions' FROM json_each(?1)",
        )
        .bind(JSON.stringify(blocks), minute),
      // Of the minutes whose blocks carry a payment, the first one is its own.
      db
        .prepare(
          "INSERT INTO payments SELECT value ->> 'id', value ->> 'block', ?2, value ->> 'daaScore', value ->> 'status', value ->> 'reason' FROM json_each(?1) WHERE true ON CONFLICT (id) DO UPDATE SET status = excluded.status, reason = excluded.reason WHERE excluded.status <> 'included'",
        )
        .bind(JSON.stringify(payments), minute),
      db
        .prepare("INSERT OR REPLACE INTO minutes VALUES (?1, ?2, ?3, ?4, ?5)")
        .bind(
          ...[minute, blocks.length, count(({ color }) => color === "red")],
          ...[count(({ work }) => work === "merge-mined"), payments.length],
        ),
      db
        .prepare(
          "INSERT OR REPLACE INTO hours SELECT ?1, sum(blocks), sum(reds), sum(merge_mined), sum(payments) FROM minutes WHERE minute >= ?1 * 60 AND minute < (?1 + 1) * 60",
        )
        .bind(hour),
      db
        .prepare("DELETE FROM blocks WHERE minute <= ?1")
        .bind(minute - EXPLORER_LIMITS.historyBlockMinutes),
    ];
    await db.batch(isFinal ? [...statements, this.#moved(minute)] : statements);
  }

  /** Goes on behind minutes that no node has. */
  async skipTo(minute: number): Promise<void> {
    await this.#moved(minute).run();
  }

  /** Writes what nodes saw of reorganisations, and the supply. */
  async writeSeen(reorgs: readonly HistoryReorg[], supply: HistorySupply): Promise<void> {
    const db = this.#db;
    const { daaScore, block, minted, burned, notes, nullifiers } = supply;
    await db.batch([
      db
        .prepare(
          // The column takes no null: an empty text stands for it.
          "INSERT OR IGNORE INTO reorganisations SELECT value ->> 't', value ->> 'newTip', value ->> 'oldTip', ifnull(value ->> 'forkPoint', ''), value ->> 'removed', value ->> 'added' FROM json_each(?1)",
        )
        .bind(JSON.stringify(reorgs)),
      db
        .prepare("INSERT OR REPLACE INTO supply VALUES (?1, ?2, ?3, ?4, ?5, ?6)")
        .bind(daaScore, block, minted, burned, notes, nullifiers),
    ]);
  }

  /** What is known of a hash; null for nothing. */
  async find(hash: string): Promise<RememberedHash | null> {
    const [first] = await this.hashes(hash, `${hash}${END}`);
    return first ?? null;
  }

  /** Hashes from one on and before another one, at most as many as a bucket may hold and one more. */
  async hashes(from: string, before: string): Promise<readonly RememberedHash[]> {
    const { results } = await this.#db
      .prepare(`SELECT * FROM (${HASHES}) ORDER BY hash LIMIT ?3`)
      .bind(from, before, EXPLORER_LIMITS.historyBucketRows)
      .all();
    return results.map((row) => v.parse(remembered, row));
  }

  /** Rows of a table, from a place of its key on, the oldest first. */
  async rows(table: HistoryTable, from: number, before: number): Promise<readonly unknown[]> {
    const { key, columns } = HISTORY_TABLES[table];
    const { results } = await this.#db
      .prepare(
        `SELECT ${columns} FROM ${table} WHERE ${key} >= ?1 AND ${key} < ?2 ORDER BY ${key} LIMIT ?3`,
      )
      .bind(from, before, EXPLORER_LIMITS.historyRows)
      .all();
    return results;
  }

  #moved(minute: number): D1PreparedStatement {
    return this.#db
      .prepare(
        "INSERT INTO cursors VALUES ('minute', ?1) ON CONFLICT (name) DO UPDATE SET value = max(value, ?1)",
      )
      .bind(minute);
  }
}

/** Tables that are shown as they are. */
export const HISTORY_TABLES = {
  minutes: {
    key: "minute",
    columns: "minute, blocks, reds, merge_mined AS mergeMined, payments",
  },
  hours: { key: "hour", columns: "hour, blocks, reds, merge_mined AS mergeMined, payments" },
  reorganisations: {
    key: "t",
    columns:
      "t, new_tip AS newTip, old_tip AS oldTip, nullif(fork_point, '') AS forkPoint, removed, added",
  },
  supply: {
    key: "daa_score",
    columns: "daa_score AS daaScore, block, minted, burned, notes, nullifiers",
  },
} as const;
/** Name of such a table. */
export type HistoryTable = keyof typeof HISTORY_TABLES;
