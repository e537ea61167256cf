/**
 * Downloads the anchor log from before the block that this node's store began at, from one peer after the other (specification
 * network 1.8 L).
 *
 * It is fetched while nothing is caught up with, and goes on where it was after a restart. The log that was imported with the state
 * covers every page, so a page is right or its giver lied.
 */
import { decodeHex } from "@svc/shared/base/hex.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { LogProgress } from "../../engine/calls/importCalls.ts";
import type { LogImport } from "../../engine/import/logImport.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { Peer } from "../peers/peer.ts";
import { FetchRounds } from "../peers/fetchRounds.ts";
import { askOne } from "./holdConversation.ts";
import { SyncMeter, type SyncProgress } from "./syncMeter.ts";

/** Dependencies of the download. */
export type LogSyncParts = {
  readonly anchorLog: Pick<LogImport, "progress" | "take">;
  readonly peers: () => readonly Peer[];
  /** Whether the chain is being caught up with: that goes first. */
  readonly isBusy: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

type Wanted = Extract<LogProgress, { kind: "wanted" }>;

/** Downloads the anchor log until nothing is lacking, and again when the chain begins anew. */
export class LogSync {
  readonly #parts: LogSyncParts;
  readonly #turns: FetchRounds;
  /** When peers had no page, in milliseconds of the steady clock. */
  readonly #hadNone = new WeakMap<Peer, bigint>();
  /** In which round peers were asked last. */
  readonly #lastRound = new WeakMap<Peer, number>();
  #rounds = 0;
  readonly #meter: SyncMeter;

  constructor(parts: LogSyncParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    this.#meter = new SyncMeter(clock, (stage) => log.debug({ stage }, "a stage begins"));
    this.#turns = new FetchRounds({
      clock,
      pauseMs: P2P_LIMITS.syncLogPauseMs,
      round: () => this.#round(),
      // The engine restarts, or the state is not there yet, or a peer is gone.
      failed: (error) => log.debug({ err: error }, "the anchor log is not fetched now"),
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

  /** Fetches from one peer as long as it has something, and its turn lasts. Returns whether another round is due at once. */
  async #round(): Promise<boolean> {
    const { anchorLog, isBusy, log } = this.#parts;
    if (isBusy()) return false;
    const wanted = await anchorLog.progress(this.#turns.signal);
    const peer = wanted.kind === "wanted" ? this.#nextPeer() : undefined;
    if (wanted.kind !== "wanted" || peer === undefined) return false;
    this.#rounds += 1;
    this.#lastRound.set(peer, this.#rounds);
    this.#meter.begin("log", Number(wanted.count));
    this.#meter.add(Number(wanted.first));
    try {
      const progress = await this.#fetch(peer, wanted);
      if (progress.kind === "complete") log.info("the anchor log is complete");
      return progress.kind === "wanted" && progress.first > wanted.first;
    } finally {
      this.#meter.end();
    }
  }

  /**
   * The peer of our own kind that was asked longest ago: to others a question they do not know would cost the link. None of those
   * that had nothing of late.
   */
  #nextPeer(): Peer | undefined {
    const { clock, peers } = this.#parts;
    const before = clock.steadyMs() - BigInt(P2P_LIMITS.syncLogAgainMs);
    const able = peers().filter((peer) => {
      const hadNone = this.#hadNone.get(peer);
      const isAble = announces(peer.introduction.services, "anchorLog");
      return isAble && (hadNone === undefined || hadNone <= before);
    });
    const roundOf = (peer: Peer): number => this.#lastRound.get(peer) ?? 0;
    return able.toSorted((a, b) => roundOf(a) - roundOf(b))[0];
  }

  async #fetch(peer: Peer, from: Wanted): Promise<LogProgress> {
    const { clock, isBusy } = this.#parts;
    let progress: LogProgress = from;
    for (let pages = 0; pages < P2P_LIMITS.syncLogPages; pages += 1) {
      if (progress.kind !== "wanted" || isBusy()) break;
      const page = await this.#askPage(peer, progress);
      if (page.length === 0) {
        this.#hadNone.set(peer, clock.steadyMs());
        break;
      }
      const { first } = progress;
      progress = await this.#take(peer, progress, page);
      if (progress.kind === "wanted") this.#meter.add(Number(progress.first - first));
    }
    return progress;
  }

  /** A page that is refused is its giver's fault, unless another one is wanted by now: the chain began anew. */
  async #take(peer: Peer, wanted: Wanted, page: Uint8Array): Promise<LogProgress> {
    const { anchorLog } = this.#parts;
    const { signal } = this.#turns;
    try {
      return await anchorLog.take(page, signal);
    } catch (error) {
      const now = await anchorLog.progress(signal);
      const isSame =
        now.kind === "wanted" && now.base === wanted.base && now.first === wanted.first;
      throw isSame ? this.#turns.lose(peer, error) : error;
    }
  }

  /** The page that is lacking next; empty where the peer has none. */
  async #askPage(peer: Peer, { base, count, first }: Wanted): Promise<Uint8Array> {
    try {
      const { value } = await askOne(peer.link, {
        payload: {
          $case: "requestAnchorLog",
          value: { baseHash: decodeHex(base), count, first },
        },
        answers: ["anchorLogPage"],
        waitMs: P2P_LIMITS.syncStallMs,
        signal: this.#turns.signal,
      });
      return value.page;
    } catch (error) {
      throw this.#turns.lose(peer, error);
    }
  }
}
