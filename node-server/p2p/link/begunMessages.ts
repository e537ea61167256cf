/**
 * Messages of many connections that have begun and are not whole. The library keeps one until it is whole, however long that
 * takes, so all together are bounded: those with the most are cut.
 */
import type { Socket } from "node:net";
import type { Clock } from "../../platform/clock.ts";
import { guarded } from "../../platform/guarded.ts";

/** What they may cost. */
export type BegunLimits = {
  /** Bytes of all connections. */
  readonly begunBytes: number;
  /** Milliseconds between two looks. */
  readonly lookMs: number;
};

/** A connection whose messages are watched. */
export type WatchedConnection = {
  /** A message has come whole. */
  readonly heard: () => void;
};

type Entry = {
  readonly socket: Socket;
  /** Bytes that had been read when a message was whole last. */
  heardBytes: number;
};

/** The watch. */
export class BegunMessages {
  readonly #limits: BegunLimits;
  readonly #entries = new Set<Entry>();
  readonly #stop = new AbortController();

  /** `clock` says when to look. */
  constructor(limits: BegunLimits, clock: Pick<Clock, "sleep">) {
    this.#limits = limits;
    // Its rejection says that the watch was stopped.
    this.#look(clock).catch(() => undefined);
  }

  /** Watches a connection until it is closed. */
  watch(socket: Socket): WatchedConnection {
    const entry: Entry = { socket, heardBytes: 0 };
    this.#entries.add(entry);
    const forget = (): void => void this.#entries.delete(entry);
    socket.once("close", guarded(forget, forget));
    return { heard: () => (entry.heardBytes = socket.bytesRead) };
  }

  /** Watches no more. Calling it again does nothing. */
  stop(): void {
    this.#stop.abort();
  }

  async #look(clock: Pick<Clock, "sleep">): Promise<never> {
    for (;;) {
      await clock.sleep(this.#limits.lookMs, this.#stop.signal);
      this.#shed();
    }
  }

  #shed(): void {
    const entries = [...this.#entries].toSorted((a, b) => begunBytes(a) - begunBytes(b));
    let total = 0;
    for (const entry of entries) {
      total += begunBytes(entry);
      if (total > this.#limits.begunBytes) entry.socket.destroy();
    }
  }
}

function begunBytes({ socket, heardBytes }: Entry): number {
  return socket.bytesRead - heardBytes;
}
