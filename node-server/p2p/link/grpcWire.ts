/** A gRPC stream as a wire, with backpressure: hands the library little at a time and counts the rest. */
import { Fifo } from "@svc/shared/base/fifo.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { ReadGate } from "./readGate.ts";
import type { RemoteAddress, Wire, WireListener } from "./wire.ts";

/** The write side of a gRPC stream, the same for client and server. */
export type MessageStream = {
  /** Hands a message to the library, which calls back when it has gone out or never will. */
  readonly write: (bytes: Uint8Array, onSent: () => void) => void;
  /** Says that nothing more will be written. */
  readonly end: () => void;
  /** Cuts the stream off. */
  readonly cut: () => void;
  readonly gate: ReadGate;
};

/** What a wire knows of its stream. */
export type StreamFacts = {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  /** Milliseconds for the last words; `P2P_LIMITS.p2pCloseMs` when left out. */
  readonly closeMs?: number | undefined;
};

/** A wire over a gRPC stream; whoever made the wire passes on the events of the stream. */
export class GrpcWire implements Wire {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  readonly #stream: MessageStream;
  readonly #closeMs: number;
  readonly #unsent = new Fifo<Uint8Array>();
  /** What came before somebody listened. */
  readonly #early: Uint8Array[] = [];
  #unsentBytes = 0;
  /** Of the unsent bytes, those that the library has. */
  #handedBytes = 0;
  #listener: WireListener | null = null;
  #closedWith: { readonly error: SvcError | null } | null = null;
  #closing: NodeJS.Timeout | null = null;

  constructor(facts: StreamFacts, stream: MessageStream) {
    const { remote, isOutbound, closeMs = P2P_LIMITS.p2pCloseMs } = facts;
    this.remote = remote;
    this.isOutbound = isOutbound;
    this.#stream = stream;
    this.#closeMs = closeMs;
  }

  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  listen(listener: WireListener): void {
    this.#listener = listener;
    for (const bytes of this.#early.splice(0)) listener.onMessage(bytes);
    if (this.#closedWith === null) this.#stream.gate.open();
    else listener.onClosed(this.#closedWith.error);
  }

  send(bytes: Uint8Array): void {
    if (this.#closedWith !== null || this.#closing !== null) return;
    this.#unsent.push(bytes);
    this.#unsentBytes += costOf(bytes);
    this.#flush();
  }

  pause(): void {
    this.#stream.gate.close();
  }

  resume(): void {
    this.#stream.gate.open();
  }

  close(): void {
    if (this.#closedWith !== null || this.#closing !== null) return;
    this.#closing = setTimeout(() => this.#cut(), this.#closeMs);
    // What still comes is passed over, and the end of the stream is heard.
    this.#stream.gate.open();
    this.#flush();
  }

  /** The stream has a message. */
  arrived(bytes: Uint8Array): void {
    if (this.#closedWith !== null || this.#closing !== null) return;
    if (this.#listener !== null) {
      this.#listener.onMessage(bytes);
      return;
    }
    // Before it is answered a peer has nothing to say but its version.
    this.#stream.gate.close();
    this.#early.push(bytes);
    if (bytes.length > P2P_LIMITS.p2pListBytes) this.#cut();
  }

  /** The stream is gone. */
  closed(error: SvcError | null): void {
    if (this.#closedWith !== null) return;
    this.#closedWith = { error };
    if (this.#closing !== null) clearTimeout(this.#closing);
    this.#unsent.clear();
    this.#unsentBytes = 0;
    this.#handedBytes = 0;
    this.#listener?.onClosed(error);
  }

  #flush(): void {
    for (let next = this.#unsent.peek(); next !== undefined; next = this.#unsent.peek()) {
      const cost = costOf(next);
      if (this.#handedBytes > 0 && this.#handedBytes + cost > P2P_LIMITS.p2pHandedBytes) return;
      this.#unsent.shift();
      this.#handedBytes += cost;
      this.#stream.write(next, () => this.#sent(cost));
    }
    if (this.#closing !== null) this.#stream.end();
  }

  #sent(cost: number): void {
    if (this.#closedWith !== null) return;
    this.#handedBytes -= cost;
    this.#unsentBytes -= cost;
    if (this.#unsent.size > 0) this.#flush();
    this.#listener?.onSent();
  }

  #cut(): void {
    this.#stream.cut();
    this.closed(null);
  }
}

function costOf(bytes: Uint8Array): number {
  return bytes.length + P2P_LIMITS.p2pMessageOverhead;
}
