/**
 * Fallback answers from the history in D1: a bucket of the search by prefix while no node answers, and what became of a block or
 * a payment that a node does not know any more.
 */
import * as v from "valibot";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { RestRouteName } from "@svc/shared/protocol/rest/restRoutes.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import type { RestCall } from "../answers/restCall.ts";
import type { FacadeRequest, RestFacade } from "../facade/restFacade.ts";
import type { RelayedAnswer } from "../origin/relay.ts";
import { historyBucket } from "./historyBucket.ts";
import type { HistoryStore, RememberedHash } from "./historyStore.ts";

/** Dependencies. */
export type HistoryAnswersParts = {
  readonly facade: Pick<RestFacade, "answer">;
  readonly store: Pick<HistoryStore, "find" | "hashes" | "cursor">;
  /** Unix ms. */
  readonly now: () => number;
};

type Found = { readonly atMs: number; readonly remembered: RememberedHash | null };

/** Rows about one hash, and what the history calls it. */
const OF_HASHES: { readonly [R in RestRouteName]?: RememberedHash["kind"] } = {
  block: "block",
  transaction: "payment",
};
const MINUTE_MS = 60_000;
const GONE: ReadonlySet<number> = new Set([404, 410]);
const body = v.record(v.string(), v.unknown());

/** The answers of an instance. */
export class HistoryAnswers {
  readonly #parts: HistoryAnswersParts;
  readonly #found = new LruMap<string, Found>(EXPLORER_LIMITS.historyHeldHashes);

  constructor(parts: HistoryAnswersParts) {
    this.#parts = parts;
  }

  /** Answers as the facade does, and with the history where that has more to say. Rejects as the facade does. */
  async answer(call: RestCall, request: FacadeRequest): Promise<RelayedAnswer> {
    const { facade } = this.#parts;
    try {
      const relayed = await facade.answer(call, request);
      const kind = OF_HASHES[call.name];
      return kind !== undefined && GONE.has(relayed.answer.status)
        ? await this.#reminded(call, kind, relayed)
        : relayed;
    } catch (thrown) {
      if (call.name !== "searchBucket" || !SvcError.is(thrown, "http/unavailable")) throw thrown;
      return this.#bucket(call, SvcError.from(thrown));
    }
  }

  /** A bucket as old as the last minute that is written for good: what came since may be missing. Throws `refused` where there is none. */
  async #bucket({ path }: RestCall, refused: SvcError): Promise<RelayedAnswer> {
    const { store } = this.#parts;
    const cursor = await store.cursor().catch(() => null);
    if (cursor === null) throw refused;
    const asOfMs = (cursor + 1) * MINUTE_MS;
    const answer = await historyBucket(store, path, asOfMs).catch((failed: unknown) => {
      throw SvcError.is(failed, "api/bad-field") ? failed : refused;
    });
    return { answer, isLast: true };
  }

  /** A refusal, with what is remembered of its hash. */
  async #reminded(
    call: RestCall,
    kind: RememberedHash["kind"],
    relayed: RelayedAnswer,
  ): Promise<RelayedAnswer> {
    const remembered = await this.#find(hashIn(call));
    if (remembered === null || remembered.kind !== kind) return relayed;
    const { answer } = relayed;
    const { standing, block, daaScore, isChain } = remembered;
    const told = { status: standing, block, daaScore: String(daaScore), isChainBlock: isChain };
    const refusal = v.parse(body, JSON.parse(new TextDecoder().decode(answer.bytes)));
    const text = JSON.stringify({ ...refusal, reason: "pruned", remembered: told });
    return { ...relayed, answer: { ...answer, bytes: new TextEncoder().encode(text) } };
  }

  /** What the history knows of a hash; null too where it cannot be read now. */
  async #find(hash: string): Promise<RememberedHash | null> {
    const now = this.#parts.now();
    const held = this.#found.get(hash);
    if (held !== undefined && now - held.atMs < EXPLORER_LIMITS.historyHeldMs) {
      return held.remembered;
    }
    const remembered = await this.#parts.store.find(hash).catch(() => null);
    this.#found.set(hash, { atMs: now, remembered });
    return remembered;
  }
}

function hashIn({ path }: RestCall): string {
  return path.split("/")[2] ?? "";
}
