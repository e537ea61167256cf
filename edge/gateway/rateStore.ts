/** Prices of a coin as the operator's scanner told them last, as rows of D1. A price grows old, and then makes no invoice. */
import * as v from "valibot";
import { asTimestampMs, type TimestampMs } from "@svc/shared/base/brand.ts";
import type { CoinRate, PricePort } from "@svc/shared/gateway/pricePort.ts";
import type { ToldRate } from "@svc/shared/gateway/toldRates.ts";
import { EDGE_LIMITS } from "../edgeLimits.ts";

const form = v.object({
  currency: v.string(),
  rate: v.string(),
  source: v.string(),
  told_ms: v.pipe(
    v.number(),
    v.transform((ms) => asTimestampMs(BigInt(ms))),
  ),
});

/** The prices. Its methods reject with what D1 says. */
export class RateStore implements PricePort {
  readonly #db: D1Database;
  readonly #now: () => TimestampMs;

  constructor(db: D1Database, now: () => TimestampMs) {
    this.#db = db;
    this.#now = now;
  }

  /** Takes what is newer than what is there; a time that has not come yet is now. */
  async take(told: readonly ToldRate[]): Promise<void> {
    if (told.length === 0) return;
    const now = this.#now();
    const write = this.#db.prepare(
      "INSERT INTO coin_rates (currency, rate, source, told_ms) VALUES (?1, ?2, ?3, ?4) ON CONFLICT (currency) DO UPDATE SET rate = ?2, source = ?3, told_ms = ?4 WHERE told_ms <= ?4",
    );
    const rows = told.map(({ currency, rate, source, toldMs }) => {
      return write.bind(currency, rate, source, Number(toldMs < now ? toldMs : now));
    });
    await this.#db.batch(rows);
  }

  async rate(currency: string): Promise<CoinRate | null> {
    const row = await this.#db
      .prepare("SELECT * FROM coin_rates WHERE currency = ?1")
      .bind(currency)
      .first();
    return row === null ? null : this.#aged(row);
  }

  async rates(): Promise<readonly CoinRate[]> {
    const { results } = await this.#db
      .prepare("SELECT * FROM coin_rates ORDER BY currency LIMIT ?1")
      .bind(EDGE_LIMITS.rateRows)
      .all();
    return results.map((row) => this.#aged(row));
  }

  #aged(row: unknown): CoinRate {
    const { told_ms: toldMs, ...rate } = v.parse(form, row);
    return { ...rate, toldMs, isStale: this.#now() - toldMs > EDGE_LIMITS.rateAgeMs };
  }
}
