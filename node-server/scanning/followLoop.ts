/** Keeps a scan following the node: a look at each announced block, and at least every second; backoff while the node is away. */
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ClockPort } from "@svc/shared/wallet/state/ports.ts";
import { SCANNING_LIMITS } from "./scanningLimits.ts";

/** A scan of the chain, and how it looks at the node. */
export type FollowedScan = {
  readonly scan: {
    /** Resolves when everything that came is scanned and kept, or `fault` stands in the way. */
    settled(): Promise<void>;
    /** What stands between the pages that came and who takes them; null for nothing. */
    readonly fault: SvcError | null;
  };
  readonly follow: (signal: AbortSignal) => Promise<void>;
};

/** Follows for one scan until its signal fires. */
export class FollowLoop {
  readonly #scan: FollowedScan["scan"];
  readonly #follow: FollowedScan["follow"];
  readonly #clock: ClockPort;
  #failures = 0;
  #problem: SvcError | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor({ scan, follow }: FollowedScan, clock: ClockPort) {
    this.#scan = scan;
    this.#follow = follow;
    this.#clock = clock;
  }

  /** What the last look failed with; null after one that did not. */
  get problem(): SvcError | null {
    return this.#problem ?? this.#scan.fault;
  }

  /** There is news: look at the node now. */
  wake(): void {
    this.#woken = true;
    this.#wake();
  }

  /** Looks again and again until the signal fires. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pauseMs = await this.#look(signal);
      await this.#pause(pauseMs, signal);
    }
  }

  async #look(signal: AbortSignal): Promise<number> {
    try {
      await this.#follow(signal);
      await abortable(this.#scan.settled(), signal);
      const { fault } = this.#scan;
      if (fault !== null) throw fault;
      this.#failures = 0;
      this.#problem = null;
      return SCANNING_LIMITS.followMs;
    } catch (thrown) {
      if (signal.aborted) return 0;
      this.#failures += 1;
      this.#problem = SvcError.from(thrown);
      const doubled = SCANNING_LIMITS.followRetryFirstMs * 2 ** Math.min(this.#failures - 1, 16);
      return Math.min(doubled, SCANNING_LIMITS.followRetryLongestMs);
    }
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (!this.#woken) {
      const stop = new AbortController();
      const either = AbortSignal.any([signal, stop.signal]);
      this.#wake = () => stop.abort();
      await abortable(this.#clock.sleep(ms, either), either).catch((thrown: unknown) => {
        if (!either.aborted) throw thrown;
      });
      this.#wake = () => undefined;
    }
    this.#woken = false;
  }
}
