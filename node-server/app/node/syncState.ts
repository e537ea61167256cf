/** Sync status: whether the chain is recent enough to serve and to mine on (specification network 4.4). */
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of the sync status. */
export type SyncParts = {
  readonly engine: Pick<EngineHost, "ask" | "onEvent">;
  readonly profile: Pick<
    NetworkProfile,
    | "skipProofOfWork"
    | "difficultyWindowSize"
    | "difficultySampleRate"
    | "targetTimePerBlockMs"
    | "minimumWork"
  >;
  readonly clock: Clock;
};

/** Follows the sink's timestamp and work. */
export class SyncState {
  readonly #parts: SyncParts;
  readonly #maxAgeMs: bigint;
  #sinkMs = 0n;
  #work = 0n;
  #asking = false;
  #again = false;
  #unsubscribe: () => void = () => {};

  constructor(parts: SyncParts) {
    this.#parts = parts;
    const { difficultyWindowSize, difficultySampleRate, targetTimePerBlockMs } = parts.profile;
    const windowMs = difficultyWindowSize * difficultySampleRate * targetTimePerBlockMs;
    this.#maxAgeMs = BigInt(Math.floor(windowMs / 4));
  }

  /** Looks at the tip and follows it. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#parts.engine.onEvent((event) => {
      if (event.type !== "blockAdded") void this.#refresh();
    });
    await this.#refresh();
  }

  /** Ends following. */
  stop(): void {
    this.#unsubscribe();
  }

  /**
   * The network has no proof of work, or the sink is younger than a quarter of the difficulty window and its chain has
   * the work that the profile asks of this network's chain: with less it is a cheap chain, however new (ADR 28).
   */
  get isSynced(): boolean {
    const { profile, clock } = this.#parts;
    if (profile.skipProofOfWork) return true;
    return this.#work >= profile.minimumWork && clock.nowMs() < this.#sinkMs + this.#maxAgeMs;
  }

  /** One question at a time; events that come meanwhile make it ask once more, since its answer may be from before. */
  async #refresh(): Promise<void> {
    this.#again = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#again) {
      this.#again = false;
      try {
        const { sinkTimestamp, sinkBlueWork } = await askFacts(this.#parts.engine, "tip", []);
        this.#sinkMs = sinkTimestamp;
        this.#work = BigInt(`0x${sinkBlueWork}`);
      } catch {
        // The engine restarts or stops; the next event asks again.
      }
    }
    this.#asking = false;
  }
}
