/**
 * Quotas and rate limits of the HTTP server by host: connections, requests and unread bytes. A host beyond its
 * quota slows itself down; other hosts are served as before.
 */
import type { Socket } from "node:net";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../time/clock.ts";
import { FairConnectionLimit, type PlaceBounds } from "../net/fairConnectionLimit.ts";
import { guarded } from "../net/guarded.ts";
import { HostRateLimiter, type SourceRateBounds } from "../time/hostRateLimiter.ts";

/** The quotas of an HTTP server. */
export type HttpShareBounds = {
  readonly connections: PlaceBounds;
  readonly requests: SourceRateBounds;
  /** Bytes of answers that have not been taken, of one host and of all. */
  readonly unsentPerHost: number;
  readonly unsentBytes: number;
};

/** An answer as far as its bytes are counted. */
type Answer = {
  readonly writableLength: number;
  destroy(): unknown;
  once(event: "close", listener: () => void): unknown;
};

const MS_PER_SECOND = 1_000;

/** Counts what each host uses, and enforces the quotas. */
export class HttpQuotas {
  readonly #bounds: HttpShareBounds;
  readonly #places: FairConnectionLimit<Socket>;
  readonly #rates: HostRateLimiter;
  /** Answers that are not over, by host. */
  readonly #answers = new Map<string, Set<Answer>>();

  constructor(clock: Pick<Clock, "steadyMs">, bounds: HttpShareBounds) {
    this.#bounds = bounds;
    this.#places = new FairConnectionLimit(bounds.connections);
    this.#rates = new HostRateLimiter(clock, bounds.requests);
  }

  /** Takes a connection in, or closes it. */
  connected(host: string, socket: Socket): void {
    const place = this.#places.enter(host, socket);
    if (!place.entered) {
      socket.destroy();
      return;
    }
    place.evicted?.destroy();
    const gone = (): void => this.#places.leave(host, socket);
    socket.once("close", guarded(gone, gone));
  }

  /** Counts a request and, until it is over, the bytes of its answer. Throws `http/too-many-requests`. */
  asked(host: string, answer: Answer): void {
    if (!this.#rates.takes(host)) throw tooMany(this.#rates.waitMs(host));
    this.requireRoom(host);
    this.counts(host, answer);
  }

  /** Counts the bytes of an answer or a live connection until it is over. */
  counts(host: string, answer: Answer): void {
    const answers = this.#answers.get(host) ?? new Set();
    this.#answers.set(host, answers.add(answer));
    const over = (): void => {
      answers.delete(answer);
      if (answers.size === 0 && this.#answers.get(host) === answers) this.#answers.delete(host);
    };
    answer.once("close", guarded(over, over));
  }

  /** Whether a host has taken so much of what it was sent that it may be sent more. */
  hasRoom(host: string): boolean {
    return unsentOf(this.#answers.get(host)) <= this.#bounds.unsentPerHost;
  }

  /** When all answers together are too many bytes, the host with the most loses its connections. */
  shed(): void {
    let [total, most] = [0, 0];
    let largest: ReadonlySet<Answer> = new Set();
    for (const answers of this.#answers.values()) {
      const unsent = unsentOf(answers);
      total += unsent;
      if (unsent > most) [most, largest] = [unsent, answers];
    }
    if (total > this.#bounds.unsentBytes) for (const answer of [...largest]) answer.destroy();
  }

  /** Throws `http/too-many-requests` while a host has left too much unread. */
  requireRoom(host: string): void {
    this.shed();
    if (!this.hasRoom(host)) throw tooMany();
  }
}

function unsentOf(answers: ReadonlySet<Answer> | undefined): number {
  let sum = 0;
  for (const { writableLength } of answers ?? []) sum += writableLength;
  return sum;
}

/** The refusal of a host beyond its quota. At least a second: a client that asks again at once gains nothing. */
export function tooMany(waitMs = MS_PER_SECOND): SvcError {
  const retryAfter = Math.max(1, Math.ceil(waitMs / MS_PER_SECOND));
  return new SvcError("http/too-many-requests", { retryAfter });
}
