/** Whether the chain is recent enough to serve and to mine on (specification network 4.4). */
import * as v from "valibot";
import { fields } from "@svc/shared/base/fields.ts";
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import type { EngineHost } from "../consensus/engineHost.ts";
import type { Clock } from "../platform/clock.ts";

const sinkTime = v.object({ sinkTimestamp: fields.timestampMs });

/** What decides. */
export type SyncParts = {
  readonly engine: Pick<EngineHost, "ask" | "onEvent">;
  readonly profile: Pick<
    NetworkProfile,
    "skipProofOfWork" | "difficultyWindowSize" | "difficultySampleRate" | "targetTimePerBlockMs"
  >;
  readonly clock: Clock;
};

/** Follows the sink's timestamp. */
export class SyncState {
  readonly #parts: SyncParts;
  readonly #maxAgeMs: bigint;
  #sinkMs = 0n;
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

  /** The sink is younger than a quarter of the difficulty window, or the network has no proof of work. */
  get isSynced(): boolean {
    const { profile, clock } = this.#parts;
    return profile.skipProofOfWork || clock.nowMs() < this.#sinkMs + this.#maxAgeMs;
  }

  /** One question at a time; events that come meanwhile make it ask once more, since its answer may be from before. */
  async #refresh(): Promise<void> {
    this.#again = true;
    if (this.#asking) return;
    this.#asking = true;
    while (this.#again) {
      this.#again = false;
      try {
        const tip = await this.#parts.engine.ask("tip", []);
        this.#sinkMs = v.parse(sinkTime, JSON.parse(tip)).sinkTimestamp;
      } catch {
        // The engine restarts or stops; the next event asks again.
      }
    }
    this.#asking = false;
  }
}
