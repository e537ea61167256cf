/** Keeps a lane following the node: a look at each announced block, and at least every second; backoff while the node is away. */
import { abortable } from "@svc/shared/base/abort.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { ClockPort } from "@svc/shared/wallet/state/ports.ts";
import { WALLETD_LIMITS } from "../walletdLimits.ts";
import type { ScanLane } from "./scanLane.ts";

/** A lane, and how it looks at the node. */
export type LoopedLane = {
  readonly lane: Pick<ScanLane, "settled" | "fault">;
  readonly follow: (signal: AbortSignal) => Promise<void>;
};

/** Runs one lane until its signal fires. */
export class LaneLoop {
  readonly #lane: LoopedLane["lane"];
  readonly #follow: LoopedLane["follow"];
  readonly #clock: ClockPort;
  #failures = 0;
  #problem: SvcError | null = null;
  #woken = false;
  #wake: () => void = () => undefined;

  constructor({ lane, follow }: LoopedLane, clock: ClockPort) {
    this.#lane = lane;
    this.#follow = follow;
    this.#clock = clock;
  }

  /** What the last look failed with; null after one that did not. */
  get problem(): SvcError | null {
    return this.#problem ?? this.#lane.fault;
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
      await abortable(this.#lane.settled(), signal);
      const { fault } = this.#lane;
      if (fault !== null) throw fault;
      this.#failures = 0;
      this.#problem = null;
      return WALLETD_LIMITS.lanePollMs;
    } catch (thrown) {
      if (signal.aborted) return 0;
      this.#failures += 1;
      this.#problem = SvcError.from(thrown);
      const doubled = WALLETD_LIMITS.laneRetryFirstMs * 2 ** Math.min(this.#failures - 1, 16);
      return Math.min(doubled, WALLETD_LIMITS.laneRetryLongestMs);
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
