/**
 * Block templates for miners: the engine's template filled with transactions of the mempool, and cached.
 *
 * A template is served again to the same miner while chain and pool are unchanged and it is younger than
 * `MINING_LIMITS.templateMaxAgeMs`; for another pay address it is built anew (specification network 4.4).
 */
import { MINING_LIMITS } from "./miningLimits.ts";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { encodeHex } from "@svc/shared/base/hex.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { EngineHost } from "../engine/host/engineHost.ts";
import type { BuiltTemplate } from "../engine/calls/engineMessages.ts";
import type { Mempool } from "../mempool/mempool.ts";
import type { Clock } from "../platform/time/clock.ts";

/** A request for a template: whom it pays, and what its coinbase says besides. */
export type TemplateWish = {
  /** 43 raw bytes of an address. */
  readonly payScript: Uint8Array;
  /** Follows the program's version at the end of the coinbase payload. */
  readonly extraData: Uint8Array;
};

/** Dependencies of the template service. */
export type TemplateParts = {
  readonly engine: Pick<EngineHost, "buildTemplate">;
  readonly pool: Pick<Mempool, "select" | "hold" | "revision">;
  readonly clock: Clock;
  /** Leads the extra data, as `<version>/`. */
  readonly version: string;
};

type Cached = { readonly block: Uint8Array; readonly revision: number; readonly builtMs: bigint };

/** Builds and caches block templates. */
export class TemplateService {
  readonly #parts: TemplateParts;
  readonly #cache = new LruMap<string, Cached>(MINING_LIMITS.templateCache);

  constructor(parts: TemplateParts) {
    this.#parts = parts;
  }

  /** A RawBlock without proof of work. Errors: the engine's, `template/…`. */
  async build(wish: TemplateWish, signal?: AbortSignal): Promise<Uint8Array> {
    const key = `${encodeHex(wish.payScript)}:${encodeHex(wish.extraData)}`;
    const { pool, clock } = this.#parts;
    const cached = this.#cache.get(key);
    const fresh = cached !== undefined && cached.revision === pool.revision;
    if (fresh && clock.steadyMs() - cached.builtMs < MINING_LIMITS.templateMaxAgeMs)
      return cached.block;
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
    for (let attempt = 0; attempt < MINING_LIMITS.templateAttempts; attempt += 1) {
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
