/** Serves peers within limits: round-robin turns at the serving thread, rate limits per peer, and backpressure of its link. */
import { abortable, throwIfAborted } from "@svc/shared/base/abort.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { TokenBucket, type Rate } from "../../platform/time/tokenBucket.ts";
import { hostOf, isOneHost } from "../../platform/net/netAddress.ts";
import type { Peer } from "../peers/peer.ts";
import { RoundRobin } from "../../platform/net/roundRobin.ts";
import { PendingResponses, type PendingBytes } from "./pendingResponses.ts";
import type { ServeHost } from "./serveHost.ts";
import { isPointQuestion, type ServedPage, type ServeQuestion } from "./serveMessages.ts";

/** Dependencies of serving. */
export type PeerServingParts = {
  readonly host: Pick<ServeHost, "ask">;
  readonly clock: Clock;
  /** What each peer may have; left out, `SERVED_RATES`. */
  readonly rates?: ServedRates;
};

/** Rate limits of one peer: bytes, and exports of the pruning point. */
export type ServedRates = { readonly bytes: Rate; readonly exports: Rate };

/** Options of an answer: the route that asked, and what is awaited between messages. */
export type Giving = {
  /** The route that asked; 0 for none. */
  readonly responseId?: number;
  /** Called after each message but the last of the last page; where the peer has to ask for more, it waits. */
  readonly afterEach?: () => Promise<void>;
};

/** The rate limits that a node gives each peer. */
export const SERVED_RATES: ServedRates = {
  bytes: { perSecond: P2P_LIMITS.p2pServedBytesPerSecond, burst: P2P_LIMITS.p2pServedBytesBurst },
  exports: { perSecond: 1_000 / P2P_LIMITS.p2pServedExportMs, burst: P2P_LIMITS.p2pServedExports },
};

type HeldPage = { readonly page: ServedPage; readonly held: PendingBytes };

function bytesOf({ messages }: ServedPage): number {
  return messages.reduce((sum, { length }) => sum + length, 0);
}

type Allowance = { readonly bytes: TokenBucket; readonly exports: TokenBucket };

/** Serves all peers. */
export class PeerServing {
  readonly #parts: PeerServingParts;
  readonly #chainTurns = new RoundRobin(P2P_LIMITS.p2pServeTurns);
  readonly #pointTurns = new RoundRobin(P2P_LIMITS.p2pServePointTurns);
  readonly #held = new PendingResponses();
  readonly #allowances = new LruMap<string, Allowance>(P2P_LIMITS.p2pServedPeers);

  constructor(parts: PeerServingParts) {
    this.#parts = parts;
  }

  /** Waits until a peer may have another export. Rejects with `run/aborted` when the link ends. */
  async payExport(peer: Peer): Promise<void> {
    await this.#wait(this.#allowanceOf(peer).exports, peer.link.signal);
    this.#allowanceOf(peer).exports.pay(1);
  }

  /**
   * Asks, and sends the messages of the answer as the peer takes them. Returns where the next page begins, null behind the
   * last. Rejects like the question, or with the reason the link ended for.
   */
  async give(peer: Peer, question: ServeQuestion, giving: Giving = {}): Promise<string | null> {
    const { link } = peer;
    const { responseId = 0, afterEach } = giving;
    const { bytes } = this.#allowanceOf(peer);
    await this.#wait(bytes, link.signal);
    const { page, held } = await this.#ask(peer, question);
    const { messages, next } = page;
    try {
      for (const [at, message] of messages.entries()) {
        await link.room();
        link.sendEncoded(message, responseId);
        held.give(message.length);
        bytes.pay(message.length);
        const isEnd = next === null && at + 1 === messages.length;
        if (!isEnd) await afterEach?.();
      }
    } finally {
      held.giveAll();
    }
    return next;
  }

  /**
   * A turn lasts until the thread has answered, whatever becomes of the link: coming back gives nobody another one. What is
   * held is looked at and counted within the turn: all questions of a host may have waited for it.
   */
  async #ask(peer: Peer, question: ServeQuestion): Promise<HeldPage> {
    const turns = isPointQuestion(question) ? this.#pointTurns : this.#chainTurns;
    const { signal } = peer.link;
    const who = whoOf(peer);
    for (;;) {
      throwIfAborted(signal);
      await this.#held.room(who, signal);
      const answered = turns.run(who, signal, async () => {
        if (!this.#held.hasRoom(who)) return null;
        const page = await this.#askTwice(question);
        return { page, held: this.#held.take(who, bytesOf(page)) };
      });
      try {
        const answer = await abortable(answered, signal);
        if (answer !== null) return answer;
      } catch (error) {
        // Nobody is there any more for an answer that is still to come.
        answered.then((late) => late?.held.giveAll()).catch(() => undefined);
        throw error;
      }
    }
  }

  /** A store that was opened anew under the question is no reason to part from whoever asked it. */
  async #askTwice(question: ServeQuestion): Promise<ServedPage> {
    const { host } = this.#parts;
    try {
      return await host.ask(question, NEVER_ABORTED);
    } catch (error) {
      if (!SvcError.is(error, "engine/restarted")) throw error;
      return host.ask(question, NEVER_ABORTED);
    }
  }

  async #wait(bucket: TokenBucket, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      const waitMs = bucket.waitMs(1, clock.steadyMs());
      if (waitMs === 0) return;
      await clock.sleep(waitMs, signal);
    }
  }

  #allowanceOf(peer: Peer): Allowance {
    const who = whoOf(peer);
    const known = this.#allowances.get(who);
    if (known !== undefined) return known;
    const { clock, rates = SERVED_RATES } = this.#parts;
    const now = clock.steadyMs();
    const fresh = {
      bytes: new TokenBucket(rates.bytes, now),
      exports: new TokenBucket(rates.exports, now),
    };
    this.#allowances.set(who, fresh);
    return fresh;
  }
}

const NEVER_ABORTED = new AbortController().signal;

/** A host has one allowance however often it connects; programs on this machine share an address. */
function whoOf({ key, link }: Peer): string {
  const { ip } = link.remote;
  return isOneHost(ip) ? hostOf(ip) : key;
}
