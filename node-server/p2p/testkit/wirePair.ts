/** A pair of connected wires, for tests: what one sends the other receives, in turns of the event loop. */
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { RemoteAddress, Wire, WireListener } from "../link/wire.ts";

/** One end of the pair. What is in `sent` was handed in by this end, in order. */
export class TestWire implements Wire {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  readonly sent: Uint8Array[] = [];
  unsentBytes = 0;
  /** Whether what is sent goes out at once; otherwise it is counted until `drain`. */
  isRead = true;
  isClosed = false;
  #other: TestWire | null = null;
  /** What came while this end did not read. */
  readonly unread: Uint8Array[] = [];
  #isReading = true;
  readonly #listening = Promise.withResolvers<WireListener>();

  constructor(isOutbound: boolean, remote: RemoteAddress) {
    this.isOutbound = isOutbound;
    this.remote = remote;
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
    if (!this.isRead) this.unsentBytes += bytes.length + P2P_LIMITS.p2pMessageOverhead;
    this.#other?.hear(bytes);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.unsentBytes = 0;
    this.#other?.lose();
  }

  /** What was counted has gone out. */
  drain(): void {
    this.unsentBytes = 0;
    void this.#listening.promise.then(({ onSent }) => onSent());
  }

  /** The other end is gone. */
  lose(): void {
    void this.#listening.promise.then(({ onClosed }) => onClosed(null));
  }

  /** The other end has sent this. */
  hear(bytes: Uint8Array): void {
    this.unread.push(bytes);
    this.#read();
  }

  pause(): void {
    this.#isReading = false;
  }

  resume(): void {
    this.#isReading = true;
    for (const _ of this.unread) this.#read();
  }

  /** One message, in its turn. */
  #read(): void {
    void this.#listening.promise.then(({ onMessage }) => {
      const bytes = this.#isReading ? this.unread.shift() : undefined;
      if (bytes !== undefined) onMessage(bytes);
    });
  }
}

/** The addresses that each side sees. */
export type Ends = { readonly dialled?: RemoteAddress; readonly from?: string };

/** Makes both ends: that of the side which dialled, and that of the other. */
export function wirePair(ends: Ends = {}): [dialer: TestWire, listener: TestWire] {
  const { dialled = { ip: "10.0.0.2", port: 5_000 }, from = "10.0.0.1" } = ends;
  const dialer = new TestWire(true, dialled);
  const listener = new TestWire(false, { ip: from, port: 4_000 });
  dialer.join(listener);
  listener.join(dialer);
  return [dialer, listener];
}
