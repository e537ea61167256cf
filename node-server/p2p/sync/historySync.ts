/**
 * Note history from before the first block of this node, from one peer after the other (specification network 1.8 K, shielded
 * 15.4).
 *
 * It is fetched while nothing is caught up with, and goes on where it was after a restart. Records count when all of them are
 * here and make the note tree; until then consensus and wallets do not see them.
 */
import { decodeHex, encodeHex } from "@svc/shared/base/hex.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import { historyPageOf } from "@svc/shared/protocol/p2p/p2pHistory.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { HistoryImport, Settled } from "../../consensus/historyImport.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Log } from "../../platform/log.ts";
import type { Peer } from "../peers/peer.ts";
import { isOwnFault } from "./ownFaults.ts";
import { SyncMeter, type SyncProgress } from "./syncMeter.ts";
import { askOne } from "./talk.ts";

/** What fetching works with. */
export type HistoryParts = {
  readonly history: Pick<HistoryImport, "progress" | "take">;
  readonly peers: () => readonly Peer[];
  /** Whether the chain is being caught up with: that goes first. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

type Wanted = Extract<Settled, { kind: "wanted" }>;

/** Fetches until all is there, and again when the chain begins anew. */
export class HistorySync {
  readonly #parts: HistoryParts;
  readonly #stop = new AbortController();
  /** Peers that had nothing more; another one is asked. */
  readonly #spent = new WeakSet<Peer>();
  readonly #meter: SyncMeter;
  #pause = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    this.#meter = new SyncMeter(clock, (stage) => log.debug({ stage }, "a stage begins"));
  }

  /** How far it is; null when nobody is asked now. */
  get progress(): SyncProgress | null {
    return this.#meter.progress;
  }

  /** Begins. */
  start(): void {
    this.#running = this.#run();
  }

  /** Gives up what is under way; what came of it stays. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#pause.abort();
    await this.#running;
  }

  /** Looks again soon: a peer has come. */
  wake(): void {
    this.#pause.abort();
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await this.#round();
      } catch (error) {
        // The engine restarts, or the state is not there yet.
        if (!signal.aborted) log.debug({ err: error }, "history is not fetched now");
      }
      this.#pause = new AbortController();
      if (signal.aborted) return;
      await clock.sleep(LIMITS.syncHistoryPauseMs, this.#pause.signal).catch(() => undefined);
    }
  }

  /** Fetches from one peer as long as it has something. */
  async #round(): Promise<void> {
    const { history, isBusy, log } = this.#parts;
    if (isBusy()) return;
    // A node that begins has the history of genesis, and lacks that of the point at which its chain begins anew.
    const wanted = await history.progress(this.#stop.signal);
    const peer = this.#choose();
    if (wanted.kind !== "wanted" || peer === undefined) return;
    this.#meter.begin("history");
    try {
      const { kind } = await this.#fetch(peer, wanted);
      if (kind === "complete") log.info("note history is complete");
    } finally {
      this.#meter.end();
    }
  }

  /** A peer of our own kind: to others a question they do not know would cost the link. */
  #choose(): Peer | undefined {
    return this.#parts
      .peers()
      .find(
        (peer) =>
          !this.#spent.has(peer) && announces(peer.introduction.services, "shieldedHistory"),
      );
  }

  async #fetch(peer: Peer, from: Wanted): Promise<Settled> {
    const { isBusy } = this.#parts;
    let progress: Settled = from;
    while (progress.kind === "wanted" && !isBusy()) {
      const before = progress.below;
      progress = await this.#fetchPage(peer, progress);
      const isFurther = progress.kind === "complete" || progress.below > before;
      if (!isFurther) {
        this.#spent.add(peer);
        break;
      }
      if (progress.kind === "wanted") this.#meter.add(progress.below - before);
    }
    return progress;
  }

  /** What a peer sends wrong ends its link; what does not fit is the store's business to forget. */
  async #fetchPage(peer: Peer, { base, lowest }: Wanted): Promise<Settled> {
    const { history } = this.#parts;
    const { signal } = this.#stop;
    const anchor = lowest ?? base;
    try {
      const { value } = await askOne(peer.link, {
        payload: {
          $case: "requestShieldedHistory",
          value: { anchorHash: decodeHex(anchor), maxBlocks: LIMITS.syncHistoryBlocks },
        },
        answer: "shieldedHistoryChunk",
        waitMs: LIMITS.syncStallMs,
        signal,
      });
      const [first] = value.entries;
      if (first !== undefined && encodeHex(first.blockHash) !== anchor) {
        throw badField("entries", "they begin elsewhere");
      }
      // The record of the block that was named comes first; below the top it is here already.
      const entries = lowest === null ? value.entries : value.entries.slice(1);
      const page = historyPageOf({ ...value, entries });
      if (page.count === 0) return await history.progress(signal);
      return await history.take(page.records, signal);
    } catch (error) {
      const fault = SvcError.from(error);
      if (!signal.aborted && !isOwnFault(fault)) peer.link.end(fault);
      throw error;
    }
  }
}
