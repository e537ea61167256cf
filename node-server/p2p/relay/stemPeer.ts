/** The stem peer: the one peer that gets payments of the stem phase, for an epoch (ADR 22). */
import { drawSample } from "../../platform/net/drawSample.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { hostOf } from "../../platform/net/netAddress.ts";
import type { Peer } from "../peers/peer.ts";

/** Dependencies of the choice. */
export type StemPeerParts = {
  readonly peers: () => readonly Peer[];
  readonly clock: Pick<Clock, "steadyMs">;
  /** At least 0 and below 1; nobody may be able to tell which. */
  readonly random: () => number;
};

/** Chooses among the peers that this node dialled: whoever dials us could else make sure to be chosen. */
export class StemPeer {
  readonly #parts: StemPeerParts;
  #chosen: Peer | null = null;
  #untilMs = 0n;
  /** Hosts that a payment was lost at in this epoch: whoever dials out and in again is the same. All of them were dialled. */
  readonly #distrusted = new Set<string>();

  constructor(parts: StemPeerParts) {
    this.#parts = parts;
  }

  /** The peer of this epoch, chosen now if there is none; null when no peer that was dialled takes stems. */
  choose(): Peer | null {
    const { clock, random } = this.#parts;
    const nowMs = clock.steadyMs();
    if (nowMs >= this.#untilMs) {
      this.#distrusted.clear();
      this.#chosen = null;
      const lengthMs = Math.round(P2P_LIMITS.p2pStemEpochMs * (0.5 + random()));
      this.#untilMs = nowMs + BigInt(lengthMs);
    }
    const candidates = this.#candidates();
    if (this.#chosen === null || !candidates.includes(this.#chosen)) {
      [this.#chosen = null] = drawSample(candidates, 1, random);
    }
    return this.#chosen;
  }

  /** A payment that went to this peer was not heard of again: it gets no further ones in this epoch if others take them. */
  distrust({ link }: Pick<Peer, "link">): void {
    this.#distrusted.add(hostOf(link.remote.ip));
  }

  #candidates(): Peer[] {
    const takers = this.#parts
      .peers()
      .filter(
        ({ link, introduction: { services, disableRelayTx } }) =>
          link.isOutbound && !link.signal.aborted && !disableRelayTx && announces(services, "stem"),
      );
    const trusted = takers.filter(({ link }) => !this.#distrusted.has(hostOf(link.remote.ip)));
    if (trusted.length > 0 || takers.length === 0) return trusted;
    // Without any stem the next payment would be named by who tells of it first; one that is swallowed is so only at times.
    this.#distrusted.clear();
    return takers;
  }
}
