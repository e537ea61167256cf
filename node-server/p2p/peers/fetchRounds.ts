/** Rounds of a download that runs beside the chain: one after the other while something comes, then after a pause or when a peer has come. */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Peer } from "./peer.ts";

/** What a download is made of. */
export type RoundParts = {
  readonly clock: Clock;
  /** Milliseconds between rounds when nobody wakes it. */
  readonly pauseMs: number;
  /** One round. Resolves with whether another one is due at once. */
  readonly round: () => Promise<boolean>;
  /** Told of a round that failed while nothing was stopped. */
  readonly failed: (error: unknown) => void;
};

/** Runs the rounds until it is stopped. */
export class FetchRounds {
  readonly #parts: RoundParts;
  readonly #stop = new AbortController();
  #pause = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: RoundParts) {
    this.#parts = parts;
  }

  /** Fires when the download is given up. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Begins. */
  start(): void {
    this.#running = this.#run();
  }

  /** Gives up what is under way, and resolves when it has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#pause.abort();
    await this.#running;
  }

  /** The next round comes soon. */
  wake(): void {
    this.#pause.abort();
  }

  /** Ends the link of a peer that sent something wrong, and gives the fault. Faults of our own cost nobody a link. */
  lose(peer: Peer, thrown: unknown): SvcError {
    const fault = SvcError.from(thrown);
    if (!this.signal.aborted && !isOfClass(fault, "own")) peer.link.end(fault);
    return fault;
  }

  async #run(): Promise<void> {
    const { clock, pauseMs, round, failed } = this.#parts;
    const { signal } = this;
    while (!signal.aborted) {
      try {
        if (await round()) continue;
      } catch (error) {
        if (!signal.aborted) failed(error);
      }
      this.#pause = new AbortController();
      if (signal.aborted) return;
      await clock.sleep(pauseMs, this.#pause.signal).catch(() => undefined);
    }
  }
}
