/** A queue of a peer's messages for one flow. */
import { BoundedQueue } from "@svc/shared/base/boundedQueue.ts";
import type { P2pEnvelope, P2pName, P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/clock.ts";
import { withinMs } from "../../platform/withinMs.ts";

/** A message with the route that wants its answer. */
export type Arrived<Name extends P2pName> = {
  readonly payload: Extract<P2pPayload, { $case: Name }>;
  /** For the answer; 0 for none. */
  readonly requestId: number;
};

/** Messages of some names, in the order of their arrival. */
export class Route<Name extends P2pName> {
  /** Messages that may wait. */
  readonly capacity: number;
  readonly #names: ReadonlySet<string>;
  readonly #queue: BoundedQueue<Arrived<Name>>;
  readonly #clock: Clock;
  readonly #ended: AbortSignal;

  /** `ended` aborts with the link's error as its reason. */
  constructor(
    names: readonly Name[],
    capacity: number,
    parts: { clock: Clock; ended: AbortSignal },
  ) {
    this.capacity = capacity;
    this.#names = new Set(names);
    this.#queue = new BoundedQueue(names.join(), capacity);
    this.#clock = parts.clock;
    this.#ended = parts.ended;
  }

  /** Takes a message in. False when there is no room. */
  offer(envelope: P2pEnvelope): boolean {
    const { payload, requestId } = envelope;
    if (!this.#takes(payload)) return false;
    return this.#queue.offer({ payload, requestId });
  }

  /** Whether messages of this name belong here. */
  has(name: P2pName): boolean {
    return this.#names.has(name);
  }

  /**
   * The next message. Rejects with `run/timeout` after a time in milliseconds (null waits on), `run/aborted`, or the
   * reason the link ended for; what arrived before that is not given out any more.
   */
  async next(waitMs: number | null, signal?: AbortSignal): Promise<Arrived<Name>> {
    const both = signal === undefined ? this.#ended : AbortSignal.any([signal, this.#ended]);
    try {
      if (waitMs === null) return await this.#queue.take(both);
      const what = [...this.#names].join();
      return await withinMs(this.#clock, { waitMs, what, signal: both }, (inner) =>
        this.#queue.take(inner),
      );
    } catch (error) {
      throw this.#ended.aborted ? SvcError.from(this.#ended.reason) : error;
    }
  }

  #takes(payload: P2pPayload | undefined): payload is Extract<P2pPayload, { $case: Name }> {
    return payload !== undefined && this.#names.has(payload.$case);
  }
}
