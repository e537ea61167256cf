/**
 * Answers calls of the public REST interface: from memory, from the data centre, or through the relay of the call. What may still be shown
 * is shown while a newer answer is asked for; what moves with the tip waits for that a moment.
 */
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { answered, type ObjectAnswer } from "../../platform/objectAnswer.ts";
import { mayBeStored, movesWithTip, standingOf, type KeptAnswer } from "../answers/keptAnswer.ts";
import type { RestCall } from "../answers/restCall.ts";
import type { RelayedAnswer } from "../origin/relay.ts";
import type { AnswerCache } from "./answerCache.ts";

/** Dependencies of the facade. */
export type RestFacadeParts = {
  readonly cache: AnswerCache;
  /** Asks the relay of the call. */
  readonly relay: (call: RestCall) => Promise<ObjectAnswer<RelayedAnswer>>;
  /** Unix ms. */
  readonly now: () => number;
  /** Resolves after so many milliseconds. */
  readonly pause: (ms: number) => Promise<void>;
};

/** What a request brings: work that may outlast its answer, and whether its visitor may have a node asked. */
export type FacadeRequest = {
  readonly later: (work: Promise<unknown>) => void;
  /** Called before the relay is asked. Rejects with `http/too-many-requests`. */
  readonly admit: () => Promise<void>;
};

/** The facade of an instance. */
export class RestFacade {
  readonly #parts: RestFacadeParts;
  /** When a newer answer was last asked for. */
  readonly #renewed = new LruMap<string, number>(EXPLORER_LIMITS.heldPaths);

  constructor(parts: RestFacadeParts) {
    this.#parts = parts;
  }

  /** Answers. Rejects with `http/unavailable` where no node answers and nothing may be shown, and as `admit` does. */
  async answer(call: RestCall, request: FacadeRequest): Promise<RelayedAnswer> {
    const { cache } = this.#parts;
    const held = cache.held(call.key);
    const first = this.#shown(call, held, request);
    if (first !== null) return first;
    const found = await cache.found(call.key);
    const second = this.#shown(call, found, request);
    if (second !== null) return second;
    await request.admit();
    return this.#asked(call, found ?? held, request);
  }

  /** An answer that may be shown without asking first. */
  #shown(
    call: RestCall,
    answer: KeptAnswer | null,
    request: FacadeRequest,
  ): Promise<RelayedAnswer> | null {
    if (answer === null) return null;
    const shown = { answer, isLast: false };
    const standing = standingOf(answer, this.#parts.now());
    if (standing === "fresh") return Promise.resolve(shown);
    if (standing !== "renewable") return null;
    if (!this.#mayRenew(call)) return Promise.resolve(shown);
    const work = this.#asked(call, answer, request);
    request.later(work.catch(() => undefined));
    if (!movesWithTip(answer)) return Promise.resolve(shown);
    const patience = this.#parts.pause(EXPLORER_LIMITS.staleWaitMs);
    return Promise.race([work, patience]).then(
      (newer) => newer ?? shown,
      () => shown,
    );
  }

  #mayRenew({ key }: RestCall): boolean {
    const now = this.#parts.now();
    if (now - (this.#renewed.get(key) ?? 0) < EXPLORER_LIMITS.renewPauseMs) return false;
    this.#renewed.set(key, now);
    return true;
  }

  /** Asks the relay; `before` is shown as the last data where nobody answers. */
  async #asked(
    call: RestCall,
    before: KeptAnswer | null,
    { later }: FacadeRequest,
  ): Promise<RelayedAnswer> {
    const { cache, relay, now } = this.#parts;
    try {
      const relayed = answered(await relay(call));
      if (!mayBeStored(relayed.answer)) return relayed;
      cache.hold(call.key, relayed.answer);
      if (!relayed.isLast) later(cache.share(call.key, relayed.answer));
      return relayed;
    } catch (thrown) {
      const refused = unavailable(thrown);
      if (before === null || standingOf(before, now()) === "gone") throw refused;
      return { answer: before, isLast: true };
    }
  }
}

function unavailable(thrown: unknown): SvcError {
  const error = SvcError.from(thrown);
  if (SvcError.is(error, "http/unavailable")) return error;
  return new SvcError("http/unavailable", { reason: "the relay does not answer" }, error);
}
