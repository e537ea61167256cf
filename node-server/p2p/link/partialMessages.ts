/**
 * Bounds the memory of partially received messages over all connections. The gRPC library keeps a message until it is whole,
 * however long that takes; so beyond the bound the connections with the most bytes are cut.
 */
import type { Socket } from "node:net";
import type { Clock } from "../../platform/time/clock.ts";
import { guarded } from "../../platform/net/guarded.ts";

/** Bounds of partially received messages. */
export type PartialMessageLimits = {
  /** Bytes of all connections. */
  readonly partialBytes: number;
  /** Milliseconds between two looks. */
  readonly lookMs: number;
};

/** A connection whose messages are watched. */
export type WatchedConnection = {
  /** A message has been received whole. */
  readonly heard: () => void;
};

type Entry = {
  readonly socket: Socket;
  /** Bytes that had been read when a message was whole last. */
  heardBytes: number;
};

/** Watches connections for partially received messages and cuts those with the most. */
export class PartialMessages {
  readonly #limits: PartialMessageLimits;
  readonly #entries = new Set<Entry>();
  readonly #stop = new AbortController();

  /** `clock` says when to look. */
  constructor(limits: PartialMessageLimits, clock: Pick<Clock, "sleep">) {
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
    const entries = [...this.#entries].toSorted((a, b) => partialBytes(a) - partialBytes(b));
    let total = 0;
    for (const entry of entries) {
      total += partialBytes(entry);
      if (total > this.#limits.partialBytes) entry.socket.destroy();
    }
  }
}

function partialBytes({ socket, heardBytes }: Entry): number {
  return socket.bytesRead - heardBytes;
}
