/** The one peer that gets payments on their stem, for an epoch (ADR 22). */
import { drawSome } from "@svc/shared/base/drawSome.ts";
import { LIMITS } from "@svc/shared/base/limits.ts";
import { announces } from "@svc/shared/protocol/p2p/p2pServices.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Link } from "../link/link.ts";
import type { Peer } from "../peers/peer.ts";

/** What the choice is made from. */
export type StemPeerParts = {
  readonly peers: () => readonly Peer[];
  readonly clock: Pick<Clock, "nowMs">;
  /** At least 0 and below 1; nobody may be able to tell which. */
  readonly random: () => number;
};

/** Chooses among the peers that this node dialled: whoever dials us could else make sure to be chosen. */
export class StemPeer {
  readonly #parts: StemPeerParts;
  #chosen: Peer | null = null;
  #untilMs = 0n;
  /** Links over which a payment was lost in this epoch. */
  #distrusted = new WeakSet<Link>();

  constructor(parts: StemPeerParts) {
    this.#parts = parts;
  }

  /** The peer of this epoch, chosen now if there is none; null when no peer that was dialled takes stems. */
  choose(): Peer | null {
    const { clock, random } = this.#parts;
    const nowMs = clock.nowMs();
    if (nowMs >= this.#untilMs) {
      this.#distrusted = new WeakSet();
      this.#chosen = null;
      const lengthMs = Math.round(LIMITS.p2pStemEpochMs * (0.5 + random()));
      this.#untilMs = nowMs + BigInt(lengthMs);
    }
    const candidates = this.#candidates();
    if (this.#chosen === null || !candidates.includes(this.#chosen)) {
      [this.#chosen = null] = drawSome(candidates, 1, random);
    }
    return this.#chosen;
  }

  /** A payment that went over this link was not heard of again: it gets no further ones in this epoch. */
  distrust(link: Link): void {
    this.#distrusted.add(link);
  }

  #candidates(): Peer[] {
    return this.#parts
      .peers()
      .filter(
        ({ link, introduction: { services, disableRelayTx } }) =>
          link.isOutbound &&
          !link.signal.aborted &&
          !disableRelayTx &&
          announces(services, "stem") &&
          !this.#distrusted.has(link),
      );
  }
}
