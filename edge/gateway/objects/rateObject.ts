/**
 * Durable Object that counts the calls of a part of the callers, for all instances of the Worker. It knows a caller by a hash alone, and
 * forgets who has his whole share again.
 */
import { DurableObject } from "cloudflare:workers";
import * as v from "valibot";
import { SHARE_MS, takeCall, type CallBucket, type CallShare } from "@svc/shared/base/callShare.ts";
import { EDGE_LIMITS } from "../../edgeLimits.ts";
import { edgeNow } from "../../platform/edgeClock.ts";
import type { GatewayEnv } from "../gatewayEnv.ts";

const TABLES = `
CREATE TABLE IF NOT EXISTS buckets (subject TEXT PRIMARY KEY, tokens REAL NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS buckets_by_time ON buckets (at_ms);`;

/** How many callers are forgotten at once, as a part of all. */
const FORGOTTEN = 16;

const counted = v.object({ count: v.number() });
const stored = v.pipe(
  v.object({ tokens: v.number(), at_ms: v.number() }),
  v.transform(({ tokens, at_ms: atMs }): CallBucket => ({ tokens, atMs })),
);

/** The object of a part of the callers. */
export class RateObject extends DurableObject<GatewayEnv> {
  readonly #sql = this.ctx.storage.sql;
  #subjects = 0;
  #isArmed = false;

  constructor(ctx: DurableObjectState, env: GatewayEnv) {
    super(ctx, env);
    this.#sql.exec(TABLES);
    this.#subjects = this.#count();
  }

  /** Takes a call from a caller's share of so many in a minute. */
  async take(subject: string, perMinute: number): Promise<CallShare> {
    const now = Number(edgeNow());
    const [row] = this.#sql.exec("SELECT tokens, at_ms FROM buckets WHERE subject = ?", subject);
    const before = row === undefined ? null : v.parse(stored, row);
    const { bucket, share } = takeCall(before, perMinute, now);
    if (share.waitS !== null) return share;
    this.#sql.exec(
      "INSERT INTO buckets (subject, tokens, at_ms) VALUES (?1, ?2, ?3) ON CONFLICT (subject) DO UPDATE SET tokens = ?2, at_ms = ?3",
      ...[subject, bucket.tokens, bucket.atMs],
    );
    if (before === null) this.#makeRoom();
    await this.#arm(now);
    return share;
  }

  /** Forgets who has his whole share again. */
  override async alarm(): Promise<void> {
    const now = Number(edgeNow());
    this.#sql.exec("DELETE FROM buckets WHERE at_ms <= ?", now - SHARE_MS);
    this.#subjects = this.#count();
    this.#isArmed = false;
    if (this.#subjects > 0) await this.#arm(now);
  }

  #makeRoom(): void {
    this.#subjects += 1;
    const most = EDGE_LIMITS.rateSubjects;
    if (this.#subjects <= most) return;
    this.#sql.exec(
      "DELETE FROM buckets WHERE subject IN (SELECT subject FROM buckets ORDER BY at_ms LIMIT ?)",
      most / FORGOTTEN,
    );
    this.#subjects = this.#count();
  }

  #count(): number {
    const [row] = this.#sql.exec("SELECT count(*) AS count FROM buckets");
    return v.parse(counted, row).count;
  }

  async #arm(now: number): Promise<void> {
    if (this.#isArmed) return;
    await this.ctx.storage.setAlarm(now + SHARE_MS);
    this.#isArmed = true;
  }
}
