/** Implements the servers' interface of the node's peers over hub, address book, ban list and dialling. */
import { SvcError } from "@svc/shared/base/svcError.ts";
import type { AddressBook } from "../../p2p/addresses/addressBook.ts";
import type { BanList } from "../../p2p/addresses/banList.ts";
import { addressText } from "../../platform/net/netAddress.ts";
import type { ConnectionManager } from "../../p2p/connect/connectionManager.ts";
import type { Peer } from "../../p2p/peers/peer.ts";
import type { PeerHub } from "../../p2p/peers/peerHub.ts";
import type { SyncManager } from "../../p2p/sync/syncManager.ts";
import type { SyncProgress as PeerProgress } from "../../p2p/sync/syncMeter.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { NetworkApi, PeerFacts, SyncProgress } from "../../rpc/service/networkApi.ts";
import { uuidText } from "./uuidText.ts";

/** Dependencies of the interface: the running parts of a network. */
export type NetworkParts = {
  readonly hub: Pick<PeerHub, "peers" | "disconnect">;
  readonly book: AddressBook;
  readonly bans: BanList;
  readonly connections: Pick<ConnectionManager, "request" | "isWanted">;
  readonly sync: Pick<SyncManager, "peer">;
  readonly progress: PeerProgress | null;
};

/** Makes the interface. */
export function createNetworkApi(parts: NetworkParts, clock: Pick<Clock, "steadyMs">): NetworkApi {
  const { hub, book, bans, connections, sync } = parts;
  return {
    peers: () => {
      const steadyMs = clock.steadyMs();
      return hub.peers.map((peer) => peerFacts(peer, steadyMs, sync.peer === peer));
    },
    addresses: () => book.list().map(addressText),
    banned: () => bans.list(),
    addPeer: (address, isPermanent) => connections.request(address, isPermanent),
    ban: (ip) => {
      if (connections.isWanted(ip)) return false;
      bans.ban(ip);
      hub.disconnect(ip, new SvcError("p2p/evicted", {}));
      book.forget(ip);
      return true;
    },
    unban: (ip) => {
      const was = bans.has(ip);
      bans.lift(ip);
      return was;
    },
    syncProgress: () => progressOf(parts.progress),
  };
}

function progressOf(progress: PeerProgress | null): SyncProgress | null {
  if (progress === null) return null;
  const { stage, done, total, perSecond, leftMs, peers } = progress;
  const whole = Math.max(total ?? done, done);
  return { stage, done, total: whole, blocksPerSecond: perSecond, etaMs: leftMs, peers };
}

function peerFacts(peer: Peer, steadyMs: bigint, isIbdPeer: boolean): PeerFacts {
  const { link, introduction, record } = peer;
  return {
    id: uuidText(introduction.id),
    address: addressText(link.remote),
    lastPingMs: record.lastPingMs,
    isOutbound: link.isOutbound,
    timeOffset: peer.timeOffsetMs,
    userAgent: introduction.userAgent,
    advertisedProtocolVersion: introduction.protocolVersion,
    timeConnected: steadyMs - peer.connectedMs,
    isIbdPeer,
    blocksRelayed: record.blocksRelayed,
  };
}
