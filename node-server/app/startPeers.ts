/** The network side of a node from its options: addresses with the network's ports, who serves, who starts anew. */
import type { NetworkProfile } from "@svc/shared/chain/profile.ts";
import type { NetAddress } from "../p2p/addresses/netAddress.ts";
import { PeerNetwork, type PeerNetworkParts, type PeerOptions } from "../p2p/peerNetwork.ts";
import type { PeerFlags } from "./peerFlags.ts";
import type { StopStack } from "./stopStack.ts";

const ANY_HOST = "0.0.0.0";

/** What the network side gets from the node. */
export type StartPeersParts = Omit<PeerNetworkParts, "options" | "profile"> & {
  readonly flags: PeerFlags;
  readonly profile: PeerNetworkParts["profile"] & Pick<NetworkProfile, "ports">;
};

/** Starts it. Rejects with `node/port-in-use`, `store/corrupt`. */
export async function startPeers(parts: StartPeersParts, stops: StopStack): Promise<PeerNetwork> {
  const { flags, profile } = parts;
  const { p2p, p2pDial } = profile.ports;
  const dialled = (address: NetAddress): NetAddress => withPort(address, p2pDial ?? p2p);
  const { connect, addPeers, listen } = flags;
  const options: PeerOptions = {
    listen: listen && { host: listen.host ?? ANY_HOST, port: listen.port ?? p2p },
    only: connect.length === 0 ? null : connect.map(dialled),
    also: addPeers.map(dialled),
    outbound: flags.outbound,
    maxInbound: flags.maxInbound,
    external: flags.external && withPort(flags.external, p2p),
    seedPort: flags.dnsSeeds ? (p2pDial ?? p2p) : null,
    comments: flags.comments,
    takesAgent: flags.takesAgent,
  };
  const network = await PeerNetwork.start({ ...parts, options });
  stops.push("peers", () => network.stop());
  return network;
}

function withPort(address: NetAddress, port: number): NetAddress {
  return address.port === 0 ? { ...address, port } : address;
}
