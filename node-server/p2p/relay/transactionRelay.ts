/**
 * Waiting transactions: announced to peers a few times a second, fetched from those that announce them (specification
 * network 1.7).
 */
import { asTxId, type TxId } from "@svc/shared/base/brand.ts";
import { infoOf } from "@svc/shared/base/errors.ts";
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { LruMap } from "@svc/shared/base/lruMap.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pTransaction } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import { badField, hashBytes, type BytesMessage } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { rawTransactionOf, transactionMessage } from "@svc/shared/protocol/p2p/p2pTransaction.ts";
import type { Mempool } from "../../mempool/mempool.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Flow } from "../flows/runFlows.ts";
import type { Peer } from "../peers/peer.ts";
import { RequestTable } from "./requestTable.ts";

/** What relaying works with. */
export type TransactionRelayParts = {
  readonly pool: Pick<Mempool, "get" | "submit" | "onChange">;
  readonly peers: () => readonly Peer[];
  /** A node that is behind cannot judge transactions. */
  readonly isSynced: () => boolean;
  readonly clock: Clock;
};

/** Relaying for all peers. */
export class TransactionRelay {
  readonly #parts: TransactionRelayParts;
  readonly #requests: RequestTable;
  /** Transaction → keys of peers that announced it: they need not be told. */
  readonly #knownBy = new LruMap<string, Set<string>>(LIMITS.p2pKnownTransactions);
  readonly #fresh = new Set<TxId>();
  readonly #stop = new AbortController();
  #unsubscribe: () => void = () => {};
  #isWaiting = false;

  constructor(parts: TransactionRelayParts) {
    this.#parts = parts;
    this.#requests = new RequestTable(parts.clock, LIMITS.p2pKnownTransactions);
  }

  /** Announces from now on what comes into the pool. */
  start(): void {
    this.#unsubscribe = this.#parts.pool.onChange((change) => {
      if (change.type === "removed") this.#fresh.delete(change.txid);
      else this.#announceSoon(change.entry.txid);
    });
  }

  /** Announces no more. */
  stop(): void {
    this.#unsubscribe();
    this.#stop.abort();
  }

  /** Answers requests in their order; what has left the pool is not found. */
  readonly serve: Flow = async ({ link }) => {
    const requests = link.route(["requestTransactions"]);
    for (;;) {
      const { payload, requestId } = await requests.next(null);
      for (const txid of idsOf(payload.value.ids)) {
        const entry = this.#parts.pool.get(txid);
        link.send(
          entry === undefined
            ? { $case: "transactionNotFound", value: { id: { bytes: decodeHex(txid) } } }
            : { $case: "transaction", value: transactionMessage(entry.raw) },
          requestId,
        );
      }
    }
  };

  /** Follows what a peer announces. */
  readonly follow: Flow = async (peer) => {
    const announcements = peer.link.route(["invTransactions"], {
      capacity: LIMITS.p2pTransactionAnnouncements,
    });
    for (;;) {
      const { payload } = await announcements.next(null);
      const ids = idsOf(payload.value.ids);
      for (const txid of ids) this.#note(txid, peer);
      if (!this.#parts.isSynced()) continue;
      for (let from = 0; from < ids.length; from += LIMITS.p2pTransactionsAsked) {
        await this.#fetch(peer, ids.slice(from, from + LIMITS.p2pTransactionsAsked));
      }
    }
  };

  async #fetch(peer: Peer, announced: readonly TxId[]): Promise<void> {
    const wanted = announced.filter(
      (txid) => this.#parts.pool.get(txid) === undefined && this.#requests.claim(txid),
    );
    if (wanted.length === 0) return;
    const ids = wanted.map((txid) => ({ bytes: decodeHex(txid) }));
    const { route, end } = peer.link.converse(
      { $case: "requestTransactions", value: { ids } },
      ["transaction", "transactionNotFound"],
      wanted.length,
    );
    try {
      for (const txid of wanted) {
        const { payload } = await route.next(LIMITS.p2pAnswerMs);
        if (payload.$case === "transaction") await this.#take(peer, txid, payload.value);
        else if (idOf(payload.value.id) !== txid) throw badField("id", "it is not the next one");
        this.#requests.release(txid);
      }
    } finally {
      end();
      for (const txid of wanted) this.#requests.release(txid);
    }
  }

  /** What is refused without fault of the peer is left where it is. */
  async #take({ link }: Peer, wanted: TxId, message: P2pTransaction): Promise<void> {
    try {
      const txid = await this.#parts.pool.submit(rawTransactionOf(message), link.remote.ip);
      if (txid !== wanted) throw badField("transaction", "it is not the next one");
    } catch (error) {
      const fault = SvcError.from(error);
      const { penalty } = infoOf(fault);
      if (penalty === "major" || penalty === "ban") throw fault;
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
    for (const { key, link } of this.#parts.peers()) {
      const news = txids.filter((txid) => this.#knownBy.get(txid)?.has(key) !== true);
      if (news.length > 0) link.send(invOf(news));
    }
  }

  #note(txid: TxId, { key }: Peer): void {
    const known = this.#knownBy.get(txid) ?? new Set();
    this.#knownBy.set(txid, known.add(key));
  }
}

function invOf(txids: readonly TxId[]): P2pPayload {
  const ids = txids.map((txid) => ({ bytes: decodeHex(txid) }));
  return { $case: "invTransactions", value: { ids } };
}

function idsOf(messages: readonly BytesMessage[]): TxId[] {
  const [count, max] = [messages.length, LIMITS.p2pTransactionIds];
  if (count > max) throw badField("ids", `${count} of at most ${max}`);
  return messages.map(idOf);
}

function idOf(message: BytesMessage | undefined): TxId {
  return asTxId(encodeHex(hashBytes("id", message)));
}
