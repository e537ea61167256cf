/** A discrete-event clock for tests: time moves to the next wake-up only when everybody waits for it. */
import { asTimestampMs } from "../../base/brand.ts";
import { SvcError } from "../../base/svcError.ts";
import type { ClockPort } from "../state/ports.ts";

/** Turns of the event loop in which everything that can go on has gone on. */
const TURNS = 12;

type Sleeper = { readonly at: bigint; readonly wake: () => void };

/** A clock that a test runs. */
export class SimClock implements ClockPort {
  #now: bigint;
  readonly #sleepers: Sleeper[] = [];

  constructor(now = 0n) {
    this.#now = now;
  }

  nowMs() {
    return asTimestampMs(this.#now);
  }

  sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => reject(new SvcError("run/aborted", {}));
      if (signal.aborted) return abort();
      signal.addEventListener("abort", abort, { once: true });
      this.#sleepers.push({ at: this.#now + BigInt(ms), wake: resolve });
    });
  }

  /** Lets so much time pass. */
  async run(ms: number): Promise<void> {
    const end = this.#now + BigInt(ms);
    for (;;) {
      await quiet();
      const next = this.#sleepers.toSorted((a, b) => (a.at < b.at ? -1 : 1))[0];
      if (next === undefined || next.at > end) break;
      this.#sleepers.splice(this.#sleepers.indexOf(next), 1);
      this.#now = next.at;
      next.wake();
    }
    this.#now = end;
  }
}

/** Messages to oneself arrive when everything that could go on at once has gone on. */
async function quiet(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  for (let turn = 0; turn < TURNS; turn += 1) {
    await new Promise<void>((resolve) => {
      port1.addEventListener("message", () => resolve(), { once: true });
      port1.start();
      port2.postMessage(turn);
    });
  }
  port1.close();
}
