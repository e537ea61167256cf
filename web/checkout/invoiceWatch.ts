/**
 * Watches an invoice: an event stream of the gateway, and questions where there is none. Nothing is asked while nobody looks at the
 * page.
 */
import { PAGE_LIMITS } from "../pageLimits.ts";

/** Hears of an invoice until it is stopped. */
export class InvoiceWatch {
  readonly #path: string;
  readonly #onRecord: (json: string) => void;
  #source: EventSource | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs: number = PAGE_LIMITS.checkoutPollFirstMs;
  readonly #life = new AbortController();

  /** `path` is that of the checkout's record; `onRecord` gets its JSON. */
  constructor(path: string, onRecord: (json: string) => void) {
    this.#path = path;
    this.#onRecord = onRecord;
  }

  /** Begins. */
  start(): void {
    const { signal } = this.#life;
    document.addEventListener("visibilitychange", () => this.#look(), { signal });
    addEventListener("pagehide", () => this.#rest(), { signal });
    addEventListener("pageshow", () => this.#look(), { signal });
    this.#look();
  }

  /** Ends for good. */
  stop(): void {
    this.#life.abort();
    this.#rest();
  }

  get #isStopped(): boolean {
    return this.#life.signal.aborted;
  }

  #look(): void {
    if (this.#isStopped || document.hidden) return this.#rest();
    if (this.#source !== null) return;
    this.#rest();
    this.#pauseMs = PAGE_LIMITS.checkoutPollFirstMs;
    this.#listen();
  }

  #rest(): void {
    this.#source?.close();
    this.#source = null;
    clearTimeout(this.#timer);
  }

  #listen(): void {
    const source = new EventSource(`${this.#path}/events`);
    this.#source = source;
    source.addEventListener("invoice", (event) => {
      this.#pauseMs = PAGE_LIMITS.checkoutPollFirstMs;
      this.#onRecord(event.data);
    });
    source.addEventListener("error", () => {
      if (this.#source !== source) return;
      this.#rest();
      this.#later();
    });
  }

  #later(): void {
    if (this.#isStopped || document.hidden) return;
    this.#timer = setTimeout(() => void this.#ask(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, PAGE_LIMITS.checkoutPollLongestMs);
  }

  /** Once it has waited longest, each answer is followed by another try of the stream. */
  async #ask(): Promise<void> {
    const json = await answered(this.#path);
    if (this.#isStopped || document.hidden || this.#source !== null) return;
    if (json !== null) this.#onRecord(json);
    const isSlow = this.#pauseMs >= PAGE_LIMITS.checkoutPollLongestMs;
    if (json !== null && isSlow) this.#listen();
    else this.#later();
  }
}

async function answered(path: string): Promise<string | null> {
  try {
    const answer = await fetch(path);
    return answer.ok ? await answer.text() : null;
  } catch {
    return null;
  }
}
