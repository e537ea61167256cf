/**
 * Watches an invoice: a WebSocket of the gateway where it offers one, else its event stream, and questions where there is neither. Nothing is
 * asked while nobody looks at the page.
 */
import { PAGE_LIMITS } from "../pageLimits.ts";

/** Where an invoice is watched. */
export type WatchedPlace = {
  /** Path of the checkout's record. */
  readonly path: string;
  /** Whether the gateway offers a WebSocket. */
  readonly hasSocket: boolean;
};

/** Hears of an invoice until it is stopped. */
export class InvoiceWatch {
  readonly #path: string;
  readonly #onRecord: (json: string) => void;
  /** False from the first one that did not open: the stream takes its place. */
  #hasSocket: boolean;
  #source: EventSource | WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauseMs: number = PAGE_LIMITS.checkoutPollFirstMs;
  readonly #life = new AbortController();

  /** `onRecord` gets the JSON of a record. */
  constructor({ path, hasSocket }: WatchedPlace, onRecord: (json: string) => void) {
    this.#path = path;
    this.#hasSocket = hasSocket;
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
    const source = this.#source;
    this.#source = null;
    source?.close();
    clearTimeout(this.#timer);
  }

  #listen(): void {
    if (this.#hasSocket) this.#listenToSocket();
    else this.#listenToStream();
  }

  #listenToSocket(): void {
    const url = new URL(`${this.#path}/ws`, location.href);
    url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(url);
    this.#source = socket;
    let isOpen = false;
    socket.addEventListener("open", () => {
      isOpen = true;
    });
    socket.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (this.#source === socket && typeof data === "string") this.#heard(data);
    });
    socket.addEventListener("close", () => {
      if (this.#source !== socket) return;
      this.#rest();
      this.#hasSocket = isOpen;
      if (isOpen) this.#later();
      else this.#listen();
    });
  }

  #listenToStream(): void {
    const source = new EventSource(`${this.#path}/events`);
    this.#source = source;
    source.addEventListener("invoice", (event) => this.#heard(event.data));
    source.addEventListener("error", () => {
      if (this.#source !== source) return;
      this.#rest();
      this.#later();
    });
  }

  #heard(json: string): void {
    this.#pauseMs = PAGE_LIMITS.checkoutPollFirstMs;
    this.#onRecord(json);
  }

  #later(): void {
    if (this.#isStopped || document.hidden) return;
    this.#timer = setTimeout(() => void this.#ask(), this.#pauseMs);
    this.#pauseMs = Math.min(2 * this.#pauseMs, PAGE_LIMITS.checkoutPollLongestMs);
  }

  /** Once it has waited longest, each answer is followed by another try of what is pushed. */
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
