/**
 * Keeps the documents of an open page up to date: asks for each path again when it is due, at a pace of its own, and rests while nobody
 * looks at the page.
 */
import { PAGE_LIMITS } from "../../pageLimits.ts";
import type { DocumentStore } from "./documentStore.ts";
import { readPageAnswer } from "./readPageAnswer.ts";

const [NOT_FOUND, TOO_MANY, SERVER_FAILS] = [404, 429, 500];
/** Seconds for which a browser may keep an answer. */
const MAX_AGE = /(?:^|[\s,])max-age=(\d+)/i;

/** Milliseconds between two questions for a path; null for what never changes. The first row that the path begins with holds. */
const PACES: readonly (readonly [start: string, paceMs: number | null])[] = [
  ["/openapi.json", null],
  ["/blocks/recent", PAGE_LIMITS.explorerPollMs],
  ["/blocks/at", PAGE_LIMITS.explorerPollSlowMs],
  ["/blocks/window", PAGE_LIMITS.explorerPollSlowMs],
  ["/info/blockdag", PAGE_LIMITS.explorerPollMs],
  ["/info/mempool", PAGE_LIMITS.explorerPollSlowMs],
  ["/transactions/count", PAGE_LIMITS.explorerPollSlowMs],
  ["/transactions/", PAGE_LIMITS.explorerPollMs],
  ["/blocks/", PAGE_LIMITS.explorerPollMs],
  ["/info/pulse", PAGE_LIMITS.explorerPollSlowMs],
  ["/info/shielded", PAGE_LIMITS.explorerPollSlowMs],
  ["/info/coinsupply", PAGE_LIMITS.explorerPollSlowMs],
  ["/info/relay", PAGE_LIMITS.explorerPollSlowMs],
  ["/info/index", PAGE_LIMITS.explorerPollSlowMs],
];

/** Milliseconds between two questions for this path; null for what never changes. */
export function paceOf(path: string): number | null {
  const row = PACES.find(([start]) => path.startsWith(start));
  return row === undefined ? PAGE_LIMITS.explorerPollRareMs : row[1];
}

/** What the poller uses of the browser. */
export type PollParts = {
  readonly store: DocumentStore;
  /** Where the REST interface stands. */
  readonly apiBase: string;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Steady milliseconds. */
  readonly steadyMs: () => number;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly isHidden: () => boolean;
};

/** Asks for what is due. One question for a path is under way at a time. */
export class LiveDocuments {
  readonly #parts: PollParts;
  readonly #dueMs = new Map<string, number>();
  readonly #asked = new Set<string>();
  /** Failures in a row, by path. */
  readonly #failures = new Map<string, number>();
  #ended: AbortController | null = new AbortController();

  constructor(parts: PollParts) {
    this.#parts = parts;
    const now = parts.steadyMs();
    // What the server rendered is new: the first question is due after the pace of the path.
    for (const path of parts.store.paths) {
      const pace = paceOf(path);
      if (pace !== null) this.#dueMs.set(path, now + pace);
    }
  }

  /** Asks no more for a path, whose answers somebody else hands on; until what this returns is called. */
  lend(path: string): () => void {
    const isKept = this.#dueMs.delete(path);
    return () => {
      if (isKept) this.#dueMs.set(path, 0);
    };
  }

  /** Asks for what is due; called often. Resolves when these questions are answered. */
  async tick(): Promise<void> {
    const { steadyMs, isHidden } = this.#parts;
    if (this.#ended === null || isHidden()) return;
    const now = steadyMs();
    const due = [...this.#dueMs].filter(([path, at]) => at <= now && !this.#asked.has(path));
    await Promise.all(
      due.map(async ([path]) => {
        const pace = paceOf(path) ?? PAGE_LIMITS.explorerPollRareMs;
        this.#dueMs.set(path, now + pace);
        const answer = await this.#ask(path, this.#ended?.signal);
        const failures = isFailure(answer) ? (this.#failures.get(path) ?? 0) + 1 : 0;
        this.#failures.set(path, failures);
        // Whoever has borrowed the path meanwhile asks at a pace of its own.
        if (!this.#dueMs.has(path)) return;
        if (failures > 0) this.#dueMs.set(path, steadyMs() + retryPauseMs(pace, failures, answer));
        else if (isRare(answer)) {
          this.#dueMs.set(path, now + Math.max(pace, PAGE_LIMITS.explorerPollRareMs));
        }
      }),
    );
  }

  /** Asks no more. */
  stop(): void {
    this.#ended?.abort();
    this.#ended = null;
  }

  /** Null when there was no answer. */
  async #ask(path: string, ended: AbortSignal | undefined): Promise<Response | null> {
    const { store, apiBase, fetch, nowMs } = this.#parts;
    const bound = AbortSignal.timeout(PAGE_LIMITS.explorerAnswerMs);
    this.#asked.add(path);
    try {
      // The browser sends the ETag that it has, and hands out its copy for a 304.
      const response = await fetch(`${apiBase}${path}`, {
        cache: "no-cache",
        credentials: "omit",
        signal: ended === undefined ? bound : AbortSignal.any([bound, ended]),
      });
      store.take(path, await readPageAnswer(response, nowMs()));
      return response;
    } catch {
      if (ended?.aborted !== true) {
        store.take(path, { status: 0, body: "", asOfMs: nowMs(), isStale: true });
      }
      return null;
    } finally {
      this.#asked.delete(path);
    }
  }
}

function isFailure(answer: Response | null): boolean {
  return answer === null || answer.status === TOO_MANY || answer.status >= SERVER_FAILS;
}

/** Twice as long after each failure, and at least as long as the server asks for; both bounded. */
function retryPauseMs(paceMs: number, failures: number, answer: Response | null): number {
  const asked = Number(answer?.headers.get("retry-after") ?? "0") * 1_000;
  const pause = Math.max(paceMs * 2 ** failures, Number.isFinite(asked) ? asked : 0);
  return Math.min(PAGE_LIMITS.explorerRetryLongestMs, pause);
}

/** What is not there, and what its server calls fresh for long, hardly moves. */
function isRare(answer: Response | null): boolean {
  if (answer?.status === NOT_FOUND) return true;
  const fresh = MAX_AGE.exec(answer?.headers.get("cache-control") ?? "")?.[1] ?? "0";
  return Number(fresh) >= PAGE_LIMITS.explorerFreshRareS;
}
