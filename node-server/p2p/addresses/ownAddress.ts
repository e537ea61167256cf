/** The public address under which this node announces itself to peers (specification network 1.2, 1.5). */
import { networkInterfaces } from "node:os";
import { isRoutable, type NetAddress } from "../../platform/net/netAddress.ts";

/** Where the node's own address may be taken from. */
export type OwnAddressFacts = {
  /** What the operator says (`--externalip`); taken as it is. */
  readonly stated: NetAddress | null;
  /** Where the node listens; null when it does not. */
  readonly listening: NetAddress | null;
  /** Addresses of this machine. */
  readonly machine: readonly string[];
  /** What a gateway passes on to the node. */
  readonly mapped: NetAddress | null;
};

const ANY_HOST: ReadonlySet<string> = new Set(["0.0.0.0", "::"]);

/**
 * Chooses the address to announce: the operator's word, else the listen address, else an address of this machine where the node
 * listens on all of them, else the gateway's; null when none of them can be reached from the internet, or nobody listens.
 */
export function chooseOwnAddress(facts: OwnAddressFacts): NetAddress | null {
  const { stated, listening, machine, mapped } = facts;
  if (stated !== null) return stated;
  if (listening === null) return null;
  const { ip, port } = listening;
  if (!ANY_HOST.has(ip)) return isRoutable(ip) ? listening : mapped;
  const isOfFamily = (other: string): boolean => ip === "::" || !other.includes(":");
  const own = machine.find((other) => isOfFamily(other) && isRoutable(other));
  return own === undefined ? mapped : { ip: own, port };
}

/** The addresses of this machine's network interfaces. */
export function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((rows = []) =>
    rows.map(({ address }) => address.replace(/%.*$/, "")),
  );
}
