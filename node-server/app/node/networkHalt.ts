/**
 * Detects a halted network: then a node may mine although its chain is old, or nobody ever would again (specification network
 * 4.4, the rule of the sync rate).
 */
import { APP_LIMITS } from "../appLimits.ts";
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import type { EngineHost } from "../../engine/host/engineHost.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of the detection. */
export type HaltParts = {
  readonly engine: Pick<EngineHost, "onEvent">;
  readonly reader: Pick<ReaderHost, "ask">;
  readonly profile: Pick<NetworkProfile, "finalityDepth" | "targetTimePerBlockMs">;
  readonly clock: Clock;
};

/** Fewer blocks than this part of those that a living network finds. */
const FEW = 0.5;
/** Finality durations for which a chain counts as the one that halted; an older one is a node that was away. */
const FINALITY_DURATIONS = 3;

/** Counts recent blocks. */
export class NetworkHalt {
  readonly #parts: HaltParts;
  readonly #stop = new AbortController();
  /** Blocks that came in each stretch of time, the oldest first. */
  readonly #samples: number[] = [];
  #count = 0;
  #finalityMs: bigint | null = null;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: HaltParts) {
    this.#parts = parts;
  }

  /** Begins to count. */
  start(): void {
    const { engine } = this.#parts;
    const unsubscribe = engine.onEvent(({ type }) => {
      if (type === "blockAdded") this.#count += 1;
    });
    this.#running = this.#run().finally(unsubscribe);
  }

  /** Ends counting. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Few blocks come, and the finality point is so young that the network went on not long ago. */
  get isHalted(): boolean {
    const { profile, clock } = this.#parts;
    const { targetTimePerBlockMs, finalityDepth } = profile;
    if (this.#samples.length < APP_LIMITS.haltSamplesMin || this.#finalityMs === null) return false;
    const expected = (this.#samples.length * APP_LIMITS.haltSampleMs) / targetTimePerBlockMs;
    const received = this.#samples.reduce((sum, count) => sum + count, 0);
    const ageMs = Number(clock.nowMs() - this.#finalityMs);
    const youngMs = FINALITY_DURATIONS * finalityDepth * targetTimePerBlockMs;
    return received < FEW * expected && ageMs < youngMs;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(APP_LIMITS.haltSampleMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      this.#samples.push(this.#count);
      this.#count = 0;
      if (this.#samples.length > APP_LIMITS.haltSamples) this.#samples.shift();
      // The engine restarts: the time of before will do.
      this.#finalityMs = await this.#askFinality(signal).catch(() => this.#finalityMs);
    }
  }

  async #askFinality(signal: AbortSignal): Promise<bigint | null> {
    const { reader } = this.#parts;
    const { finalIndex } = await askFacts(reader, "tip", [], signal);
    const hash = await askFacts(reader, "chainHashAt", [finalIndex], signal);
    const facts =
      hash === undefined ? undefined : await askFacts(reader, "blockFacts", [hash], signal);
    return facts?.timestamp ?? null;
  }
}
