/**
 * Periodic check that a chain begun at a peer's pruning point was a good choice. If the heaviest chain is refused here, soon
 * above that pruning point, the node starts its store anew with another peer (decision record 28).
 */
import type { BlockHash } from "@svc/shared/base/brand.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { ReaderHost } from "../../engine/read/readerHost.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import { hostOf } from "../../platform/net/netAddress.ts";
import type { Peer } from "../peers/peer.ts";
import { askFacts } from "../../engine/calls/askFacts.ts";

/** Dependencies of the check. */
export type SnapshotDoubtMonitorParts = {
  readonly reader: Pick<ReaderHost, "ask">;
  readonly peers: () => readonly Peer[];
  /** Begins to catch up with a peer that has this block. */
  readonly tell: (peer: Peer, hash: BlockHash) => void;
  /** Blue score above the refused block from which on it is doubted. */
  readonly depth: bigint;
  readonly clock: Clock;
  readonly log: Log;
};

/** Runs the check while the node runs. */
export class SnapshotDoubtMonitor {
  readonly #parts: SnapshotDoubtMonitorParts;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  /** Host of the peer whose pruning point this store began at, as far as this process knows. */
  #giver: string | null = null;
  /** Unix milliseconds before which nothing is begun anew. */
  #pauseUntilMs = 0n;

  constructor(parts: SnapshotDoubtMonitorParts) {
    this.#parts = parts;
  }

  /** Begins to look. */
  start(): void {
    this.#running = this.#run();
  }

  /** Looks no more. Calling it again does nothing. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** The store began at the pruning point of this peer. */
  begunWith({ link }: Peer): void {
    this.#giver = hostOf(link.remote.ip);
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await clock.sleep(P2P_LIMITS.syncDoubtLookMs, signal).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.#look(signal);
      } catch (error) {
        if (!signal.aborted) log.debug({ err: error }, "the beginning could not be looked at");
      }
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { reader, depth, clock, log, tell } = this.#parts;
    const { doubt, point } = await askFacts(reader, "beginning", [], signal);
    const steadyMs = clock.steadyMs();
    if (doubt === null || doubt.above < depth || steadyMs < this.#pauseUntilMs) return;
    const candidates = this.#candidates();
    if (candidates.length === 0) return;
    this.#pauseUntilMs = steadyMs + BigInt(P2P_LIMITS.syncDoubtPauseMs);
    const { block, reason, above } = doubt;
    log.warn(
      { code: reason, block, above, pruningPoint: point },
      "the heaviest chain is refused soon above the point that this store began at: beginning anew with another peer",
    );
    const { headersTip } = await askFacts(reader, "tip", [], signal);
    for (const peer of candidates) tell(peer, headersTip);
  }

  /** Others than the one that gave the point, if there are any. */
  #candidates(): readonly Peer[] {
    const peers = this.#parts.peers();
    const others = peers.filter(({ link }) => hostOf(link.remote.ip) !== this.#giver);
    return others.length > 0 ? others : peers;
  }
}
