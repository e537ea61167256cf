/** Interface of the node's peers for its servers. The application implements it over hub, address book, bans and dialling. */
import type { NetAddress } from "../../platform/net/netAddress.ts";

/** What is known of a peer. */
export type PeerFacts = {
  /** The UUID that it gave itself. */
  readonly id: string;
  /** `IP:PORT`; of an inbound peer a passing port. */
  readonly address: string;
  /** Milliseconds of the last ping and its answer; null before the first. */
  readonly lastPingMs: number | null;
  readonly isOutbound: boolean;
  /** Its clock behind ours, milliseconds. */
  readonly timeOffset: bigint;
  readonly userAgent: string;
  readonly advertisedProtocolVersion: number;
  /** Milliseconds since it came. */
  readonly timeConnected: bigint;
  /** The chain is being caught up with from it. */
  readonly isIbdPeer: boolean;
  /** Blocks that it was the first to bring. */
  readonly blocksRelayed: number;
};

/** Progress of catching up with the network. */
export type SyncProgress = {
  /** What is being fetched. */
  readonly stage: string;
  /** Of `total`, in the stage's own unit: blocks, headers, entries. */
  readonly done: number;
  readonly total: number;
  /** For display only. */
  readonly blocksPerSecond: number;
  /** Milliseconds until the end of the stage; null while nobody can tell. */
  readonly etaMs: number | null;
  /** Peers that take part. */
  readonly peers: number;
};

/** The peers of a node, and what an operator may do about them. */
export interface NetworkApi {
  peers(): readonly PeerFacts[];
  /** Known addresses, `IP:PORT`. */
  addresses(): readonly string[];
  /** Banned hosts; of IPv6 the first address of the /64. */
  banned(): readonly string[];
  /** Dials a peer, and again whenever it is gone if it is permanent. Throws `queue/full`. */
  addPeer(address: NetAddress, isPermanent: boolean): void;
  /** Ends all links of a host and takes none for a day. False for a host that was asked for, which stays. */
  ban(ip: string): boolean;
  /** Ends a ban. False when there is none. */
  unban(ip: string): boolean;
  /** null while nothing is being caught up with. */
  syncProgress(): SyncProgress | null;
}
