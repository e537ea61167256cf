/**
 * The pairing code: what a phone needs to reach a wallet daemon, as the one text that its QR code holds.
 *
 *     svc+https://HOST:PORT#token=BEARER&net=NETWORK&fp=FINGERPRINT[&wallet=TOKEN]
 *     svc+http://HOST:PORT#token=BEARER&net=NETWORK[&wallet=TOKEN]
 *
 * Everything secret is behind the `#`, which no client sends to a server. A client of `svc+https` takes the certificate with this
 * fingerprint and no other.
 */
import { SvcError } from "../../base/svcError.ts";
import { PROTOCOL_LIMITS } from "../protocolLimits.ts";

/** Where a wallet daemon is, and what opens it. */
export type Pairing = {
  /** An IP address, without brackets, or a DNS name in lower case; null where the daemon does not know it. */
  readonly host: string | null;
  readonly port: number;
  /** The bearer token of the transport: 16 to 128 letters and digits. */
  readonly token: string;
  /** Name of the network; null where the code names none, which is the main network. */
  readonly network: string | null;
  /** SHA-256 of the certificate in DER, 64 hex digits in lower case; null for HTTP without TLS. */
  readonly fingerprint: string | null;
  /** The token of a wallet that is to be opened; null for one that the client makes. */
  readonly wallet: string | null;
};

/** What stands in a code for a host that the daemon does not know: a person puts the address there. */
export const UNKNOWN_HOST = "<YOUR-PUBLIC-IP>";

const CODE_FORM =
  /^svc\+(?<scheme>https?):\/\/(?<host>[^/?#@:[\]]+|\[[0-9a-f:.]+\]):(?<port>[1-9][0-9]{0,4})#(?<fields>.*)$/;
const FIELD_FORM = /^(?<name>[a-z]+)=(?<value>.+)$/;
const FIELD_NAMES: ReadonlySet<string> = new Set(["token", "net", "fp", "wallet"]);
/** Of the bearer and of a wallet's token: wallets of the desktop make letters and digits, others hexadecimal ones. */
const TOKEN_FORM = /^[0-9a-z]{16,128}$/i;
const NETWORK_FORM = /^[a-z0-9-]{1,20}$/;
const FINGERPRINT_FORM = /^[0-9a-f]{64}$/;
const HOST_FORM = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
const HOST_CHARS = 253;
const PORT_MAX = 65_535;

/** Writes the code. Throws `api/bad-pairing` for what no client would read. */
export function pairingText(pairing: Pairing): string {
  const { host, port, token, network, fingerprint, wallet } = pairing;
  const optional = [
    ["net", network],
    ["fp", fingerprint],
    ["wallet", wallet],
  ].flatMap(([name, value]) => (typeof value === "string" ? [`&${name}=${value}`] : []));
  const scheme = fingerprint === null ? "svc+http" : "svc+https";
  const place = (name: string) => `${scheme}://${name}:${port}#token=${token}${optional.join("")}`;
  const shown = host !== null && host.includes(":") ? `[${host}]` : host;
  // With a host in the place of the unknown one the code has to be right.
  parsePairing(place(shown ?? "localhost"));
  return place(shown ?? UNKNOWN_HOST);
}

/**
 * Reads a code. Nothing is repaired: spaces, capital letters of a host, a field twice or one that nobody knows are refused, and so
 * is HTTPS without a fingerprint. Throws `api/bad-pairing`.
 */
export function parsePairing(text: string): Pairing {
  if (text.length > PROTOCOL_LIMITS.pairingChars) throw bad("it is too long");
  const { scheme, host = "", port, fields = "" } = CODE_FORM.exec(text)?.groups ?? {};
  if (scheme === undefined) throw bad("it does not begin with svc+https://HOST:PORT#");
  if (host === UNKNOWN_HOST) throw bad(`put the address of the daemon in place of ${UNKNOWN_HOST}`);
  const values = fieldsOf(fields);
  const fingerprint = formed(values, "fp", FINGERPRINT_FORM);
  if (scheme === "https" && fingerprint === null) throw bad("the fingerprint fp is missing");
  if (scheme === "http" && fingerprint !== null) throw bad("svc+http has no fingerprint");
  const token = formed(values, "token", TOKEN_FORM);
  if (token === null) throw bad("the token is missing");
  return {
    host: requireHost(host),
    port: requirePort(Number(port)),
    token,
    network: formed(values, "net", NETWORK_FORM),
    fingerprint,
    wallet: formed(values, "wallet", TOKEN_FORM),
  };
}

/** The one text of a host, as pairing codes have it: an IP address without brackets, or a DNS name; null for what is neither. */
export function pairingHost(text: string): string | null {
  const inside = text.replace(/^\[(.*)\]$/, "$1");
  const isAddress = inside.includes(":");
  const address = isAddress ? `http://[${inside}]/` : `http://${text.toLowerCase()}/`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.hostname.length > HOST_CHARS) return null;
  if (isAddress) return url.hostname.slice(1, -1);
  return HOST_FORM.test(url.hostname) && url.hostname === text.toLowerCase() ? url.hostname : null;
}

/** Whether a pairing code can hold this token: 16 to 128 letters and digits. */
export function isPairingToken(text: string): boolean {
  return TOKEN_FORM.test(text);
}

function requireHost(host: string): string {
  const read = pairingHost(host);
  if (read === null || (host !== read && host !== `[${read}]`)) {
    throw bad("the host is neither an address nor a name");
  }
  return read;
}

function requirePort(port: number): number {
  if (port > PORT_MAX) throw bad("there is no such port");
  return port;
}

function fieldsOf(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const field of text.split("&")) {
    const { name = "", value = "" } = FIELD_FORM.exec(field)?.groups ?? {};
    if (!FIELD_NAMES.has(name)) throw bad("it has a field that is none of a pairing code");
    if (values.has(name)) throw bad(`the field ${name} is there twice`);
    values.set(name, value);
  }
  return values;
}

/** A field that has its form; null where it is left out. */
function formed(values: ReadonlyMap<string, string>, name: string, form: RegExp): string | null {
  const value = values.get(name);
  if (value === undefined) return null;
  if (!form.test(value)) throw bad(`the field ${name} is malformed`);
  return value;
}

function bad(reason: string): SvcError {
  return new SvcError("api/bad-pairing", { reason });
}
