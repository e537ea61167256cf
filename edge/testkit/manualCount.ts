/** Test helper: stands for the Rate Limiting binding, whose own clock nobody moves; its minutes are those of a clock that a test moves. */
const MINUTE_MS = 60_000;

/** A count of calls by key, in whole minutes, as the platform's. */
export class ManualCount implements RateLimit {
  readonly #parts: { readonly most: number; readonly now: () => number };
  #minute = 0;
  #counts = new Map<string, number>();

  /** `most` calls of a key in a minute of `now`, which gives Unix ms. */
  constructor(parts: { readonly most: number; readonly now: () => number }) {
    this.#parts = parts;
  }

  /** Counts a call; one too many is refused. */
  async limit({ key }: RateLimitOptions): Promise<RateLimitOutcome> {
    const { most, now } = this.#parts;
    const minute = Math.floor(now() / MINUTE_MS);
    if (minute !== this.#minute) this.#counts = new Map();
    this.#minute = minute;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return { success: count <= most };
  }
}
