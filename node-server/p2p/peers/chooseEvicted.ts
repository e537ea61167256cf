/**
 * Eviction of inbound peers: who gives way when a new one is ready and wants the last place (specification network 10.6).
 *
 * The oldest, the quickest and those that brought blocks stay: an attacker cannot have all three cheaply. Of the others
 * one goes that shares its neighbourhood with the most, the newest of them.
 */
import { P2P_LIMITS } from "../p2pLimits.ts";
import { bucketOf } from "../../platform/net/netAddress.ts";
import type { Link } from "../link/link.ts";
import type { Peer } from "./peer.ts";

/** The inbound peer to evict; undefined when all have earned their places. */
export function chooseEvicted(inbound: readonly Peer[]): Peer | undefined {
  const kept = new Set<Peer>();
  const keep = (rank: (peer: Peer) => number): void => {
    const ranked = inbound.toSorted((a, b) => rank(a) - rank(b));
    for (const peer of ranked.slice(0, P2P_LIMITS.p2pProtectedPeers)) kept.add(peer);
  };
  keep(({ connectedMs }) => Number(connectedMs));
  keep(({ record }) => record.lastPingMs ?? Infinity);
  keep(({ record }) => -record.blocksRelayed);
  const others = inbound.filter((peer) => !kept.has(peer));
  const crowd = crowdsBy(others, ({ link }) => link.remote.ip);
  const [first] = others.toSorted(
    (a, b) => crowd(b) - crowd(a) || Number(b.connectedMs - a.connectedMs),
  );
  return first;
}

/**
 * The half-open link to evict: the oldest of the largest neighbourhood. A peer that means it has shaken hands long before its
 * link is the oldest. `links` are in the order of their coming.
 */
export function chooseHalfOpen(links: readonly Link[]): Link | undefined {
  const crowd = crowdsBy(links, ({ remote }) => remote.ip);
  const [first] = links.toSorted((a, b) => crowd(b) - crowd(a));
  return first;
}

/** How many share the neighbourhood of each. */
function crowdsBy<T>(members: readonly T[], ipOf: (member: T) => string): (member: T) => number {
  const inBucket = new Map<string, number>();
  for (const member of members) {
    const bucket = bucketOf(ipOf(member));
    inBucket.set(bucket, (inBucket.get(bucket) ?? 0) + 1);
  }
  return (member) => inBucket.get(bucketOf(ipOf(member))) ?? 0;
}
