/**
 * The registry of connected peers: takes wires in, performs handshakes, starts the flows, and cleans up when a link ends.
 *
 * Links that have not shaken hands have a few places of their own and displace each other there; a peer gives way only to
 * one that is ready.
 */
import { infoOf } from "@svc/shared/base/errors.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { P2pPayload } from "@svc/shared/protocol/p2p/p2pEnvelope.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { Log } from "../../platform/log/log.ts";
import type { BanList } from "../addresses/banList.ts";
import { hostOf, isOneHost } from "../../platform/net/netAddress.ts";
import { shakeHands, type HandshakeParts, type Introduction } from "../handshake/handshake.ts";
import { judgePeer } from "../handshake/judgePeer.ts";
import { Link, newLinkBudgets } from "../link/link.ts";
import type { RemoteAddress, Wire } from "../link/wire.ts";
import { chooseEvicted, chooseHalfOpen } from "./chooseEvicted.ts";
import type { MisbehaviourScores } from "./misbehaviourScores.ts";
import { peerKey, type Peer } from "./peer.ts";

/** Dependencies of the hub. */
export type PeerHubParts = {
  /** What we say of ourselves; asked for each handshake. */
  readonly introduce: () => HandshakeParts["own"];
  readonly takesAgent: (userAgent: string) => boolean;
  /** Hexadecimal digest of the network's profile. */
  readonly digest: string;
  readonly maxInbound: number;
  readonly bans: BanList;
  readonly faults: MisbehaviourScores;
  /** Whether the operator asked for this host: it is neither banned nor turned away. */
  readonly isWanted: (ip: string) => boolean;
  /** Makes the routes of the flows; the returned call starts them, and they end with the link. */
  readonly prepareFlows: (peer: Peer) => () => void;
  readonly clock: Clock;
  readonly log: Log;
};

/** The connected peers of a node. */
export class PeerHub {
  readonly #parts: PeerHubParts;
  readonly #links = new Set<Link>();
  readonly #budgets = newLinkBudgets();
  /** Those that are ready. */
  readonly #peers = new Map<string, Peer>();
  /** Keys of those that have introduced themselves, ready or not. */
  readonly #keys = new Map<string, Link>();
  #stopped = false;

  constructor(parts: PeerHubParts) {
    this.#parts = parts;
  }

  /** Peers that have introduced themselves, in the order of their coming. */
  get peers(): Peer[] {
    return [...this.#peers.values()];
  }

  /** Whether somebody from this address may come in now. */
  admits({ ip }: RemoteAddress): boolean {
    const { bans, isWanted, maxInbound } = this.#parts;
    if (this.#stopped || maxInbound === 0) return false;
    if (isWanted(ip)) return true;
    if (bans.has(ip)) return false;
    const host = hostOf(ip);
    const isOfHost = ({ isOutbound, remote }: Link): boolean =>
      !isOutbound && hostOf(remote.ip) === host;
    const ofHost = [...this.#links].filter(isOfHost).length;
    if (isOneHost(ip) && ofHost >= P2P_LIMITS.p2pInboundPerHost) return false;
    return !this.#isFull() || this.#leastUseful() !== undefined;
  }

  /**
   * Takes a wire in and shakes hands over it. Rejects with `run/aborted` and with why the link ended: the errors of the
   * handshake, `p2p/evicted`, `node/stopping`. Until then it is nobody's peer.
   */
  async take(wire: Wire, signal?: AbortSignal): Promise<Peer> {
    const { clock, log } = this.#parts;
    const onUnknown = (number: number): void =>
      this.#charge(link, new SvcError("p2p/unknown-message", { number }));
    const link = new Link({ wire, clock, onUnknown, budgets: this.#budgets });
    this.#links.add(link);
    void link.ended
      .then((error) => this.#settle(link, error))
      .catch((error: unknown) => {
        log.error({ err: error }, "the end of a link could not be noted");
      });
    if (this.#stopped) link.end(new SvcError("node/stopping", {}));
    if (!link.isOutbound) this.#boundHalfOpen();
    return this.#introduce(link, signal);
  }

  async #introduce(link: Link, signal?: AbortSignal): Promise<Peer> {
    const { clock, log } = this.#parts;
    const { ip } = link.remote;
    let start = (): void => {};
    const prepare = (introduction: Introduction): Peer => {
      const made = this.#makePeer(link, introduction);
      this.#keys.set(made.key, link);
      start = this.#parts.prepareFlows(made);
      return made;
    };
    const handshake: HandshakeParts<Peer> = {
      own: this.#parts.introduce(),
      clock,
      judge: (introduction) => this.#judge(link, introduction),
      prepare,
    };
    const peer = await shakeHands(link, handshake, signal);
    // The link may have ended on the way here, and would be a peer for ever.
    if (link.signal.aborted) throw SvcError.from(link.signal.reason);
    if (!link.isOutbound) this.#makeRoom(link);
    // Nothing is said to a peer, by nobody, before both sides are ready.
    this.#peers.set(peer.key, peer);
    start();
    log.info({ peer: ip, outbound: link.isOutbound, peers: this.#peers.size }, "a peer came");
    return peer;
  }

  /** Sends a message to all peers but one. */
  broadcast(payload: P2pPayload, except?: Peer): void {
    for (const peer of this.#peers.values()) if (peer !== except) peer.link.send(payload);
  }

  /** Ends all links of a host. */
  disconnect(ip: string, error: SvcError): void {
    const host = hostOf(ip);
    for (const link of this.#links) if (hostOf(link.remote.ip) === host) link.end(error);
  }

  /** Ends all links and takes no more. */
  stop(): void {
    this.#stopped = true;
    for (const link of this.#links) link.end(new SvcError("node/stopping", {}));
  }

  #judge(link: Link, introduction: Introduction): void {
    const { introduce, takesAgent, digest } = this.#parts;
    const { id, network } = introduce();
    judgePeer(introduction, {
      ownId: id,
      network,
      digest,
      isKnown: (peer) => this.#keys.has(peerKey(link, peer)),
      takesAgent,
    });
  }

  #makePeer(link: Link, introduction: Introduction): Peer {
    const { clock } = this.#parts;
    return {
      key: peerKey(link, introduction),
      link,
      introduction,
      connectedMs: clock.steadyMs(),
      timeOffsetMs: clock.nowMs() - introduction.timestamp,
      record: { blocksRelayed: 0, lastPingMs: null },
    };
  }

  #settle(link: Link, error: SvcError): void {
    this.#links.delete(link);
    for (const [key, holder] of this.#keys) {
      if (holder !== link) continue;
      this.#keys.delete(key);
      this.#peers.delete(key);
    }
    const { ip } = link.remote;
    const { penalty, log: level } = infoOf(error);
    // A defect of ours is never a quiet matter.
    const loud = level === "error" ? level : "debug";
    this.#parts.log[loud]({ peer: ip, err: error, penalty }, "a link ended");
    this.#charge(link, error);
  }

  #charge(link: Link, error: SvcError): void {
    const { bans, faults, isWanted, log } = this.#parts;
    const { ip } = link.remote;
    if (isWanted(ip) || !faults.charge(ip, error)) return;
    link.end(error);
    // Whoever is on this machine shares its address with everybody else on it.
    if (!isOneHost(ip)) return;
    log.info({ peer: ip, code: error.code }, "a host is banned for a day");
    bans.ban(ip);
    // For the others it is no fault of their own: one fault is charged once.
    this.disconnect(ip, new SvcError("p2p/evicted", {}));
  }

  /** Half-open links displace each other, and nobody else. */
  #boundHalfOpen(): void {
    const ready = new Set([...this.#peers.values()].map(({ link }) => link));
    const halfOpen = [...this.#links].filter(
      (link) => !link.isOutbound && !link.signal.aborted && !ready.has(link),
    );
    if (halfOpen.length <= P2P_LIMITS.p2pHalfOpen) return;
    chooseHalfOpen(halfOpen)?.end(new SvcError("p2p/evicted", {}));
  }

  #inbound(): Peer[] {
    return this.peers.filter(({ link }) => !link.isOutbound && !link.signal.aborted);
  }

  #isFull(): boolean {
    return this.#inbound().length >= this.#parts.maxInbound;
  }

  #leastUseful(): Peer | undefined {
    return chooseEvicted(
      this.#inbound().filter(({ link }) => !this.#parts.isWanted(link.remote.ip)),
    );
  }

  /** Throws `p2p/evicted` when all who are there have earned their places. */
  #makeRoom(newcomer: Link): void {
    if (!this.#isFull() || this.#parts.isWanted(newcomer.remote.ip)) return;
    const error = new SvcError("p2p/evicted", {});
    const evicted = this.#leastUseful();
    (evicted?.link ?? newcomer).end(error);
    if (evicted === undefined) throw error;
  }
}
