/**
 * Transaction relay: a new transaction of this node goes on a stem from peer to peer, then it is announced to peers at random
 * times, and peers fetch it (specification network 1.7, ADR 22).
 */
import { equalBytes } from "@svc/shared/base/bytes.ts";
import { asNullifier, asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pTransaction } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import {
  badField,
  boundedList,
  hashBytes,
  packedHashes,
  type BytesMessage,
} from "@svc/shared/protocol/p2p/p2pFields.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import { rawTransactionOf, transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import type { Mempool } from "../../mempool/mempool.ts";
import type { PoolChange } from "../../mempool/poolChange.ts";
import type { PoolEntry } from "../../mempool/poolEntry.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { TokenBucket, type Rate } from "../../platform/time/tokenBucket.ts";
import { hostOf } from "../../platform/net/netAddress.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { Peer } from "../peers/peer.ts";
import type { Arrived, Route } from "../link/route.ts";
import { InFlightRequests, type Claim } from "./inFlightRequests.ts";
import { Spreading } from "./spreading.ts";
import { Stem } from "./stem.ts";

/** Dependencies of transaction relay. */
export type TransactionRelayParts = {
  readonly pool: Pick<Mempool, "get" | "submit" | "onChange" | "entries" | "restored">;
  readonly peers: () => readonly Peer[];
  /** A node that is behind cannot judge transactions. */
  readonly isSynced: () => boolean;
  /** Whether peers may come that this node dials. */
  readonly isLooking: () => boolean;
  /** Id of a RawTransaction. Errors: the codec's. */
  readonly identify: (raw: Uint8Array) => TxId;
  /** At least 0 and below 1; nobody may be able to tell which. */
  readonly random: () => number;
  readonly clock: Clock;
  readonly log: Log;
};

/** The public part of the mempool: all but the payments on their stem. */
export type OpenPool = Pick<Mempool, "entries" | "get" | "onChange" | "size">;

const HASH_LENGTH = 32;

/** What one peer may announce. */
const ANNOUNCED: Rate = {
  perSecond: P2P_LIMITS.p2pTransactionIdsPerSecond,
  burst: P2P_LIMITS.p2pTransactionIdsBurst,
};
/** What one peer may hand on of stems: twice what an honest one does, so that a burst on the way is no fault. */
const STEMMED: Rate = {
  perSecond: 2 * P2P_LIMITS.p2pStemPerSecond,
  burst: 2 * P2P_LIMITS.p2pStemBurst,
};

/** The reference answers by name, not under the route that asked: there is one as long as a question is open. */
const ANSWERS = ["transaction", "transactionNotFound"] as const;
type Answers = Route<(typeof ANSWERS)[number]>;

/** Transaction relay with all peers. */
export class TransactionRelay {
  readonly #parts: TransactionRelayParts;
  readonly #requests: InFlightRequests;
  readonly #spreading: Spreading;
  readonly #stem: Stem;
  /** What peers announced and is being judged: it is spread already. */
  readonly #announced = new Map<TxId, Uint8Array>();
  /** What peers handed on by stem and is being judged. */
  readonly #stemmed = new Map<TxId, Uint8Array>();
  /** What was spread before: it is so again when a reorganisation brings it back. */
  readonly #wasSpread = new LruMap<TxId, true>(P2P_LIMITS.p2pKnownTransactions);
  readonly #listeners = new Set<(change: PoolChange) => void>();
  #unsubscribe: () => void = () => {};
  #isStopped = false;

  constructor(parts: TransactionRelayParts) {
    this.#parts = parts;
    this.#requests = new InFlightRequests(parts.clock, P2P_LIMITS.p2pKnownTransactions);
    this.#spreading = new Spreading(parts);
    this.#stem = new Stem({ ...parts, spread: (txid) => this.#spread(txid) });
  }

  /** The pool without what is on its stem. A payment is told as added when it is spread. */
  readonly open: OpenPool = ((relay: TransactionRelay): OpenPool => ({
    get size() {
      return relay.#spreading.size;
    },
    entries: () => relay.#parts.pool.entries().filter(({ txid }) => relay.#spreading.has(txid)),
    get: (txid) => (relay.#spreading.has(txid) ? relay.#parts.pool.get(txid) : undefined),
    onChange: (listener) => {
      relay.#listeners.add(listener);
      return () => relay.#listeners.delete(listener);
    },
  }))(this);

  /** Whether a payment is on its stem: nobody but its sender is to know of it. */
  isOnStem(txid: TxId): boolean {
    return this.#stem.has(txid);
  }

  /** Tells peers from now on of what comes into the pool, and from time to time of what they may have missed. */
  start(): void {
    this.#spreading.start();
    const { pool } = this.#parts;
    this.#unsubscribe = pool.onChange((change) => {
      if (change.type === "removed") this.#removed(change);
      // What was on disk is looked at together, once it has been judged.
      else if (change.isRestored !== true) this.#added(change.entry);
    });
    void pool.restored.then(() => {
      if (!this.#isStopped) this.#resume(pool.entries());
    });
  }

  /** Tells nobody anything any more. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#isStopped = true;
    this.#stem.stop();
    await this.#spreading.stop();
  }

  /**
   * What was on disk at the start. Nobody knows any more which of it was on its stem: that is over within a minute, so only
   * the newest can have been. Peers that know them have them spread soon.
   */
  #resume(entries: readonly PoolEntry[]): void {
    const restored = entries.filter(({ txid }) => !this.#isSettled(txid));
    const newest = restored.toSorted((a, b) => Number(b.addedAtDaa - a.addedAtDaa));
    newest.forEach(({ txid }, place) => {
      if (place < P2P_LIMITS.p2pStemRestored) this.#stem.begin(txid);
      else this.#spread(txid);
    });
  }

  /** What comes from disk is neither until all of it is looked at, which nobody may notice meanwhile. */
  #isSettled(txid: TxId): boolean {
    return this.#stem.has(txid) || this.#spreading.has(txid);
  }

  #added({ txid, raw }: PoolEntry): void {
    const isThis = (judged: ReadonlyMap<TxId, Uint8Array>): boolean =>
      equalBytes(judged.get(txid) ?? new Uint8Array(), raw);
    if (isThis(this.#announced) || this.#wasSpread.has(txid)) this.#spread(txid);
    else if (isThis(this.#stemmed)) this.#stem.hop(txid);
    else this.#stem.begin(txid);
  }

  #removed(change: Extract<PoolChange, { type: "removed" }>): void {
    this.#stem.leave(change.txid);
    if (this.#spreading.delete(change.txid)) this.#tellListeners(change);
  }

  /** Everybody may know of it from now on. */
  #spread(txid: TxId): void {
    this.#stem.leave(txid);
    const entry = this.#parts.pool.get(txid);
    if (entry === undefined || this.#spreading.has(txid)) return;
    this.#wasSpread.set(txid, true);
    this.#spreading.add(txid);
    this.#tellListeners({ type: "added", entry });
  }

  #tellListeners(change: PoolChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.#parts.log.error({ err: error }, "a listener of the open pool failed");
      }
    }
  }

  /** Answers requests in their order; what has left the pool, and what this peer was not told of, is not found. */
  readonly serve: Flow = (peer) => {
    const { link } = peer;
    const requests = link.route(["requestTransactions"]);
    return async () => {
      for (;;) {
        const { ids, requestId } = readRequest(await requests.next(null));
        for (let from = 0; from < ids.length; from += HASH_LENGTH) {
          const txid = asTxId(encodeHex(ids.subarray(from, from + HASH_LENGTH)));
          await link.room();
          const wasTold = this.#spreading.wasTold(peer, txid);
          const entry = wasTold ? this.#parts.pool.get(txid) : undefined;
          if (entry !== undefined) this.#spreading.note(peer, txid);
          link.send(
            entry === undefined
              ? { $case: "transactionNotFound", value: { id: { bytes: decodeHex(txid) } } }
              : { $case: "transaction", value: transactionMessage(entry.raw) },
            requestId,
          );
        }
      }
    };
  };

  /** Follows what a peer announces. */
  readonly follow: Flow = (peer) => {
    const { clock } = this.#parts;
    const batch = P2P_LIMITS.p2pTransactionsAsked;
    const capacity = P2P_LIMITS.p2pTransactionAnnouncements;
    const announcements = peer.link.route(["invTransactions"], { capacity });
    const allowed = new TokenBucket(ANNOUNCED, clock.steadyMs());
    return async () => {
      this.#spreading.welcome(peer);
      for (;;) {
        const ids = this.#readAnnounced(await announcements.next(null), allowed);
        for (const txid of ids) this.#spreading.note(peer, txid);
        for (let from = 0; from < ids.length; from += batch) {
          const busy = await this.#fetch(peer, ids.slice(from, from + batch));
          if (busy.length === 0) continue;
          // Whoever else is asked may never answer, and nobody announces a transaction twice.
          await clock.sleep(P2P_LIMITS.p2pRequestRetryMs, peer.link.signal);
          await this.#fetch(peer, busy);
        }
      }
    };
  };

  /** Takes what a peer hands on by stem. */
  readonly followStem: Flow = (peer) => {
    const { clock, isSynced } = this.#parts;
    if (!announces(peer.introduction.services, "stem")) return () => Promise.resolve();
    const handed = peer.link.route(["stemTransaction"], { capacity: P2P_LIMITS.p2pStemWaiting });
    const allowed = new TokenBucket(STEMMED, clock.steadyMs());
    return async () => {
      this.#stem.wake();
      for (;;) {
        const { payload } = await handed.next(null);
        // What is left here is spread by its sender when nobody else does.
        const isTaken = isSynced() && allowed.take(1, clock.steadyMs()) === 1;
        if (isTaken) await this.#takeStemmed(peer, rawTransactionOf(payload.value));
      }
    };
  };

  async #takeStemmed(peer: Peer, raw: Uint8Array): Promise<void> {
    const txid = this.#parts.identify(raw);
    if (this.#spreading.has(txid)) return;
    // It is on its stem, or comes from disk and has not been looked at.
    if (this.#isHeld(txid, raw)) {
      this.#stem.hop(txid);
      return;
    }
    this.#stemmed.set(txid, raw);
    try {
      await this.#submit(peer, raw);
      // It came from disk at the same time.
      if (this.#isHeld(txid, raw) && !this.#isSettled(txid)) this.#stem.hop(txid);
    } finally {
      this.#stemmed.delete(txid);
    }
  }

  #isHeld(txid: TxId, raw: Uint8Array): boolean {
    const held = this.#parts.pool.get(txid);
    return held !== undefined && equalBytes(held.raw, raw);
  }

  /** Ids cost little to send and a question each to answer: those above the rate are left to other peers. */
  #readAnnounced(
    { payload: { value } }: Arrived<"invTransactions">,
    allowed: TokenBucket,
  ): readonly TxId[] {
    const { clock, isSynced } = this.#parts;
    const ids = boundedList("ids", value.ids, P2P_LIMITS.p2pTransactionIds);
    if (!isSynced()) return [];
    const taken = allowed.take(ids.length, clock.steadyMs());
    return [...new Set(ids.slice(0, taken).map(idOf))];
  }

  /**
   * Fetches what is not spread, whether it is here or not: whoever announces it would else see that it is here. Returns what
   * another peer is being asked for.
   */
  async #fetch(peer: Peer, announced: readonly TxId[]): Promise<TxId[]> {
    const missing = announced.filter((txid) => !this.#spreading.has(txid));
    const claims = new Map<TxId, Claim>();
    for (const txid of missing) {
      const claim = this.#requests.claim(txid);
      if (claim !== null) claims.set(txid, claim);
    }
    const wanted = [...claims.keys()];
    if (wanted.length === 0) return missing;
    const ids = wanted.map((txid) => ({ bytes: decodeHex(txid) }));
    const answers = peer.link.route(ANSWERS, { capacity: wanted.length });
    peer.link.send({ $case: "requestTransactions", value: { ids } });
    try {
      await this.#takeAll(peer, answers, wanted);
    } finally {
      peer.link.unroute(ANSWERS);
      for (const claim of claims.values()) this.#requests.release(claim);
    }
    return missing.filter((txid) => !claims.has(txid));
  }

  async #takeAll(peer: Peer, answers: Answers, wanted: readonly TxId[]): Promise<void> {
    const { clock } = this.#parts;
    let endMs = clock.steadyMs() + BigInt(P2P_LIMITS.p2pAnswerMs);
    for (const txid of wanted) {
      const { payload } = await answers.next(Math.max(0, Number(endMs - clock.steadyMs())));
      const atMs = clock.steadyMs();
      if (payload.$case === "transaction") await this.#take(peer, txid, payload.value);
      else if (idOf(payload.value.id) !== txid) throw badField("id", "it is not the next one");
      // What this node takes for judging is not the peer's time.
      endMs += clock.steadyMs() - atMs;
    }
  }

  async #take(peer: Peer, wanted: TxId, message: P2pTransaction): Promise<void> {
    const raw = rawTransactionOf(message);
    // It was on its stem here, or on disk, and somebody has spread it.
    if (this.#isHeld(wanted, raw)) {
      this.#spread(wanted);
      return;
    }
    this.#announced.set(wanted, raw);
    try {
      const txid = await this.#submit(peer, raw);
      if (txid !== null && txid !== wanted) throw badField("transaction", "it is not the next one");
      // Somebody else may have handed in the same bytes meanwhile.
      if (this.#isHeld(wanted, raw)) this.#spread(wanted);
    } finally {
      this.#announced.delete(wanted);
    }
  }

  /** The one that was refused here may have come to others first. */
  #noteConflict(fault: SvcError): void {
    if (!SvcError.is(fault, "mempool/nullifier-conflict")) return;
    this.#stem.dispute(asNullifier(String(fault.data.nullifier)));
  }

  /**
   * What is refused without fault of the peer is left where it is: null. A node that is asked for more than it can judge takes
   * its time: nobody announces a transaction twice.
   */
  async #submit({ link }: Peer, raw: Uint8Array): Promise<TxId | null> {
    const { clock, pool } = this.#parts;
    const untilMs = clock.steadyMs() + BigInt(P2P_LIMITS.p2pTransactionWaitMs);
    for (;;) {
      try {
        return await pool.submit(raw, hostOf(link.remote.ip));
      } catch (error) {
        const fault = SvcError.from(error);
        this.#noteConflict(fault);
        const { penalty } = infoOf(fault);
        if (penalty === "major" || penalty === "ban") throw fault;
        const waitMs = waitFor(fault);
        if (waitMs === null || clock.steadyMs() + BigInt(waitMs) > untilMs) return null;
        await clock.sleep(waitMs, link.signal);
      }
    }
  }
}

/** Milliseconds until it may be handed in again; null when that would change nothing. */
function waitFor(error: SvcError): number | null {
  if (SvcError.is(error, "queue/too-fast")) return Number(error.data.retryMs);
  const isBusy = SvcError.is(error, "mempool/verification-queue-full", "queue/full");
  return isBusy || SvcError.is(error, "engine/restarted") ? P2P_LIMITS.p2pBusyMs : null;
}

/** Ids one after the other: the other side decides how long they are kept here. */
function readRequest({ payload: { value }, requestId }: Arrived<"requestTransactions">): {
  readonly ids: Uint8Array;
  readonly requestId: number;
} {
  const ids = boundedList("ids", value.ids, P2P_LIMITS.p2pTransactionIds);
  return { ids: packedHashes("id", ids), requestId };
}

function idOf(message: BytesMessage | undefined): TxId {
  return asTxId(encodeHex(hashBytes("id", message)));
}
