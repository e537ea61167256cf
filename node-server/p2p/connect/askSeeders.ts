/**
 * Peer discovery by DNS: asks the network's seeders, names whose A and AAAA records are addresses of nodes (specification
 * network 1.9).
 */
import { Resolver } from "node:dns/promises";
import { throwIfAborted } from "@svc/shared/base/abort.ts";
import { drawSample } from "../../platform/net/drawSample.ts";
import { P2P_LIMITS } from "../p2pLimits.ts";
import type { Log } from "../../platform/log/log.ts";
import {
  addressText,
  isRoutable,
  parseNetAddress,
  type NetAddress,
} from "../../platform/net/netAddress.ts";

/** Dependencies of peer discovery: the seeders, and how to ask them. */
export type SeederParts = {
  /** Host names. */
  readonly seeders: readonly string[];
  /** Of every node that a seeder names. */
  readonly port: number;
  /** Outbound peers that the node wants. */
  readonly outbound: number;
  /** At least 0 and below 1, nobody knows which. */
  readonly random: () => number;
  /** Name servers, `IP:PORT`; those of the system when left out. */
  readonly nameServers?: readonly string[];
  readonly log: Log;
};

/** Asks the seeders for about as many addresses as are wanted. */
export type AskSeeders = (count: number, signal: AbortSignal) => Promise<NetAddress[]>;

/**
 * Makes the DNS query to the seeders; null when there are none. All seeders are asked at once when more than half of the peers
 * are missing, else one after the other until there are enough addresses. A seeder that does not answer is passed over. Rejects
 * with `run/aborted`.
 */
export function createAskSeeders(parts: SeederParts): AskSeeders | null {
  const { seeders, outbound } = parts;
  if (seeders.length === 0) return null;
  return async (count, signal) => {
    throwIfAborted(signal);
    const isUrgent = count / P2P_LIMITS.p2pSeedFactor > outbound / 2;
    const steps = isUrgent ? [seeders] : shuffled(seeders, parts.random).map((name) => [name]);
    const found = new Map<string, NetAddress>();
    for (const names of steps) {
      const answers = await Promise.all(names.map((name) => askOne(name, parts, signal)));
      throwIfAborted(signal);
      for (const address of answers.flat()) found.set(addressText(address), address);
      if (found.size >= count) break;
    }
    return [...found.values()];
  };
}

/**
 * The same for a node behind a proxy: nobody is asked over DNS, whose queries would not go through the proxy. Some of the
 * seeders' names are given out as addresses of peers; the proxy looks them up, and whichever node it reaches is asked for
 * addresses like any peer. null when there are no seeders.
 */
export function createNamedSeeders({
  seeders,
  port,
  random,
}: Pick<SeederParts, "seeders" | "port" | "random">): AskSeeders | null {
  if (seeders.length === 0) return null;
  return (_count, signal) => {
    throwIfAborted(signal);
    const names = drawSample(seeders, P2P_LIMITS.p2pSeedersDialled, random);
    return Promise.resolve(names.map((name) => ({ ip: name, port })));
  };
}

async function askOne(
  name: string,
  { port, nameServers, log }: SeederParts,
  signal: AbortSignal,
): Promise<NetAddress[]> {
  const resolver = new Resolver({
    timeout: P2P_LIMITS.p2pSeedTryMs,
    tries: P2P_LIMITS.p2pSeedTries,
  });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  const bounded = async (question: Promise<string[]>): Promise<string[]> => {
    try {
      return (await question).slice(0, P2P_LIMITS.p2pSeedAnswers);
    } catch (error) {
      log.debug({ err: error, seeder: name }, "a seeder did not answer");
      return [];
    }
  };
  try {
    const families = [bounded(resolver.resolve4(name)), bounded(resolver.resolve6(name))];
    const ips = (await Promise.all(families)).flat();
    // A name may stand for anything: it must not send us into the operator's own network.
    return ips
      .map((ip) => parseNetAddress(ip, port))
      .filter((address) => address !== undefined)
      .filter(({ ip }) => isRoutable(ip));
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

function shuffled(names: readonly string[], random: () => number): string[] {
  return names
    .map((name) => ({ name, rank: random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ name }) => name);
}
