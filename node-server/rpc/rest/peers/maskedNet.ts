/** Masks the IP address of a peer down to its subnetwork, for the public (specification explorer A2). */
import { isIPv4, isIPv6 } from "node:net";
import { ipBytes } from "../../../platform/net/netAddress.ts";

/** Bytes of an IPv6 address that are shown: a /48 is what one site is given. */
const SHOWN_BYTES = 6;

/** First word of a 6to4 address (RFC 3056): the IPv4 address follows it. */
const SIX_TO_FOUR = 0x2002;

/** `1.2.3.x` of an IPv4 address, `2001:db8:7::/48` of an IPv6 address; of anything else, such as a name, only that it is one. */
export function maskedNet(ip: string): string {
  if (isIPv4(ip)) return `${ip.split(".", 3).join(".")}.x`;
  if (!isIPv6(ip)) return "name";
  const bytes = Buffer.from(ipBytes(ip));
  if (bytes.readUInt16BE(0) === SIX_TO_FOUR) return `${bytes.subarray(2, 5).join(".")}.x`;
  const words = [];
  for (let at = 0; at < SHOWN_BYTES; at += 2) words.push(bytes.readUInt16BE(at).toString(16));
  return `${words.join(":")}::/48`;
}
