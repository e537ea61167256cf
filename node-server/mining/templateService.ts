/**
 * Blocks for miners: the engine's template with transactions of the pool.
 *
 * A template is served again to the same miner while chain and pool are unchanged and it is younger than
 * `LIMITS.templateMaxAgeMs`; for another pay address it is built anew (specification network 4.4).
 */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { EngineHost } from "../consensus/engineHost.ts";
import type { BuiltTemplate } from "../consensus/engineMessages.ts";
import type { Mempool } from "../mempool/mempool.ts";
import type { Clock } from "../platform/clock.ts";

/** Whom a template pays, and what its coinbase says besides. */
export type TemplateWish = {
  /** 43 raw bytes of an address. */
  readonly payScript: Uint8Array;
  /** Follows the program's version at the end of the coinbase payload. */
  readonly extraData: Uint8Array;
};

/** What the service works with. */
export type TemplateParts = {
  readonly engine: Pick<EngineHost, "buildTemplate">;
  readonly pool: Pick<Mempool, "select" | "hold" | "revision">;
  readonly clock: Clock;
  /** Leads the extra data, as `<version>/`. */
  readonly version: string;
};

type Cached = { readonly block: Uint8Array; readonly revision: number; readonly builtMs: bigint };

/** Builds templates. */
export class TemplateService {
  readonly #parts: TemplateParts;
  readonly #cache = new LruMap<string, Cached>(LIMITS.templateCache);

  constructor(parts: TemplateParts) {
    this.#parts = parts;
  }

  /** A RawBlock without proof of work. Errors: the engine's, `template/…`. */
  async build(wish: TemplateWish, signal?: AbortSignal): Promise<Uint8Array> {
    const key = `${encodeHex(wish.payScript)}:${encodeHex(wish.extraData)}`;
    const { pool, clock } = this.#parts;
    const cached = this.#cache.get(key);
    const fresh = cached !== undefined && cached.revision === pool.revision;
    if (fresh && clock.steadyMs() - cached.builtMs < LIMITS.templateMaxAgeMs) return cached.block;
    const { block, revision } = await this.#attempt(wish, signal);
    this.#cache.set(key, { block, revision, builtMs: clock.steadyMs() });
    return block;
  }

  /**
   * A refused candidate is held back and the room it leaves is offered to others. Gives the revision of the pool that the
   * block was built on.
   */
  async #attempt(
    wish: TemplateWish,
    signal: AbortSignal | undefined,
  ): Promise<Omit<Cached, "builtMs">> {
    const { engine, pool, clock, version } = this.#parts;
    const extraData = concatBytes(new TextEncoder().encode(`${version}/`), wish.extraData);
    const { payScript } = wish;
    let built: BuiltTemplate | null = null;
    let revision = pool.revision;
    for (let attempt = 0; attempt < LIMITS.templateAttempts; attempt += 1) {
      // Taken first: what changes while the engine works makes the next request build again.
      revision = pool.revision;
      const candidates = pool.select().map((entry) => entry.raw);
      const nowMs = clock.nowMs();
      built = await engine.buildTemplate({ payScript, extraData, candidates, nowMs }, signal);
      if (built.rejected.length === 0) break;
      const isUnchanged = pool.revision === revision;
      pool.hold(built.rejected.map((rejection) => rejection.txid));
      if (isUnchanged) revision = pool.revision;
    }
    return { block: built?.block ?? new Uint8Array(), revision };
  }
}
