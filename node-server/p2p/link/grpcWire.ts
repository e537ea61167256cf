/** A gRPC stream as a wire: hands one message at a time to the library and keeps count of the rest. */
import { LIMITS } from "@svc/shared/base/limits.ts";
import type { SvcError } from "@svc/shared/base/svcError.ts";
import type { RemoteAddress, Wire, WireListener } from "./wire.ts";

/** What both ends of a gRPC stream have in common. */
export type MessageStream = {
  /** Hands a message to the library; false when it wants no more until it has drained. */
  readonly write: (bytes: Uint8Array) => boolean;
  /** Says that nothing more will be written. */
  readonly end: () => void;
  /** Cuts the stream off. */
  readonly cut: () => void;
};

/** The facts of a stream. */
export type StreamFacts = {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  /** Milliseconds for the last words; `LIMITS.p2pCloseMs` when left out. */
  readonly closeMs?: number | undefined;
};

/** A wire over a stream; whoever made it passes on what the stream tells. */
export class GrpcWire implements Wire {
  readonly remote: RemoteAddress;
  readonly isOutbound: boolean;
  readonly #stream: MessageStream;
  readonly #closeMs: number;
  readonly #unsent: Uint8Array[] = [];
  /** What came before somebody listened. */
  readonly #early: Uint8Array[] = [];
  #earlyBytes = 0;
  #unsentBytes = 0;
  #drained = true;
  #listener: WireListener | null = null;
  #closedWith: { readonly error: SvcError | null } | null = null;
  #closing: NodeJS.Timeout | null = null;

  constructor(facts: StreamFacts, stream: MessageStream) {
    const { remote, isOutbound, closeMs = LIMITS.p2pCloseMs } = facts;
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
    if (this.#closedWith !== null) listener.onClosed(this.#closedWith.error);
  }

  send(bytes: Uint8Array): void {
    if (this.#closedWith !== null || this.#closing !== null) return;
    this.#unsent.push(bytes);
    this.#unsentBytes += bytes.length + LIMITS.p2pMessageOverhead;
    this.#flush();
  }

  close(): void {
    if (this.#closedWith !== null || this.#closing !== null) return;
    this.#closing = setTimeout(() => this.#cut(), this.#closeMs);
    this.#flush();
  }

  /** The stream has a message. */
  arrived(bytes: Uint8Array): void {
    if (this.#closedWith !== null || this.#closing !== null) return;
    if (this.#listener !== null) {
      this.#listener.onMessage(bytes);
      return;
    }
    this.#early.push(bytes);
    this.#earlyBytes += bytes.length;
    // Before it is answered a peer has nothing to say but its version.
    if (this.#earlyBytes > LIMITS.p2pListBytes) this.#cut();
  }

  /** The stream takes messages again. */
  drained(): void {
    this.#drained = true;
    this.#flush();
  }

  /** The stream is gone. */
  closed(error: SvcError | null): void {
    if (this.#closedWith !== null) return;
    this.#closedWith = { error };
    if (this.#closing !== null) clearTimeout(this.#closing);
    this.#unsent.length = 0;
    this.#unsentBytes = 0;
    this.#listener?.onClosed(error);
  }

  #flush(): void {
    let sent = 0;
    while (this.#drained) {
      const bytes = this.#unsent.shift();
      if (bytes === undefined) break;
      sent += bytes.length + LIMITS.p2pMessageOverhead;
      this.#drained = this.#stream.write(bytes);
    }
    this.#unsentBytes -= sent;
    if (sent > 0) this.#listener?.onSent();
    if (this.#closing !== null && this.#unsent.length === 0) this.#stream.end();
  }

  #cut(): void {
    this.#stream.cut();
    this.closed(null);
  }
}
