/**
 * Initial block download, and catching up later: follows one peer's chain at a time, the next peer's when that fails
 * (specification network 1.8, decision record 19).
 *
 * Peers whose blocks are far ahead are remembered with the last one they announced. While nobody is being caught up with,
 * the one that was told of first is tried, those that this node dialled before the others; who lied or stalled loses its link
 * and its place goes to the next.
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { catchUp, type CatchUpParts, type Found, type Goal } from "./catchUp.ts";
import type { SyncMeter, SyncProgress } from "./syncMeter.ts";

/** Dependencies of the sync manager. */
export type SyncManagerParts = Omit<CatchUpParts, "nowMs" | "steadyMs" | "syncFromSnapshot"> & {
  readonly syncFromSnapshot: (found: Found, signal: AbortSignal) => Promise<void>;
  /** Goes on with what was announced meanwhile. */
  readonly onCaughtUp: (goals: readonly Goal[]) => void;
  readonly meter: SyncMeter;
  readonly clock: Clock;
  readonly log: Log;
};

/** Chooses peers to catch up with, and retries with backoff. */
export class SyncManager {
  readonly #parts: SyncManagerParts;
  /** Peers that are ahead, in the order in which they told, each with its last word. */
  readonly #goals = new Map<Peer, BlockHash>();
  /** Peers whose end is waited for: once each, however often they tell. */
  readonly #watched = new WeakSet<Peer>();
  /** Peers whose chain turned out to be no better, and until when nothing they say of it counts. */
  readonly #ignored = new WeakMap<Peer, bigint>();
  readonly #stop = new AbortController();
  #news: PromiseWithResolvers<void> = Promise.withResolvers();
  #running: Promise<void> = Promise.resolve();
  #isBusy = false;
  #peer: Peer | null = null;
  /** Own faults one after the other: each makes the next pause twice as long. */
  #ownFaults = 0;

  constructor(parts: SyncManagerParts) {
    this.#parts = parts;
  }

  /** Begins to catch up whenever there is somebody to catch up with. */
  start(): void {
    this.#running = this.#run();
  }

  /** Gives up what is under way; what came of it stays. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#news.resolve();
    await this.#running;
  }

  /** Whether somebody is being caught up with: single blocks are not fetched meanwhile. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Whose chain is being caught up with. */
  get peer(): Peer | null {
    return this.#peer;
  }

  /** How far it is; null when nobody is being caught up with. */
  get progress(): SyncProgress | null {
    return this.#parts.meter.progress;
  }

  /** Whether the node is behind: see [`SyncMeter.lacksBodies`]. */
  get lacksBodies(): boolean {
    return this.#parts.meter.lacksBodies;
  }

  /** A peer has a block that is far ahead of what is here. */
  tell(peer: Peer, hash: BlockHash): void {
    if (this.#stop.signal.aborted || peer.link.signal.aborted) return;
    const untilMs = this.#ignored.get(peer);
    if (untilMs !== undefined && this.#parts.clock.steadyMs() < untilMs) return;
    this.#goals.set(peer, hash);
    this.#isBusy = true;
    this.#news.resolve();
    if (this.#watched.has(peer)) return;
    this.#watched.add(peer);
    void peer.link.ended.then(() => this.#goals.delete(peer));
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#news = Promise.withResolvers();
      const next = this.#next();
      this.#isBusy = next !== undefined;
      if (next === undefined) await this.#news.promise;
      else await this.#attempt({ peer: next[0], hash: next[1] });
    }
  }

  /** Peers that this node chose come first: whoever wants to hold it up can come in as often as it likes. */
  #next(): readonly [Peer, BlockHash] | undefined {
    const goals = [...this.#goals];
    return goals.find(([{ link }]) => link.isOutbound) ?? goals[0];
  }

  async #attempt(goal: Goal): Promise<void> {
    const { meter, log, onCaughtUp } = this.#parts;
    const { peer, hash } = goal;
    const { signal } = this.#stop;
    const ip = peer.link.remote.ip;
    log.info({ peer: ip, block: hash }, "catching up");
    this.#peer = peer;
    try {
      await catchUp(this.#catchUpParts(), goal, signal);
      meter.end();
      this.#ownFaults = 0;
      log.info({ peer: ip }, "caught up");
      const goals = [...this.#goals].map(([other, last]) => ({ peer: other, hash: last }));
      this.#goals.clear();
      this.#isBusy = false;
      onCaughtUp(goals);
    } catch (error) {
      meter.end();
      if (signal.aborted) return;
      await this.#settle(goal, SvcError.from(error));
    } finally {
      this.#peer = null;
    }
  }

  async #settle({ peer, hash }: Goal, error: SvcError): Promise<void> {
    const { clock, log } = this.#parts;
    // A peer that is gone was let go for what it did, whatever its end is called.
    const isOwn = !peer.link.signal.aborted && isOfClass(error, "own");
    log.warn({ peer: peer.link.remote.ip, err: error }, "catching up has failed");
    // Others go first; whoever has said more meanwhile is not forgotten.
    const last = this.#goals.get(peer);
    this.#goals.delete(peer);
    if (isOwn && last !== undefined) this.#goals.set(peer, last);
    else if (last !== undefined && last !== hash) this.#goals.set(peer, last);
    if (isOfClass(error, "blameless")) {
      this.#goals.delete(peer);
      this.#ignored.set(peer, clock.steadyMs() + BigInt(P2P_LIMITS.syncIgnoreMs));
    } else if (!isOwn) peer.link.end(error);
    this.#ownFaults = isOwn ? Math.min(this.#ownFaults + 1, P2P_LIMITS.syncPauseDoublings) : 0;
    const pauseMs = P2P_LIMITS.syncPauseMs * 2 ** this.#ownFaults;
    await clock.sleep(pauseMs, this.#stop.signal).catch(() => undefined);
  }

  #catchUpParts(): CatchUpParts {
    const { clock, syncFromSnapshot } = this.#parts;
    const { signal } = this.#stop;
    return {
      ...this.#parts,
      nowMs: () => clock.nowMs(),
      steadyMs: () => clock.steadyMs(),
      syncFromSnapshot: (found) => syncFromSnapshot(found, signal),
    };
  }
}
