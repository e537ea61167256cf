/**
 * Network addresses: parsing, text and byte form, routability, and grouping by host and network range (specification network
 * 1.1, 1.5).
 */
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";
import { authority } from "./authority.ts";

/**
 * An address and a port. The text of the address has one form; IPv4 in IPv6 is IPv4. Where a proxy dials, `ip` may be a host
 * name, which the proxy looks up: it has no address here, may be any host, and is never in the address book or banned.
 */
export type NetAddress = { readonly ip: string; readonly port: number };

const PORT_MAX = 0xffff;
/** Bytes that neighbours have in common: what one provider hands out many of. */
const IPV4_BUCKET = 2;
const IPV6_BUCKET = 4;
/** Bytes of an IPv6 address that one customer is given; the rest is theirs to choose. */
const IPV6_HOST = 8;

/** The one text of an address; undefined for what is none, and for one that means something on one machine only. */
function canonicalIp(text: string): string | undefined {
  return isIP(text) === 0 || text.includes("%") ? undefined : parse(text).toString();
}

/** Reads `IP`, `IP:PORT`, `[IP]` or `[IP]:PORT`; undefined for what is none of them, names too. */
export function parseNetAddress(text: string, defaultPort: number): NetAddress | undefined {
  const [, bracketed, plain, digits] =
    /^(?:\[([^\]]+)\]|([^:[\]]+|[^[\]]*:[^[\]]*:[^[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const ip = canonicalIp(bracketed ?? plain ?? "");
  const port = digits === undefined ? defaultPort : Number(digits);
  return ip === undefined || port < 1 || port > PORT_MAX ? undefined : { ip, port };
}

/** Labels of letters, digits and dashes, the last of which is no number: that would be a mistyped address. */
const NAME_FORM =
  /^(?<name>(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?\.)*(?!\d+(?::|$))[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?::(?<port>\d{1,5}))?$/;
/** Characters of a host name (RFC 1035). */
const NAME_LENGTH = 253;

/** Reads `NAME` or `NAME:PORT`; undefined for what is no host name. */
export function parseNamedAddress(text: string, defaultPort: number): NetAddress | undefined {
  const { name, port: digits } = NAME_FORM.exec(text.toLowerCase())?.groups ?? {};
  const port = digits === undefined ? defaultPort : Number(digits);
  if (name === undefined || name.length > NAME_LENGTH) return undefined;
  return port < 1 || port > PORT_MAX ? undefined : { ip: name, port };
}

/** Whether the text is a host name and not an address. */
export function isName(ip: string): boolean {
  return isIP(ip) === 0;
}

/** Formats an address as `1.2.3.4:5` or `[::1]:5`. */
export function addressText({ ip, port }: NetAddress): string {
  return authority(ip, port);
}

/** Encodes an address in the bytes of its own kind, 4 or 16. */
export function shortIpBytes(ip: string): Uint8Array {
  return Uint8Array.from(parse(ip).toByteArray());
}

/** Encodes an address in 16 bytes; an IPv4 address in its IPv4-mapped IPv6 form. */
export function ipBytes(ip: string): Uint8Array {
  const parsed = parse(ip);
  const whole = parsed instanceof ipaddr.IPv4 ? parsed.toIPv4MappedAddress() : parsed;
  return Uint8Array.from(whole.toByteArray());
}

/** Formats an address of 4 or 16 bytes. */
export function textOf(bytes: Uint8Array): string {
  return parse(ipaddr.fromByteArray([...bytes]).toString()).toString();
}

/** Whether an address is reachable from the whole internet; of a host name this is taken for granted. */
export function isRoutable(ip: string): boolean {
  if (isName(ip)) return true;
  return parse(ip).range() === "unicast";
}

/** Whether an address means the same host for everybody: not loopback, multicast, link-local or unspecified, nor a name. */
export function isOneHost(ip: string): boolean {
  if (isName(ip)) return false;
  const range = parse(ip).range();
  return !["loopback", "unspecified", "broadcast", "multicast", "linkLocal"].includes(range);
}

/** Whether only this machine reaches what listens there: an address of loopback, or the name `localhost`. */
export function isLoopback(host: string): boolean {
  if (isName(host)) return host.toLowerCase() === "localhost";
  return parse(host).range() === "loopback";
}

/**
 * The host that quotas and bans are counted by, as the text of an address: an IPv4 address itself, the first address of an IPv6
 * /64. Whoever has one address of a /64 has all of them. A name stands for itself.
 */
export function hostOf(ip: string): string {
  if (isIPv4(ip) || isName(ip)) return ip;
  const parsed = parse(ip);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return textOf(Uint8Array.from(parsed.toByteArray().fill(0, IPV6_HOST)));
}

/** The host of a caller, from the remote address of its socket; a socket that is gone has no address and counts as "". */
export function sourceOf(ip: string | undefined): string {
  const plain = ip?.replace(/%.*$/, "") ?? "";
  return isIP(plain) === 0 ? "" : hostOf(plain);
}

/** The host of `1.2.3.4:5`, `[::1]:5` or `::1:5`, as the gRPC library writes the other end; "" for what is none. */
export function sourceOfPeer(peer: string): string {
  return sourceOf(peer.slice(0, peer.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1"));
}

/**
 * The network range (neighbourhood) of an address, IPv4 /16 or IPv6 /32: whoever has one address of a range may well have all
 * of them.
 */
export function bucketOf(ip: string): string {
  if (isName(ip)) return ip;
  if (isIPv4(ip)) return ip.split(".", IPV4_BUCKET).join(".");
  const parsed = parse(ip);
  const length = parsed instanceof ipaddr.IPv4 ? IPV4_BUCKET : IPV6_BUCKET;
  return parsed.toByteArray().slice(0, length).join(".");
}

function parse(ip: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return ipaddr.process(ip);
}
