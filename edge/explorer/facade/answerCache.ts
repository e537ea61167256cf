/**
 * Answers that an instance of the Worker holds: in its memory, and behind that in the platform's cache of its data centre. How old an
 * answer is goes by when its node was asked, whichever of them it comes from.
 */
import * as v from "valibot";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { EXPLORER_LIMITS } from "../../explorerLimits.ts";
import { lifeOf, weightOf, type KeptAnswer } from "../answers/keptAnswer.ts";

/** The platform's cache, as far as it is used. */
export type SharedCache = Pick<Cache, "match" | "put">;

/** The cache of an instance. */
export class AnswerCache {
  readonly #held = new LruMap<string, KeptAnswer>(EXPLORER_LIMITS.heldBytes, weightOf);
  readonly #shared: SharedCache | null;

  /** `shared`: the platform's cache; null where there is none. */
  constructor(shared: SharedCache | null) {
    this.#shared = shared;
  }

  /** What is in memory. */
  held(key: string): KeptAnswer | null {
    return this.#held.get(key) ?? null;
  }

  /** What the data centre has; null where it has nothing, or nothing newer than memory. Never rejects. */
  async found(key: string): Promise<KeptAnswer | null> {
    try {
      const response = await this.#shared?.match(placeOf(key));
      if (response === undefined) return null;
      const answer = await answerIn(response);
      const held = this.held(key);
      if (held !== null && held.asOfMs >= answer.asOfMs) return null;
      this.#held.set(key, answer);
      return answer;
    } catch {
      return null;
    }
  }

  /** Takes a newer answer into memory. */
  hold(key: string, answer: KeptAnswer): void {
    const held = this.held(key);
    if (held === null || held.asOfMs <= answer.asOfMs) this.#held.set(key, answer);
  }

  /** Gives it to the data centre, where it lies under its key: a refusal would be a list of what was looked for. Never rejects. */
  async share(key: string, answer: KeptAnswer): Promise<void> {
    if (answer.status !== OK) return;
    await this.#shared?.put(placeOf(key), responseOf(answer)).catch(() => undefined);
  }
}

const AS_OF = "X-Held-As-Of";
const STATUS = "X-Held-Status";
const TOLD = "X-Held-Cache-Control";
const MS = 1_000;
const OK = 200;

/** The cache looks at the URL alone. Its version goes up with a form of evidence: an old form is no answer for a day. */
function placeOf(key: string): string {
  return `https://kept.example/v2${key.replace("#", "?body=")}`;
}

/** It is kept as long as it may be shown; its own header is beside that. */
function responseOf(answer: KeptAnswer): Response {
  const { status, bytes, type, cacheControl, etag, asOfMs } = answer;
  const { freshMs, staleMs } = lifeOf(answer);
  const shownMs = Math.max(freshMs + staleMs, EXPLORER_LIMITS.lastDataMs);
  return new Response(bytes, {
    headers: {
      ...{ "Content-Type": type, ETag: etag, [TOLD]: cacheControl },
      ...{ [AS_OF]: String(asOfMs), [STATUS]: String(status) },
      "Cache-Control": `max-age=${Math.ceil(shownMs / MS)}`,
    },
  });
}

const heldHeaders = v.object({
  [AS_OF]: v.pipe(v.string(), v.regex(/^\d+$/), v.transform(Number)),
  [STATUS]: v.pipe(v.string(), v.regex(/^\d{3}$/), v.transform(Number)),
});

async function answerIn(response: Response): Promise<KeptAnswer> {
  const { headers } = response;
  const held = v.parse(heldHeaders, {
    [AS_OF]: headers.get(AS_OF),
    [STATUS]: headers.get(STATUS),
  });
  return {
    status: held[STATUS],
    bytes: new Uint8Array(await response.arrayBuffer()),
    type: headers.get("Content-Type") ?? "",
    cacheControl: headers.get(TOLD) ?? "no-store",
    etag: headers.get("ETag") ?? "",
    asOfMs: held[AS_OF],
  };
}
