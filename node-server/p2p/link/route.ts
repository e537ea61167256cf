/**
 * A route: the receive queue of one flow on a link. Messages wait in it as the bytes that came, so that the queue is no larger
 * than what was received.
 */
import { withAnySignal } from "@svc/shared/base/abort.ts";
import { BoundedQueue } from "@svc/shared/base/boundedQueue.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import {
  readEnvelope,
  type P2pName,
  type P2pPayload,
} from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { withinMs } from "../../platform/time/withinMs.ts";
import { isBulk } from "./messageBounds.ts";

/** A received message, with the route that wants its response. */
export type Arrived<Name extends P2pName> = {
  readonly payload: Extract<P2pPayload, { $case: Name }>;
  /** For the answer; 0 for none. */
  readonly requestId: number;
};

/** A received message that is not decoded yet. */
export type EncodedArrival<Name extends P2pName> = {
  readonly name: Name;
  /** For the answer; 0 for none. */
  readonly requestId: number;
  /** The whole envelope; its size and the number of its parts have been checked. */
  readonly envelope: Uint8Array;
};

/** Dependencies of a route. */
export type RouteParts = {
  readonly clock: Clock;
  /** Aborts with the link's error as its reason. */
  readonly ended: AbortSignal;
  /** Hears of bytes of large messages that have come to wait here, or wait no more. */
  readonly onQueued: (change: number) => void;
  /** A message could not be decoded. */
  readonly onFault: (error: SvcError) => void;
};

/** A queue of messages of some names, in the order of their arrival. */
export class Route<Name extends P2pName> {
  /** Messages that may wait. */
  readonly capacity: number;
  readonly #names: ReadonlySet<string>;
  readonly #queue: BoundedQueue<EncodedArrival<Name>>;
  readonly #parts: RouteParts;
  #smallBytes = 0;

  constructor(names: readonly Name[], capacity: number, parts: RouteParts) {
    this.capacity = capacity;
    this.#names = new Set(names);
    this.#queue = new BoundedQueue(names.join(), capacity);
    this.#parts = parts;
  }

  /** Takes a message in. False when there is no room for it, or it does not belong here. */
  offer(arrival: EncodedArrival<P2pName>): boolean {
    if (!this.#takes(arrival)) return false;
    const size = sizeOf(arrival);
    const isLarge = isBulk(arrival.name);
    if (!isLarge && this.#smallBytes + size > P2P_LIMITS.p2pRouteBytes && this.#queue.size > 0) {
      return false;
    }
    if (!this.#queue.offer(arrival)) return false;
    this.#count(arrival, size);
    return true;
  }

  /** Takes news in: what is newest leads to what came before it, so the oldest falls until there is room. */
  offerNews(arrival: EncodedArrival<P2pName>): void {
    while (!this.offer(arrival)) {
      const oldest = this.#queue.poll();
      if (oldest === undefined) return;
      this.#count(oldest, -sizeOf(oldest));
    }
  }

  /** Whether messages of this name belong here. */
  has(name: P2pName): boolean {
    return this.#names.has(name);
  }

  /**
   * The next message. Rejects with `p2p/stalled` after a time in milliseconds (null waits on), `run/aborted`,
   * `p2p/bad-message` for what does not decode, which ends the link, or the reason the link ended for; what arrived before
   * that is not given out any more.
   */
  async next(waitMs: number | null, signal?: AbortSignal): Promise<Arrived<Name>> {
    const { requestId, envelope } = await this.nextEncoded(waitMs, signal);
    try {
      const { payload } = readEnvelope(envelope);
      if (!this.#decodes(payload)) throw badField("message", "it is another one");
      return { payload, requestId };
    } catch (error) {
      const fault = SvcError.from(error);
      this.#parts.onFault(fault);
      throw fault;
    }
  }

  /** Like `next`, for who reads a large message part by part: what comes of it when it is decoded is many times its bytes. */
  async nextEncoded(waitMs: number | null, signal?: AbortSignal): Promise<EncodedArrival<Name>> {
    const { clock, ended } = this.#parts;
    const waiting = ended.aborted || signal?.aborted === true ? undefined : this.#queue.poll();
    if (waiting !== undefined) {
      this.#count(waiting, -sizeOf(waiting));
      return waiting;
    }
    const what = [...this.#names].join();
    const take = async (within: AbortSignal): Promise<EncodedArrival<Name>> =>
      waitMs === null
        ? await this.#queue.take(within)
        : await withinMs(clock, { waitMs, what, signal: within }, (inner) =>
            this.#queue.take(inner),
          );
    try {
      const arrival = await withAnySignal(signal === undefined ? [ended] : [ended, signal], take);
      this.#count(arrival, -sizeOf(arrival));
      return arrival;
    } catch (error) {
      if (ended.aborted) throw SvcError.from(ended.reason);
      if (waitMs === null || !SvcError.is(error, "run/timeout")) throw error;
      throw new SvcError("p2p/stalled", { awaited: what, limitMs: waitMs });
    }
  }

  /** Forgets what waits. */
  clear(): void {
    for (let next = this.#queue.poll(); next !== undefined; next = this.#queue.poll()) {
      this.#count(next, -sizeOf(next));
    }
  }

  #count({ name }: EncodedArrival<Name>, change: number): void {
    if (isBulk(name)) this.#parts.onQueued(change);
    else this.#smallBytes += change;
  }

  #takes(arrival: EncodedArrival<P2pName>): arrival is EncodedArrival<Name> {
    return this.#names.has(arrival.name);
  }

  #decodes(payload: P2pPayload | undefined): payload is Extract<P2pPayload, { $case: Name }> {
    return payload !== undefined && this.#names.has(payload.$case);
  }
}

function sizeOf({ envelope }: EncodedArrival<P2pName>): number {
  return envelope.length + P2P_LIMITS.p2pMessageOverhead;
}
