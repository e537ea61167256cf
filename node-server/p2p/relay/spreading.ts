/**
 * Diffusion of transactions: peers are told of payments that are on no stem, each after random times of its own, so that the
 * first to tell is not the first who had it (ADR 22).
 *
 * Payments have numbers in the order in which their spreading began, and a peer was told of all up to one of them. It is served
 * those and no others.
 */
import type { TxId } from "@svc/shared/base/brand.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Link } from "../link/link.ts";
import type { Peer } from "../peers/peer.ts";
import { PeerInventory } from "./peerInventory.ts";
import { randomMs } from "./randomMs.ts";

/** Dependencies of diffusion. */
export type SpreadingParts = {
  readonly peers: () => readonly Peer[];
  readonly clock: Clock;
  /** At least 0 and below 1; nobody may be able to tell which. */
  readonly random: () => number;
};

type Row = { readonly txid: TxId; readonly number: number };

/** The payments that are announced, and how far each peer has been told. */
export class Spreading {
  readonly #parts: SpreadingParts;
  readonly #known = new PeerInventory(P2P_LIMITS.p2pKnownTransactions);
  readonly #numbers = new Map<TxId, number>();
  /** By number; rows of payments that are gone stay until there are more of them than others. */
  #rows: Row[] = [];
  #last = 0;
  /** Number of the last payment that a peer was told of. */
  readonly #told = new WeakMap<Link, number>();
  /** Peers that were dialled and are going to be told of something. */
  readonly #due = new WeakSet<Link>();
  /** All others are told together. */
  #isInboundDue = false;
  readonly #stop = new AbortController();
  #again: Promise<void> = Promise.resolve();

  constructor(parts: SpreadingParts) {
    this.#parts = parts;
  }

  /** From time to time tells peers again of what they did not ask for. */
  start(): void {
    this.#again = this.#tellAgain();
  }

  /** Tells nobody anything any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#again;
  }

  /** Payments that are spread. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Whether a payment is spread. */
  has(txid: TxId): boolean {
    return this.#numbers.has(txid);
  }

  /** Spreads a payment from now on. */
  add(txid: TxId): void {
    if (this.#numbers.has(txid)) return;
    this.#last += 1;
    this.#numbers.set(txid, this.#last);
    this.#rows.push({ txid, number: this.#last });
    for (const peer of this.#parts.peers()) this.#arm(peer);
  }

  /** Spreads a payment no more. False when it was not spread. */
  delete(txid: TxId): boolean {
    const wasThere = this.#numbers.delete(txid);
    if (this.#rows.length > 2 * this.#numbers.size + P2P_LIMITS.p2pSpreadIds) {
      this.#rows = this.#rows.filter((row) => this.#isThere(row));
    }
    return wasThere;
  }

  /** A peer came: it is told like the others, in parts. */
  welcome(peer: Peer): void {
    this.#arm(peer);
  }

  /** A peer has a payment, or was given it: it need not be told of it. */
  note(peer: Peer, txid: TxId): void {
    this.#known.note(peer, txid);
  }

  /** Whether a peer was told of a payment. */
  wasTold({ link }: Peer, txid: TxId): boolean {
    const number = this.#numbers.get(txid);
    return number !== undefined && number <= (this.#told.get(link) ?? 0);
  }

  #isThere({ txid, number }: Row): boolean {
    return this.#numbers.get(txid) === number;
  }

  /** There is a time at which a peer is told; the times of a Poisson process may be drawn when there is something to tell. */
  #arm({ link, introduction }: Peer): void {
    if (introduction.disableRelayTx || (this.#told.get(link) ?? 0) >= this.#last) return;
    if (!link.isOutbound) {
      this.#armInbound();
      return;
    }
    if (this.#due.has(link)) return;
    this.#due.add(link);
    this.#after(P2P_LIMITS.p2pSpreadOutboundMs, () => {
      this.#due.delete(link);
      const peer = this.#parts.peers().find((other) => other.link === link);
      if (peer !== undefined) this.#tell(peer);
    });
  }

  /** One time for all who dialled us: with many connections a spy would else see the first of many times. */
  #armInbound(): void {
    if (this.#isInboundDue) return;
    this.#isInboundDue = true;
    this.#after(P2P_LIMITS.p2pSpreadInboundMs, () => {
      this.#isInboundDue = false;
      for (const peer of this.#parts.peers()) if (!peer.link.isOutbound) this.#tell(peer);
    });
  }

  #after(meanMs: number, tell: () => void): void {
    const { clock, random } = this.#parts;
    clock.sleep(randomMs(meanMs, random), this.#stop.signal).then(tell, () => undefined);
  }

  #tell(peer: Peer): void {
    if (peer.introduction.disableRelayTx) return;
    const news: TxId[] = [];
    const from = this.#firstAfter(this.#told.get(peer.link) ?? 0);
    let number = 0;
    for (let at = from; at < this.#rows.length && news.length < P2P_LIMITS.p2pSpreadIds; at += 1) {
      const row = this.#rows[at];
      if (row === undefined) break;
      number = row.number;
      if (this.#isThere(row) && !this.#known.has(peer, row.txid)) news.push(row.txid);
    }
    if (number > 0) this.#told.set(peer.link, number);
    announce(peer, news);
    this.#arm(peer);
  }

  /** Place of the first row above a number. */
  #firstAfter(number: number): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[middle]?.number ?? 0) > number) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** A peer may have been behind, or have had no room. It hears again of what it was told, and of nothing else. */
  async #tellAgain(): Promise<void> {
    const { clock, peers } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.sleep(P2P_LIMITS.p2pAnnounceAgainMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const oldest = this.#rows
        .filter((row) => this.#isThere(row))
        .slice(0, P2P_LIMITS.p2pTransactionIdsBurst);
      for (const peer of peers()) {
        if (peer.introduction.disableRelayTx) continue;
        const missed = oldest.filter(
          ({ txid }) => this.wasTold(peer, txid) && !this.#known.has(peer, txid),
        );
        announce(
          peer,
          missed.map(({ txid }) => txid),
        );
      }
    }
  }
}

/** In the order of the ids, which says nothing of the order of their coming. */
function announce({ link }: Peer, txids: readonly TxId[]): void {
  if (txids.length > 0) link.send(invOf(txids.toSorted()));
}

function invOf(txids: readonly TxId[]): P2pPayload {
  const ids = txids.map((txid) => ({ bytes: decodeHex(txid) }));
  return { $case: "invTransactions", value: { ids } };
}
