/**
 * Who gives way when a new inbound peer wants the last place (specification network 10.6).
 *
 * The oldest, the quickest and those that brought blocks stay: an attacker cannot have all three cheaply. Of the others
 * one goes that shares its neighbourhood with the most, the newest of them.
 */
import { LIMITS } from "@svc/shared/base/limits.ts";
import { bucketOf } from "../addresses/netAddress.ts";
import type { Peer } from "./peer.ts";

/** The peer to end; undefined when all have earned their places. */
export function chooseEvicted(inbound: readonly Peer[]): Peer | undefined {
  const kept = new Set<Peer>();
  const keep = (rank: (peer: Peer) => number): void => {
    const ranked = inbound.toSorted((a, b) => rank(a) - rank(b));
    for (const peer of ranked.slice(0, LIMITS.p2pProtectedPeers)) kept.add(peer);
  };
  keep(({ connectedMs }) => Number(connectedMs));
  keep(({ record }) => record.lastPingMs ?? Infinity);
  keep(({ record }) => -record.blocksRelayed);
  const others = inbound.filter((peer) => !kept.has(peer));
  const inBucket = new Map<string, number>();
  for (const peer of others) {
    const bucket = bucketOf(peer.link.remote.ip);
    inBucket.set(bucket, (inBucket.get(bucket) ?? 0) + 1);
  }
  const crowd = (peer: Peer): number => inBucket.get(bucketOf(peer.link.remote.ip)) ?? 0;
  const [first] = others.toSorted(
    (a, b) => crowd(b) - crowd(a) || Number(b.connectedMs - a.connectedMs),
  );
  return first;
}
