/**
 * The feed of chain changes to whoever scans them: `ChainFollower` asks the node, a queue hands on what came, one change at a
 * time. Asking never waits for what a scan finds (decision 23); only for room in the queue.
 */
import { abortable } from "../../base/abort.ts";
import type { SvcError } from "../../base/svcError.ts";
import { Mutex } from "../state/mutex.ts";
import { tipOf, type ChainView } from "../state/chainView.ts";
import { WALLET_LIMITS } from "../walletLimits.ts";
import type { FoundStart } from "./birthday.ts";
import { ChainFollower, type ChainChange, type FollowerParts } from "./chainFollower.ts";
import { ChangeQueue } from "./changeQueue.ts";
import type { AskerState } from "./evidenceAsker.ts";

/** Dependencies of a feed: those of its follower, and who takes the changes. */
export type FeedParts = Omit<FollowerParts, "hand"> & {
  /** Applies one change; the next one waits for it. */
  readonly take: (change: ChainChange) => Promise<void>;
  /** The blocks of the last change that was applied: where to ask again after a fault of the node's bytes. */
  readonly applied: () => ChainView;
  /** What was proved by then, for whoever asks for evidence. */
  readonly proved?: () => AskerState;
};

/** Asks a node for the chain from a view on, and hands on what changed. */
export class ChainFeed {
  readonly #parts: FeedParts;
  readonly #follower: ChainFollower;
  readonly #queue: ChangeQueue;
  /** One walk along the node's chain at a time. */
  readonly #walks = new Mutex();
  /** Ends the walks that were asked for so far: a scan that begins anew does not wait for them. */
  #walk = new AbortController();

  constructor(parts: FeedParts, view: ChainView) {
    this.#parts = parts;
    this.#queue = new ChangeQueue(parts.take);
    const hand = (change: ChainChange, signal: AbortSignal) => this.#hand(change, signal);
    this.#follower = new ChainFollower({ ...parts, hand }, view);
  }

  /** What stands between the pages that came and those who take them; null for nothing. */
  get fault(): SvcError | null {
    return this.#queue.fault;
  }

  /** The last block of all that was asked for. */
  get asked(): ChainView[number] {
    return this.#follower.asked;
  }

  /**
   * Asks the node for everything new. Resolves when all pages have come, whether or not they were taken; and when `restart`
   * takes its place. Rejects as `ChainFollower.follow` does, or with a fault of this machine behind which the pages wait.
   */
  follow(signal: AbortSignal): Promise<void> {
    const walk = this.#walk.signal;
    return this.#walks.run(async () => {
      if (this.#queue.mend()) this.#takeBack();
      this.#queue.work();
      const either = AbortSignal.any([signal, walk]);
      try {
        await this.#waitForRoom(either);
        await this.#follower.follow(either);
      } catch (error) {
        if (signal.aborted || !walk.aborted) throw error;
      }
    });
  }

  /** Resolves when everything that came was taken, or `fault` stands in the way. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }

  /** Waits for everything that came. Rejects with `fault`, and with `run/aborted`. */
  async finish(signal: AbortSignal): Promise<void> {
    await abortable(this.#queue.settled(), signal);
    const { fault } = this.#queue;
    if (fault !== null) throw fault;
  }

  /** Begins anew, at once: a walk that is under way ends. `find` is asked where. */
  async restart(find: () => Promise<FoundStart>, signal: AbortSignal): Promise<void> {
    this.#walk.abort();
    this.#walk = new AbortController();
    await this.#walks.run(async () => this.#follower.restart(await find(), signal));
  }

  /**
   * Does work while nothing is asked for and everything that came was taken: a walk that is under way ends. Then the node is asked as
   * after a new start of the program. Null, and nothing done, where a fault stands in the way.
   */
  async between<T>(work: () => Promise<T>): Promise<T | null> {
    this.#walk.abort();
    this.#walk = new AbortController();
    return this.#walks.run(async () => {
      await this.#queue.settled();
      if (this.#queue.fault !== null) return null;
      try {
        return await work();
      } finally {
        this.#takeBack();
      }
    });
  }

  /** Forgets what waits, and resolves when the change at hand was taken. */
  async close(): Promise<void> {
    this.#queue.clear();
    await this.#queue.settled();
  }

  /** Back to what was applied. */
  #takeBack(): void {
    const { applied, proved, evidence, payloads } = this.#parts;
    const view = applied();
    this.#follower.reset(view);
    if (proved === undefined) return;
    const known = proved();
    evidence?.reset(known);
    payloads?.reset(known.proof, tipOf(view).chainIndex);
  }

  /** Backpressure: whoever asks for pages waits for room by whole steps of time, so that little shows of what a scan took. */
  async #hand(change: ChainChange, signal: AbortSignal): Promise<void> {
    this.#queue.add(change);
    await this.#waitForRoom(signal);
  }

  /** Rejects with a fault of this machine that stands in the way, so that it is told and nothing waits behind it for ever. */
  async #waitForRoom(signal: AbortSignal): Promise<void> {
    while (this.#queue.isFull) {
      await this.#parts.clock.sleep(WALLET_LIMITS.walletStallStepMs, signal);
      const { stuck } = this.#queue;
      if (stuck !== null) throw stuck;
      this.#queue.work();
    }
  }
}
