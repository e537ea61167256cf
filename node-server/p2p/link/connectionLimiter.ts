/**
 * Connection limits of the peer listener, applied before a handshake. A connection is turned away when there are too many, and
 * ended when it carries no stream for long (half-open) or when all together hold too many bytes of partially received messages.
 */
import type { Socket } from "node:net";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { guarded } from "../../platform/net/guarded.ts";
import { hostOf, isOneHost } from "../../platform/net/netAddress.ts";
import {
  PartialMessages,
  type PartialMessageLimits,
  type WatchedConnection,
} from "./partialMessages.ts";
import type { RemoteAddress } from "./wire.ts";

/** Limits of inbound connections. */
export type ConnectionLimits = PartialMessageLimits & {
  /** Milliseconds that a connection may be without a stream. */
  readonly noStreamMs: number;
};

/** The limits of a running node. */
export const CONNECTION_LIMITS: ConnectionLimits = {
  noStreamMs: P2P_LIMITS.p2pNoStreamMs,
  partialBytes: P2P_LIMITS.p2pBegunBytes,
  lookMs: P2P_LIMITS.p2pLookMs,
};

/** Dependencies of the connection limits. */
export type ConnectionLimiterParts = {
  /** Whether a host is turned away whatever it wants; nothing else changes by asking. */
  readonly refuses: (ip: string) => boolean;
  readonly limits: ConnectionLimits;
  /** Measures how long a connection is without a stream, and says when to look at what has begun. */
  readonly clock: Clock;
};

/** A stream on an admitted connection. */
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

/** The open inbound connections, within their limits. */
export class ConnectionLimiter {
  readonly #parts: ConnectionLimiterParts;
  /** By the text of the other end. */
  readonly #entries = new Map<string, Entry>();
  readonly #begun: PartialMessages;

  constructor(parts: ConnectionLimiterParts) {
    this.#parts = parts;
    this.#begun = new PartialMessages(parts.limits, parts.clock);
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
    if (isOneHost(ip) && ofHost >= P2P_LIMITS.p2pStreamlessPerHost) return false;
    if (halfOpen.length >= P2P_LIMITS.p2pStreamless) halfOpen[0]?.socket.destroy();
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

/** Converts an IPv4-mapped IPv6 address to IPv4; others stay as they are. */
export function plainIp(ip: string): string {
  return ip.replace(/^::ffff:(?=\d+\.)/i, "");
}
