/**
 * Downloads note history from before the first block of this node, from one peer after the other (specification network 1.8 K,
 * shielded 15.5).
 *
 * It is fetched while nothing is caught up with, and goes on where it was after a restart. Records count when all of them are
 * here and make the note tree; until then consensus and wallets do not see them.
 */
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { historyPageOf } from "@svc/shared/protocol/p2p/p2pHistory.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { HistoryImport, Settled } from "../../engine/import/historyImport.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { SyncMeter, type SyncProgress } from "./syncMeter.ts";
import { FetchRounds } from "../peers/fetchRounds.ts";
import { askOne } from "./holdConversation.ts";

/** Dependencies of the download. */
export type HistoryParts = {
  readonly history: Pick<HistoryImport, "progress" | "take" | "drop">;
  readonly peers: () => readonly Peer[];
  /** Whether the chain is being caught up with: that goes first. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

type Wanted = Extract<Settled, { kind: "wanted" }>;

/** Downloads history until it is complete, and again when the chain begins anew. */
export class HistorySync {
  readonly #parts: HistoryParts;
  readonly #turns: FetchRounds;
  /** Peers that had nothing more; another one is asked. */
  #spent = new WeakSet<Peer>();
  /**
   * Who gave every record that is here; null when several did, or nobody knows. A record says of those above it only how
   * many leaves they have: where a peer's does not fit it may be the fault of whoever gave the ones above.
   */
  #giver: Peer | null = null;
  /** Whom to ask before others: what it says does not fit what others said. */
  #doubting: Peer | null = null;
  /** Since when nobody goes on where the last one left off, in Unix milliseconds. */
  #stuckSinceMs: bigint | null = null;
  #stuckTimeoutMs = BigInt(P2P_LIMITS.syncHistoryStuckMs);
  readonly #meter: SyncMeter;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    this.#meter = new SyncMeter(clock, (stage) => log.debug({ stage }, "a stage begins"));
    this.#turns = new FetchRounds({
      clock,
      pauseMs: P2P_LIMITS.syncHistoryPauseMs,
      round: () => this.#round().then(() => false),
      // The engine restarts, or the state is not there yet.
      failed: (error) => log.debug({ err: error }, "history is not fetched now"),
    });
  }

  /** How far it is; null when nobody is asked now. */
  get progress(): SyncProgress | null {
    return this.#meter.progress;
  }

  /** Begins. */
  start(): void {
    this.#turns.start();
  }

  /** Gives up what is under way; what came of it stays. */
  stop(): Promise<void> {
    return this.#turns.stop();
  }

  /** Looks again soon: a peer has come. */
  wake(): void {
    this.#turns.wake();
  }

  /** Fetches from one peer as long as it has something. */
  async #round(): Promise<void> {
    const { history, isBusy, log } = this.#parts;
    if (isBusy()) return;
    // A node that begins has the history of genesis, and lacks that of the point at which its chain begins anew.
    const wanted = await history.progress(this.#turns.signal);
    if (wanted.kind !== "wanted") return;
    const able = this.#ablePeers();
    const peer =
      able.find((one) => one === this.#doubting) ?? able.find((one) => !this.#spent.has(one));
    this.#doubting = null;
    if (peer === undefined) {
      if (able.length > 0) await this.#waitStuck(wanted);
      return;
    }
    this.#meter.begin("history");
    try {
      const { kind } = await this.#fetch(peer, wanted);
      if (kind === "complete") log.info("note history is complete");
    } finally {
      this.#meter.end();
    }
  }

  /** Peers of our own kind: to others a question they do not know would cost the link. */
  #ablePeers(): readonly Peer[] {
    const peers = this.#parts.peers();
    return peers.filter(({ introduction }) => announces(introduction.services, "shieldedHistory"));
  }

  /**
   * A record that nobody else knows may be made up: after a long while all of them are asked for anew. Where none has come
   * peers may have been asked before they had any themselves.
   */
  async #waitStuck({ lowest }: Wanted): Promise<void> {
    const { clock, log } = this.#parts;
    this.#stuckSinceMs ??= clock.steadyMs();
    if (clock.steadyMs() - this.#stuckSinceMs < this.#stuckTimeoutMs) return;
    if (lowest === null) {
      this.#spent = new WeakSet();
      this.#stuckSinceMs = null;
      return;
    }
    log.warn("no peer knows the history that came last: it is fetched anew");
    const doubled = 2n * this.#stuckTimeoutMs;
    const max = BigInt(P2P_LIMITS.syncHistoryStuckMaxMs);
    this.#stuckTimeoutMs = doubled < max ? doubled : max;
    await this.#drop();
  }

  async #drop(): Promise<Settled> {
    this.#spent = new WeakSet();
    this.#giver = null;
    this.#stuckSinceMs = null;
    return await this.#parts.history.drop(this.#turns.signal);
  }

  async #fetch(peer: Peer, from: Wanted): Promise<Settled> {
    const { isBusy } = this.#parts;
    let progress: Settled = from;
    while (progress.kind === "wanted" && !isBusy()) {
      const before = progress.below;
      if (progress.lowest === null) this.#giver = peer;
      else if (this.#giver !== peer) this.#giver = null;
      const next = await this.#fetchPage(peer, progress);
      if (next === null) {
        this.#spent.add(peer);
        break;
      }
      progress = next;
      // What is wanted below another block is another chain's: this one began anew.
      if (progress.kind === "complete" || progress.base !== from.base) break;
      if (progress.below > before) {
        this.#stuckSinceMs = null;
        this.#meter.add(progress.below - before);
      } else if (this.#giver === peer) {
        throw this.#turns.lose(peer, new SvcError("history/wrong-record", wrongTree(progress)));
      }
    }
    return progress;
  }

  /** What is wanted after a page of a peer; null when it has none. Records that do not make the note tree are gone then. */
  async #fetchPage(peer: Peer, wanted: Wanted): Promise<Settled | null> {
    const { signal } = this.#turns;
    const records = await this.#askRecords(peer, wanted);
    if (records === null) return null;
    try {
      return await this.#parts.history.take(records, signal);
    } catch (error) {
      if (!SvcError.is(error, "history/wrong-record")) throw this.#turns.lose(peer, error);
      const now = await this.#parts.history.progress(signal);
      if (now.kind !== "wanted" || now.base !== wanted.base) throw error;
      const isFirst = now.below === wanted.below;
      // Within what one peer sent it is that one's fault, whatever others gave.
      if (this.#giver === peer || !isFirst) throw this.#turns.lose(peer, error);
      this.#parts.log.warn({ err: error }, "peers disagree about history: it is fetched anew");
      this.#doubting = peer;
      await this.#drop();
      throw error;
    }
  }

  /** Records below the lowest; null when the peer has none. */
  async #askRecords(peer: Peer, { base, lowest }: Wanted): Promise<Uint8Array | null> {
    const anchor = lowest ?? base;
    try {
      const { value } = await askOne(peer.link, {
        payload: {
          $case: "requestShieldedHistory",
          value: { anchorHash: decodeHex(anchor), maxBlocks: P2P_LIMITS.syncHistoryBlocks },
        },
        answers: ["shieldedHistoryChunk"],
        waitMs: P2P_LIMITS.syncStallMs,
        signal: this.#turns.signal,
      });
      const [first] = value.entries;
      if (first !== undefined && encodeHex(first.blockHash) !== anchor) {
        throw badField("entries", "they begin elsewhere");
      }
      // The record of the block that was named comes first; below the top it is here already.
      const entries = lowest === null ? value.entries : value.entries.slice(1);
      // What lies below its first record, by the peer's own count of the chain, and what this peer gave before.
      const done = this.#meter.progress?.done ?? 0;
      if (entries.length > 0) this.#meter.setTotal(done + Number(entries[0]?.chainIndex ?? 0n) + 1);
      const page = historyPageOf({ ...value, entries });
      return page.count === 0 ? null : page.records;
    } catch (error) {
      throw this.#turns.lose(peer, error);
    }
  }
}

function wrongTree({ base }: Wanted): { readonly hash: string; readonly reason: string } {
  return { hash: base, reason: "all of them together do not make the note tree" };
}
