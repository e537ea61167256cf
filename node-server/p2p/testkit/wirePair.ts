/** Two wires that are joined, for tests: what one sends the other hears, in turns of the event loop. */
import type { RemoteAddress, Wire, WireListener } from "../link/wire.ts";

/** One end. What is in `sent` was handed in by this end, in order. */
export class TestWire implements Wire {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  readonly sent: Uint8Array[] = [];
  unsentBytes = 0;
  isClosed = false;
  #other: TestWire | null = null;
  readonly #listening = Promise.withResolvers<WireListener>();

  constructor(isOutbound: boolean, ip = "10.0.0.1") {
    this.isOutbound = isOutbound;
    this.remote = { ip, port: 4_000 };
  }

  /** Joins two ends. */
  join(other: TestWire): void {
    this.#other = other;
  }

  listen(listener: WireListener): void {
    this.#listening.resolve(listener);
  }

  send(bytes: Uint8Array): void {
    if (this.isClosed) return;
    this.sent.push(bytes);
    this.#other?.hear(bytes);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#other?.lose();
  }

  /** The other end is gone. */
  lose(): void {
    void this.#listening.promise.then(({ onClosed }) => onClosed(null));
  }

  /** The other end has sent this. */
  hear(bytes: Uint8Array): void {
    void this.#listening.promise.then(({ onMessage }) => onMessage(bytes));
  }
}

/** Both ends: the one that dialled, and the other, which sees the dialer at `ip`. */
export function wirePair(ip?: string): [dialer: TestWire, listener: TestWire] {
  const [dialer, listener] = [new TestWire(true), new TestWire(false, ip)];
  dialer.join(listener);
  listener.join(dialer);
  return [dialer, listener];
}
