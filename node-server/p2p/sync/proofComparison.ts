/**
 * Compares the pruning proofs of several peers before an import takes the place of a store that is empty or provisional
 * (decision record 28): the first peer of a new node must not decide alone which chain it begins with.
 */
import { isOfClass } from "@svc/shared/base/codeClasses.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { StagedImport } from "../../engine/import/stagedImport.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Peer } from "../peers/peer.ts";
import { askProof } from "./fetchPoint.ts";

/** Dependencies of the comparison. */
export type ProofComparisonParts = {
  /** Peers that are ready, in any order. */
  readonly peers: () => readonly Peer[];
  /** Whether more of those that this node dials may be ready soon. */
  readonly isLooking: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
};

type Judge = Pick<StagedImport, "isOutdoneBy">;

/** Compares the proof of one import with those of other peers. */
export class ProofComparison {
  readonly #parts: ProofComparisonParts;
  /** Peers that are not asked any more. */
  readonly #asked: Set<Peer>;
  /** Peers that this node dialled and whose proof is known to be no better, that of the import among them. */
  #heard: number;

  /** `goal` is the peer whose proof the import has. */
  constructor(parts: ProofComparisonParts, goal: Peer) {
    this.#parts = parts;
    this.#asked = new Set([goal]);
    this.#heard = goal.link.isOutbound ? 1 : 0;
  }

  /**
   * Compares with peers that this node dialled, as far as they are there, until there are enough. Rejects with `sync/outdone`
   * when one of them shows more work, and with faults of this node. A peer that sends something else loses its link.
   */
  async contest(staged: Judge, signal: AbortSignal): Promise<void> {
    for (let rival = this.#next(); rival !== undefined; rival = this.#next()) {
      this.#asked.add(rival);
      const isBetter = await this.#isBetter(staged, rival, signal);
      if (isBetter === true) throw new SvcError("sync/outdone", {});
      if (isBetter === false) this.#heard += 1;
    }
  }

  /** As `contest`, and waits for a while where fewer are there than should be and more may come. */
  async settle(staged: Judge, signal: AbortSignal): Promise<void> {
    const { clock, isLooking } = this.#parts;
    const untilMs = clock.steadyMs() + BigInt(P2P_LIMITS.syncRivalWaitMs);
    for (;;) {
      await this.contest(staged, signal);
      const isOver =
        this.#heard >= P2P_LIMITS.syncRivals || !isLooking() || clock.steadyMs() >= untilMs;
      if (isOver) return;
      await clock.sleep(P2P_LIMITS.syncRivalLookMs, signal);
    }
  }

  #next(): Peer | undefined {
    if (this.#heard >= P2P_LIMITS.syncRivals) return undefined;
    const isFit = (peer: Peer): boolean =>
      peer.link.isOutbound && !peer.link.signal.aborted && !this.#asked.has(peer);
    return this.#parts.peers().find(isFit);
  }

  /** null where the peer did not say. */
  async #isBetter(staged: Judge, { link }: Peer, signal: AbortSignal): Promise<boolean | null> {
    try {
      const proof = await askProof(link, P2P_LIMITS.syncRivalProofMs, signal);
      return proof === null ? null : await staged.isOutdoneBy(proof, signal);
    } catch (thrown) {
      const fault = SvcError.from(thrown);
      if (signal.aborted || (!link.signal.aborted && isOfClass(fault, "own"))) throw fault;
      this.#parts.log.debug({ err: fault }, "a proof could not be compared");
      // Making a proof may take a peer longer than an import waits for a rival.
      if (fault.code !== "p2p/stalled") link.end(fault);
      return null;
    }
  }
}
