/** A pair of wires with latency, for tests in simulated time. */
import type { RemoteAddress, Wire, WireListener } from "../link/wire.ts";
import type { SimulatedClock } from "./simulatedClock.ts";

/** One end. */
class DelayedWire implements Wire {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  readonly unsentBytes = 0;
  readonly #clock: SimulatedClock;
  readonly #delayMs: number;
  #other: DelayedWire | null = null;
  #listener: WireListener | null = null;
  #isClosed = false;

  constructor(isOutbound: boolean, remote: RemoteAddress, line: Line) {
    this.isOutbound = isOutbound;
    this.remote = remote;
    this.#clock = line.clock;
    this.#delayMs = line.delayMs;
  }

  join(other: DelayedWire): void {
    this.#other = other;
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
  }

  send(bytes: Uint8Array): void {
    if (this.#isClosed) return;
    this.#clock.after(this.#delayMs, () => this.#other?.hear(bytes));
  }

  pause(): void {}

  resume(): void {}

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#clock.after(this.#delayMs, () => this.#other?.lose());
  }

  /** The other end has sent this, a while ago. */
  hear(bytes: Uint8Array): void {
    if (!this.#isClosed) this.#listener?.onMessage(bytes);
  }

  /** The other end is gone. */
  lose(): void {
    this.#isClosed = true;
    this.#listener?.onClosed(null);
  }
}

/** The line between both ends: its latency. */
export type Line = {
  readonly clock: SimulatedClock;
  /** Milliseconds that each message takes. */
  readonly delayMs: number;
};

/** Makes both ends: that of the side which dialled `to`, and that of the other, which sees `from`. */
export function delayedWires(line: Line, from: string, to: string): [dialer: Wire, listener: Wire] {
  const dialer = new DelayedWire(true, { ip: to, port: 1 }, line);
  const listener = new DelayedWire(false, { ip: from, port: 1 }, line);
  dialer.join(listener);
  listener.join(dialer);
  return [dialer, listener];
}
