/**
 * Stem phase of transaction relay: a new payment is handed from peer to peer, one at a time, before it is announced to all (ADR
 * 22).
 *
 * A payment is here from its coming until this node spreads it: by the lot that ends a stem, because somebody else has spread
 * it, or when its fail-safe is due. Each node on a stem has a fail-safe timer of its own, so no peer can make a payment vanish.
 */
import type { Nullifier, TxId } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import type { Mempool } from "../../mempool/mempool.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { TokenBucket, type Rate } from "../../platform/time/tokenBucket.ts";
import type { Link } from "../link/link.ts";
import type { Peer } from "../peers/peer.ts";
import { randomMs } from "./randomMs.ts";
import { StemPeer } from "./stemPeer.ts";

/** Dependencies of the stem phase. */
export type StemParts = {
  readonly pool: Pick<Mempool, "get">;
  readonly peers: () => readonly Peer[];
  /** Whether peers may come that this node dials: without one now, a payment waits for them. */
  readonly isLooking: () => boolean;
  /** Ends a stem: everybody is told from now on. */
  readonly spread: (txid: TxId) => void;
  readonly clock: Clock;
  /** At least 0 and below 1; nobody may be able to tell which. */
  readonly random: () => number;
};

/** A payment on its stem. */
type Row = {
  /** Where it was sent; null while it waits for a peer. */
  sentTo: Peer | null;
  /** Another payment of the same note goes round: honest peers may have had to refuse this one. */
  isDisputed: boolean;
};

const SENT: Rate = { perSecond: P2P_LIMITS.p2pStemPerSecond, burst: P2P_LIMITS.p2pStemBurst };
const PERCENT = 100;

/** All payments in their stem phase; bounded by the pool, which holds each of them. */
export class Stem {
  readonly #parts: StemParts;
  readonly #peer: StemPeer;
  readonly #rows = new Map<TxId, Row>();
  readonly #rates = new WeakMap<Link, TokenBucket>();
  readonly #stop = new AbortController();

  constructor(parts: StemParts) {
    this.#parts = parts;
    this.#peer = new StemPeer(parts);
  }

  /** Forgets all fail-safes. */
  stop(): void {
    this.#stop.abort();
  }

  /** Payments on their stem. */
  get size(): number {
    return this.#rows.size;
  }

  /** Whether a payment is on its stem. */
  has(txid: TxId): boolean {
    return this.#rows.has(txid);
  }

  /** Begins the stem of a payment of this node. Its first hop is never left out. */
  begin(txid: TxId): void {
    this.#hold(txid);
    this.#forward(txid);
  }

  /** Goes on with the stem of a payment that a peer handed on, also when it comes a second time. */
  hop(txid: TxId): void {
    if (this.#parts.random() * PERCENT < P2P_LIMITS.p2pStemEndPercent) {
      this.#spread(txid);
      return;
    }
    this.#hold(txid);
    this.#forward(txid);
  }

  /** The payment is on no stem any more: it was spread by somebody, or left the pool. */
  leave(txid: TxId): boolean {
    return this.#rows.delete(txid);
  }

  /** A payment was refused here because this note is spent by a waiting one, which others may refuse because of it. */
  dispute(nullifier: Nullifier): void {
    for (const [txid, row] of this.#rows) {
      const entry = this.#parts.pool.get(txid);
      if (entry?.nullifiers.includes(nullifier)) row.isDisputed = true;
    }
  }

  /** A peer came: what waits for one goes out. */
  wake(): void {
    for (const [txid, { sentTo }] of this.#rows) if (sentTo === null) this.#forward(txid);
  }

  #hold(txid: TxId): void {
    if (this.#rows.has(txid)) return;
    const row: Row = { sentTo: null, isDisputed: false };
    this.#rows.set(txid, row);
    const { clock, random } = this.#parts;
    const waitMs = P2P_LIMITS.p2pStemSafeMs + randomMs(P2P_LIMITS.p2pStemSafeMeanMs, random);
    clock.sleep(waitMs, this.#stop.signal).then(
      () => this.#failSafe(txid, row),
      () => undefined,
    );
  }

  /** Nobody has spread it: whoever got it may keep it to itself. */
  #failSafe(txid: TxId, row: Row): void {
    if (this.#rows.get(txid) !== row) return;
    if (row.sentTo !== null && !row.isDisputed) this.#peer.distrust(row.sentTo);
    this.#spread(txid);
  }

  #spread(txid: TxId): void {
    this.#rows.delete(txid);
    this.#parts.spread(txid);
  }

  #forward(txid: TxId): void {
    const row = this.#rows.get(txid);
    const entry = this.#parts.pool.get(txid);
    if (row === undefined || entry === undefined) return;
    const peer = this.#peer.choose();
    if (peer === null) {
      if (!this.#parts.isLooking()) this.#spread(txid);
      return;
    }
    const { link } = peer;
    if (!this.#mayTake(link)) return;
    row.sentTo = peer;
    link.send({ $case: "stemTransaction", value: transactionMessage(entry.raw) });
  }

  #mayTake(link: Link): boolean {
    const nowMs = this.#parts.clock.steadyMs();
    const rate = this.#rates.get(link) ?? new TokenBucket(SENT, nowMs);
    this.#rates.set(link, rate);
    return rate.take(1, nowMs) === 1;
  }
}
