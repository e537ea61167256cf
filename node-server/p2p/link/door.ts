/**
 * Connections of a listener, before anything is said on them: counted, turned away when they are too many, ended when they
 * carry no stream for long, and when all together hold too much of messages that have not come to their end.
 */
import type { Socket } from "node:net";
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { Clock } from "../../platform/clock.ts";
import { guarded } from "../../platform/guarded.ts";
import { hostOf, isOneHost } from "../addresses/netAddress.ts";
import { BegunMessages, type BegunLimits, type WatchedConnection } from "./begunMessages.ts";
import type { RemoteAddress } from "./wire.ts";

/** What connections may cost. */
export type DoorLimits = BegunLimits & {
  /** Milliseconds that a connection may be without a stream. */
  readonly noStreamMs: number;
};

/** The limits of a running node. */
export const DOOR_LIMITS: DoorLimits = {
  noStreamMs: LIMITS.p2pNoStreamMs,
  begunBytes: LIMITS.p2pBegunBytes,
  lookMs: LIMITS.p2pLookMs,
};

/** What a door works with. */
export type DoorParts = {
  /** Whether a host is turned away whatever it wants; nothing else changes by asking. */
  readonly refuses: (ip: string) => boolean;
  readonly limits: DoorLimits;
  /** Measures how long a connection is without a stream, and says when to look at what has begun. */
  readonly clock: Clock;
};

/** A stream on a connection, for whoever hears it. */
export type OpenStream = {
  /** A message has come whole. */
  readonly heard: () => void;
  /** The stream is over. */
  readonly over: () => void;
  /** Ends the connection at once. */
  readonly cut: () => void;
};

/** A connection that came in. */
type Entry = {
  readonly remote: RemoteAddress;
  readonly socket: Socket;
  readonly watched: WatchedConnection;
  /** Ends the wait for a stream; null while there is one. */
  idle: AbortController | null;
};

/** The connections that are open. */
export class Door {
  readonly #parts: DoorParts;
  /** By the text of the other end. */
  readonly #entries = new Map<string, Entry>();
  readonly #begun: BegunMessages;

  constructor(parts: DoorParts) {
    this.#parts = parts;
    this.#begun = new BegunMessages(parts.limits, parts.clock);
  }

  /** Connections that are open. */
  get size(): number {
    return this.#entries.size;
  }

  /** Lets a connection in; false, and it is cut, when there is no place for it. */
  enter(socket: Socket): boolean {
    const remote = remoteOf(socket);
    if (remote === null || this.#parts.refuses(remote.ip) || !this.#hasPlace(remote.ip)) {
      socket.destroy();
      return false;
    }
    const key = keyOf(remote);
    const entry: Entry = { remote, socket, idle: null, watched: this.#begun.watch(socket) };
    this.#entries.set(key, entry);
    this.#awaitStream(entry);
    // What goes wrong on a connection ends it; the streams on it hear of that.
    const cut = (): void => void socket.destroy();
    const gone = (): void => {
      entry.idle?.abort();
      // Another connection may have the same name by now.
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    socket.on("error", guarded(cut, cut));
    socket.once("close", guarded(gone, cut));
    return true;
  }

  /** Notes that a stream has been opened from this address. */
  opened(remote: RemoteAddress): OpenStream {
    const entry = this.#entries.get(keyOf(remote));
    const nothing = (): void => undefined;
    if (entry === undefined) return { heard: nothing, over: nothing, cut: nothing };
    entry.idle?.abort();
    entry.idle = null;
    return {
      heard: entry.watched.heard,
      over: () => this.#awaitStream(entry),
      cut: () => entry.socket.destroy(),
    };
  }

  /** Cuts all connections. */
  close(): void {
    this.#begun.stop();
    for (const { socket } of this.#entries.values()) socket.destroy();
  }

  #awaitStream(entry: Entry): void {
    const { socket } = entry;
    if (socket.destroyed || entry.idle !== null) return;
    const { clock, limits } = this.#parts;
    const idle = new AbortController();
    entry.idle = idle;
    const cut = (): void => void socket.destroy();
    // Its rejection says that a stream came, or that the connection is gone.
    void clock.sleep(limits.noStreamMs, idle.signal).then(cut, () => undefined);
  }

  /** When all places are taken the connection that has been silent for longest gives way: honest ones speak at once. */
  #hasPlace(ip: string): boolean {
    const halfOpen = [...this.#entries.values()].filter(
      ({ idle, socket }) => idle !== null && !socket.destroyed,
    );
    const host = hostOf(ip);
    const ofHost = halfOpen.filter(({ remote }) => hostOf(remote.ip) === host).length;
    if (isOneHost(ip) && ofHost >= LIMITS.p2pStreamlessPerHost) return false;
    if (halfOpen.length >= LIMITS.p2pStreamless) halfOpen[0]?.socket.destroy();
    return true;
  }
}

function keyOf({ ip, port }: RemoteAddress): string {
  return `${ip} ${port}`;
}

/** The other end of a connection; an IPv4 address in IPv6 form is the IPv4 address. null when it is gone already. */
function remoteOf({ remoteAddress, remotePort }: Socket): RemoteAddress | null {
  if (remoteAddress === undefined || remotePort === undefined) return null;
  return { ip: plainIp(remoteAddress), port: remotePort };
}

/** An IPv4 address in IPv6 form is the IPv4 address. */
export function plainIp(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, "");
}
