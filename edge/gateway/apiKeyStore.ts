/**
 * API keys of the hosted gateway, as rows of D1. A key is told when it is issued and never again; its SHA-256 is stored. A row is
 * found by the first 16 digits of the hash, and the whole hash is compared in constant time.
 */
import * as v from "valibot";
import { asHash32, asTimestampMs, type Hash32, type TimestampMs } from "@svc/shared/base/brand.ts";
import {
  API_KEY_BYTES,
  apiKeyMode,
  hashApiKey,
  makeApiKey,
  sameKeyHash,
  type ApiKeyMode,
} from "@svc/shared/gateway/apiKey.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";

/** What a key is issued for. */
export type NewApiKey = {
  readonly merchant: string;
  readonly mode: ApiKeyMode;
  /** What it may do: names of scopes that the route table knows. */
  readonly scopes: readonly string[];
  /** Words of whoever issued it. */
  readonly label: string;
  /** Null for a key that does not expire. */
  readonly expiresMs: TimestampMs | null;
};

/** A key as it is listed. */
export type ApiKeyRow = NewApiKey & {
  readonly id: string;
  readonly createdMs: TimestampMs;
  readonly revokedMs: TimestampMs | null;
};

const ID_DIGITS = 16;
/** Held against where there is no row, so that both cases take the same steps. */
const NOBODY = asHash32("0".repeat(64));

const time = v.pipe(
  v.number(),
  v.transform((ms) => asTimestampMs(BigInt(ms))),
);
const form = v.object({
  id: v.string(),
  hash: v.pipe(v.string(), v.transform(asHash32)),
  merchant: v.string(),
  mode: v.picklist(["live", "test"]),
  scopes: v.pipe(v.string(), v.parseJson(), v.array(v.string())),
  label: v.string(),
  created_ms: time,
  expires_ms: v.nullable(time),
  revoked_ms: v.nullable(time),
});

/** The keys of all merchants. Its methods reject with what D1 says. */
export class ApiKeyStore {
  readonly #db: D1Database;

  constructor(db: D1Database) {
    this.#db = db;
  }

  /** Issues a key and resolves with its text, which nobody can be told again. */
  async issue(wanted: NewApiKey, now: TimestampMs): Promise<{ key: string; row: ApiKeyRow }> {
    const key = makeApiKey(wanted.mode, crypto.getRandomValues(new Uint8Array(API_KEY_BYTES)));
    return { key, row: await this.add(await hashApiKey(key), wanted, now) };
  }

  /** Adds a key by the hash of its text; one that is there stays as it is. */
  async add(hash: Hash32, wanted: NewApiKey, now: TimestampMs): Promise<ApiKeyRow> {
    const row = { ...wanted, id: idOf(hash), createdMs: now, revokedMs: null };
    await this.#db
      .prepare(
        "INSERT OR IGNORE INTO api_keys (id, hash, merchant, mode, scopes, label, created_ms, expires_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
      )
      .bind(
        ...[row.id, hash, row.merchant, row.mode, JSON.stringify(row.scopes), row.label],
        ...[Number(now), row.expiresMs === null ? null : Number(row.expiresMs)],
      )
      .run();
    return row;
  }

  /** Finds the key of a caller by its text; null for one that nobody issued, that is mistyped, revoked or expired. */
  async find(text: string, now: TimestampMs): Promise<ApiKeyRow | null> {
    return apiKeyMode(text) === null ? null : this.findHash(await hashApiKey(text), now);
  }

  /** Finds it by the hash of its text. */
  async findHash(hash: Hash32, now: TimestampMs): Promise<ApiKeyRow | null> {
    const found = await this.#db
      .prepare("SELECT * FROM api_keys WHERE id = ?1")
      .bind(idOf(hash))
      .first();
    const row = found === null ? null : v.parse(form, found);
    const isSame = sameKeyHash(row?.hash ?? NOBODY, hash);
    if (row === null || !isSame || row.revoked_ms !== null) return null;
    return row.expires_ms !== null && row.expires_ms <= now ? null : listed(row);
  }

  /** Revokes a key of a merchant for good; false where this merchant has no open key with that id. */
  async revoke(merchant: string, id: string, now: TimestampMs): Promise<boolean> {
    const { meta } = await this.#db
      .prepare(
        "UPDATE api_keys SET revoked_ms = ?3 WHERE id = ?2 AND merchant = ?1 AND revoked_ms IS NULL",
      )
      .bind(merchant, id, Number(now))
      .run();
    return meta.changes === 1;
  }

  /** Lists the keys of a merchant, the newest first, at most `apiKeyRows` of them. */
  async list(merchant: string): Promise<readonly ApiKeyRow[]> {
    const { results } = await this.#db
      .prepare("SELECT * FROM api_keys WHERE merchant = ?1 ORDER BY created_ms DESC, id LIMIT ?2")
      .bind(merchant, EDGE_LIMITS.apiKeyRows)
      .all();
    return results.map((row) => listed(v.parse(form, row)));
  }
}

function idOf(hash: Hash32): string {
  return hash.slice(0, ID_DIGITS);
}

function listed(row: v.InferOutput<typeof form>): ApiKeyRow {
  const { id, merchant, mode, scopes, label, created_ms, expires_ms, revoked_ms } = row;
  const times = { createdMs: created_ms, expiresMs: expires_ms, revokedMs: revoked_ms };
  return { id, merchant, mode, scopes, label, ...times };
}
