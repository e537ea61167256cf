/**
 * Waiting transactions: announced to peers a few times a second, fetched from those that announce them (specification
 * network 1.7).
 */
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pTransaction } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import {
  badField,
  boundedList,
  hashBytes,
  packedHashes,
  type BytesMessage,
} from "@svc/shared/protocol/p2p/p2pFields.ts";
import { rawTransactionOf, transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import type { Mempool } from "../../mempool/mempool.ts";
import type { Clock } from "../../platform/clock.ts";
import { TokenBucket, type Rate } from "../../platform/tokenBucket.ts";
import { hostOf } from "../addresses/netAddress.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { Peer } from "../peers/peer.ts";
import type { Arrived, Route } from "../link/route.ts";
import { KnownItems } from "./knownItems.ts";
import { RequestTable, type Claim } from "./requestTable.ts";

/** What relaying works with. */
export type TransactionRelayParts = {
  readonly pool: Pick<Mempool, "get" | "submit" | "onChange" | "entries">;
  readonly peers: () => readonly Peer[];
  /** A node that is behind cannot judge transactions. */
  readonly isSynced: () => boolean;
  readonly clock: Clock;
};

const HASH_LENGTH = 32;

/** What one peer may announce. */
const ANNOUNCED: Rate = {
  perSecond: LIMITS.p2pTransactionIdsPerSecond,
  burst: LIMITS.p2pTransactionIdsBurst,
};

/** The reference answers by name, not under the route that asked: there is one as long as a question is open. */
const ANSWERS = ["transaction", "transactionNotFound"] as const;
type Answers = Route<(typeof ANSWERS)[number]>;

/** Relaying for all peers. */
export class TransactionRelay {
  readonly #parts: TransactionRelayParts;
  readonly #requests: RequestTable;
  readonly #known = new KnownItems(LIMITS.p2pKnownTransactions);
  readonly #fresh = new Set<TxId>();
  readonly #stop = new AbortController();
  #unsubscribe: () => void = () => {};
  #isWaiting = false;
  #announcing: Promise<void> = Promise.resolve();

  constructor(parts: TransactionRelayParts) {
    this.#parts = parts;
    this.#requests = new RequestTable(parts.clock, LIMITS.p2pKnownTransactions);
  }

  /** Announces from now on what comes into the pool, and from time to time what peers may have missed. */
  start(): void {
    this.#announcing = this.#announceAgain();
    this.#unsubscribe = this.#parts.pool.onChange((change) => {
      if (change.type === "removed") this.#fresh.delete(change.txid);
      else this.#announceSoon(change.entry.txid);
    });
  }

  /** Announces no more. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    this.#stop.abort();
    await this.#announcing;
  }

  /** Answers requests in their order; what has left the pool is not found. */
  readonly serve: Flow = (peer) => {
    const { link } = peer;
    const requests = link.route(["requestTransactions"]);
    return async () => {
      for (;;) {
        const { ids, requestId } = readRequest(await requests.next(null));
        for (let from = 0; from < ids.length; from += HASH_LENGTH) {
          const txid = asTxId(encodeHex(ids.subarray(from, from + HASH_LENGTH)));
          await link.room();
          const entry = this.#parts.pool.get(txid);
          if (entry !== undefined) this.#known.note(peer, txid);
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
    const batch = LIMITS.p2pTransactionsAsked;
    const capacity = LIMITS.p2pTransactionAnnouncements;
    const announcements = peer.link.route(["invTransactions"], { capacity });
    const allowed = new TokenBucket(ANNOUNCED, clock.nowMs());
    return async () => {
      this.#tell(peer, this.#waiting());
      for (;;) {
        const ids = this.#readAnnounced(await announcements.next(null), allowed);
        for (const txid of ids) this.#known.note(peer, txid);
        for (let from = 0; from < ids.length; from += batch) {
          const busy = await this.#fetch(peer, ids.slice(from, from + batch));
          if (busy.length === 0) continue;
          // Whoever else is asked may never answer, and nobody announces a transaction twice.
          await clock.sleep(LIMITS.p2pRequestRetryMs, peer.link.signal);
          await this.#fetch(peer, busy);
        }
      }
    };
  };

  /** Ids cost little to send and a question each to answer: those above the rate are left to other peers. */
  #readAnnounced(
    { payload: { value } }: Arrived<"invTransactions">,
    allowed: TokenBucket,
  ): readonly TxId[] {
    const { clock, isSynced } = this.#parts;
    const ids = boundedList("ids", value.ids, LIMITS.p2pTransactionIds);
    if (!isSynced()) return [];
    const taken = allowed.take(ids.length, clock.nowMs());
    return [...new Set(ids.slice(0, taken).map(idOf))];
  }

  /** Fetches what is not here. Returns what another peer is being asked for. */
  async #fetch(peer: Peer, announced: readonly TxId[]): Promise<TxId[]> {
    const { pool } = this.#parts;
    const missing = announced.filter((txid) => pool.get(txid) === undefined);
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
    let endMs = clock.nowMs() + BigInt(LIMITS.p2pAnswerMs);
    for (const txid of wanted) {
      const { payload } = await answers.next(Math.max(0, Number(endMs - clock.nowMs())));
      const atMs = clock.nowMs();
      if (payload.$case === "transaction") await this.#take(peer, txid, payload.value);
      else if (idOf(payload.value.id) !== txid) throw badField("id", "it is not the next one");
      // What this node takes for judging is not the peer's time.
      endMs += clock.nowMs() - atMs;
    }
  }

  /**
   * What is refused without fault of the peer is left where it is. A node that is asked for more than it can judge takes its
   * time: nobody announces a transaction twice.
   */
  async #take({ link }: Peer, wanted: TxId, message: P2pTransaction): Promise<void> {
    const { clock, pool } = this.#parts;
    const raw = rawTransactionOf(message);
    const untilMs = clock.nowMs() + BigInt(LIMITS.p2pTransactionWaitMs);
    for (;;) {
      try {
        const txid = await pool.submit(raw, hostOf(link.remote.ip));
        if (txid !== wanted) throw badField("transaction", "it is not the next one");
        return;
      } catch (error) {
        const fault = SvcError.from(error);
        const { penalty } = infoOf(fault);
        if (penalty === "major" || penalty === "ban") throw fault;
        const waitMs = waitFor(fault);
        if (waitMs === null || clock.nowMs() + BigInt(waitMs) > untilMs) return;
        await clock.sleep(waitMs, link.signal);
      }
    }
  }

  #announceSoon(txid: TxId): void {
    this.#fresh.add(txid);
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void this.#parts.clock.sleep(LIMITS.p2pAnnounceMs, this.#stop.signal).then(
      () => this.#announce(),
      () => undefined,
    );
  }

  #announce(): void {
    this.#isWaiting = false;
    const txids = [...this.#fresh].slice(0, LIMITS.p2pTransactionIds);
    this.#fresh.clear();
    for (const peer of this.#parts.peers()) this.#tell(peer, txids);
  }

  /** A peer may have been behind, or have had no room. All are named alike, so that nobody sees which are a node's own. */
  async #announceAgain(): Promise<void> {
    const { clock, peers } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.sleep(LIMITS.p2pAnnounceAgainMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      const waiting = this.#waiting();
      for (const peer of peers()) this.#tell(peer, waiting);
    }
  }

  /** Those that wait, the oldest first: as many as a peer looks at in one go. */
  #waiting(): readonly TxId[] {
    const entries = this.#parts.pool.entries().slice(0, LIMITS.p2pTransactionIdsBurst);
    return entries.map(({ txid }) => txid);
  }

  /** Names those that the peer is not known to have. */
  #tell(peer: Peer, txids: readonly TxId[]): void {
    if (peer.introduction.disableRelayTx) return;
    const news = txids.filter((txid) => !this.#known.has(peer, txid));
    if (news.length > 0) peer.link.send(invOf(news));
  }
}

function invOf(txids: readonly TxId[]): P2pPayload {
  const ids = txids.map((txid) => ({ bytes: decodeHex(txid) }));
  return { $case: "invTransactions", value: { ids } };
}

/** Milliseconds until it may be handed in again; null when that would change nothing. */
function waitFor(error: SvcError): number | null {
  if (SvcError.is(error, "queue/too-fast")) return Number(error.data.retryMs);
  const isBusy = SvcError.is(error, "mempool/verification-queue-full", "queue/full");
  return isBusy || SvcError.is(error, "engine/restarted") ? LIMITS.p2pBusyMs : null;
}

/** Ids one after the other: the other side decides how long they are kept here. */
function readRequest({ payload: { value }, requestId }: Arrived<"requestTransactions">): {
  readonly ids: Uint8Array;
  readonly requestId: number;
} {
  const ids = boundedList("ids", value.ids, LIMITS.p2pTransactionIds);
  return { ids: packedHashes("id", ids), requestId };
}

function idOf(message: BytesMessage | undefined): TxId {
  return asTxId(encodeHex(hashBytes("id", message)));
}
