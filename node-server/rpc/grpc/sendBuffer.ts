/**
 * Backpressure of one gRPC client: counts what it has been sent and has not read, and decides whether more may be made for it.
 */
import { RPC_LIMITS } from "../rpcLimits.ts";
import type { Clock } from "../../platform/time/clock.ts";

/** Dependencies of an outlet: the stream below it. */
export type SendBufferParts = {
  /** The host of the client. */
  readonly source: string;
  /** Fires when nothing more is sent. */
  readonly signal: AbortSignal;
  /** Hands a message to the library, which calls back when it has gone out. */
  readonly write: (bytes: Uint8Array, onSent: () => void) => void;
  /** Ends the stream at once, with all that is unread: together the clients hold too much. */
  readonly cut: () => void;
  /** Hears that the client has taken nothing for long. */
  readonly onStuck: () => void;
};

/** Shared budgets and turns of all outlets, as one outlet uses them. */
export type SharedSendBudget = {
  readonly clock: Clock;
  /** Notes bytes that came, or went when the number is negative. */
  readonly changed: (bytes: number) => void;
  /** The same for bytes of requests that are not answered. */
  readonly askedChanged: (bytes: number) => void;
  /** Waits until one with so many unread bytes may be answered. Rejects with `run/aborted`. */
  readonly room: (unsent: () => number, signal: AbortSignal) => Promise<void>;
  /** Whether one with so many unread bytes may be answered now. */
  readonly hasRoom: (unsent: number) => boolean;
  /** Does work when the turn of a host comes. Rejects with `run/aborted`, and like the work. */
  readonly turn: <T>(source: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;
  readonly onClosed: (outlet: SendBuffer) => void;
};

const MS_PER_SECOND = 1_000;

/** The send side of one stream. */
export class SendBuffer {
  readonly #parts: SendBufferParts;
  readonly #shares: SharedSendBudget;
  #unsent = 0;
  #asked = 0;
  /** Messages that the client has taken. */
  #taken = 0;
  #isWatched = false;
  #isClosed = false;

  constructor(parts: SendBufferParts, shares: SharedSendBudget) {
    this.#parts = parts;
    this.#shares = shares;
  }

  /** The host of the client. */
  get source(): string {
    return this.#parts.source;
  }

  /** Bytes that the client has not taken. */
  get unsent(): number {
    return this.#unsent;
  }

  /** Bytes that are kept for the client: answers that it has not taken, and requests that are not answered. */
  get held(): number {
    return this.#unsent + this.#asked;
  }

  /** Notes bytes of a request that came, or of one that was answered when the number is negative. */
  ask(bytes: number): void {
    if (this.#isClosed) return;
    this.#asked += bytes;
    this.#shares.askedChanged(bytes);
  }

  /** Sends a message. */
  send(bytes: Uint8Array): void {
    const cost = bytes.length + RPC_LIMITS.grpcMessageOverhead;
    this.#unsent += cost;
    this.#parts.write(bytes, () => this.#sent(cost));
    if (!this.#isWatched) void this.#watch();
    this.#shares.changed(cost);
  }

  /** Waits until something may be made for this client. Rejects with `run/aborted`. */
  room(): Promise<void> {
    return this.#shares.room(() => this.#unsent, this.#parts.signal);
  }

  /** Makes an answer that may be large, when its turn comes and there is room. Rejects with `run/aborted`, and like `make`. */
  async large<T>(make: () => Promise<T>): Promise<T> {
    const { source, signal } = this.#parts;
    for (;;) {
      await this.room();
      // Others may have taken the room while the turn was waited for.
      const made = await this.#shares.turn(source, signal, async () =>
        this.#shares.hasRoom(this.#unsent) ? { answer: await make() } : null,
      );
      if (made !== null) return made.answer;
    }
  }

  /** Ends the stream at once, with all that is unread. */
  cut(): void {
    this.#parts.cut();
    this.close();
  }

  /** Nothing is kept for the client any more. Calling it again does nothing. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#shares.onClosed(this);
    this.#shares.changed(-this.#unsent);
    this.#shares.askedChanged(-this.#asked);
    this.#unsent = 0;
    this.#asked = 0;
  }

  #sent(cost: number): void {
    if (this.#isClosed) return;
    this.#unsent -= cost;
    this.#taken += 1;
    this.#shares.changed(-cost);
  }

  /** Runs while something is unread. */
  async #watch(): Promise<void> {
    const { signal, onStuck } = this.#parts;
    this.#isWatched = true;
    try {
      while (this.#unsent > 0) {
        const before = this.#taken;
        const seconds = this.#unsent / RPC_LIMITS.grpcSlowBytes;
        const patienceMs = RPC_LIMITS.grpcUnreadMs + Math.ceil(seconds * MS_PER_SECOND);
        await this.#shares.clock.sleep(patienceMs, signal);
        if (this.#taken === before && this.#unsent > 0) return onStuck();
      }
    } catch {
      // The stream is over.
    } finally {
      this.#isWatched = false;
    }
  }
}
