/** Addresses of peers as messages carry them (specification network 1.5). */
import { badField } from "@svc/shared/protocol/p2p/p2pFields.ts";
import type { P2pNetAddress } from "@svc/shared/protocol/p2p/generated/p2pValues.ts";
import { shortIpBytes, textOf, type NetAddress } from "../../platform/net/netAddress.ts";

const IPV4_BYTES = 4;
const IPV6_BYTES = 16;
const PORT_MAX = 0xffff;

/** Decodes the address in a message. Throws `p2p/bad-message`. */
export function addressFromWire({ ip, port }: P2pNetAddress): NetAddress {
  if (ip.length !== IPV4_BYTES && ip.length !== IPV6_BYTES) {
    throw badField("ip", `it has ${ip.length} bytes`);
  }
  if (port > PORT_MAX) throw badField("port", `it is above ${PORT_MAX}`);
  return { ip: textOf(ip), port };
}

/** Encodes an address for a message. */
export function addressToWire({ ip, port }: NetAddress): P2pNetAddress {
  return { timestamp: 0n, ip: shortIpBytes(ip), port };
}
