/** Masks IP addresses of others in log lines, down to their network: enough to see what happens, too little to name a host. */
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** What may be an address: digits with dots, or hexadecimal digits with colons. */
const CANDIDATE =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:.]*:[0-9a-f.]*)(?![\w.])/gi;
/** Addresses that mean this machine, or all of its addresses. */
const OWN_RANGES: ReadonlySet<string> = new Set(["loopback", "unspecified"]);
const IPV4_PARTS = 2;
const IPV6_PARTS = 2;

/** Returns the line with the addresses of others masked: `1.2.x.x`, `2001:db8:x`. Ports stay. */
export function maskAddresses(line: string): string {
  return line.replace(CANDIDATE, (text) => (isIP(text) === 0 ? text : masked(text)));
}

function masked(text: string): string {
  const ip = ipaddr.process(text);
  if (OWN_RANGES.has(ip.range())) return text;
  if (ip instanceof ipaddr.IPv4) return `${ip.octets.slice(0, IPV4_PARTS).join(".")}.x.x`;
  const parts = ip.parts.slice(0, IPV6_PARTS).map((part) => part.toString(16));
  return `${parts.join(":")}:x`;
}
