/** Fake peers of a node, for tests of what is told about them. */
import type { NetworkApi, PeerFacts } from "../service/networkApi.ts";

/** A peer at this address. */
export function fakePeer(address: string, over: Partial<PeerFacts> = {}): PeerFacts {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    address,
    lastPingMs: 12,
    isOutbound: true,
    timeOffset: 0n,
    userAgent: "/a/",
    advertisedProtocolVersion: 7,
    timeConnected: 5_000n,
    isIbdPeer: false,
    blocksRelayed: 3,
    ...over,
  };
}

/** A network of these peers. */
export function fakeNetwork(peers: readonly PeerFacts[]): NetworkApi {
  return {
    peers: () => peers,
    addresses: () => peers.map(({ address }) => address),
    banned: () => [],
    addPeer: () => {},
    ban: () => false,
    unban: () => false,
    syncProgress: () => null,
  };
}
