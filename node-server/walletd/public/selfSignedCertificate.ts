/**
 * A self-signed certificate for a server that nobody else vouches for: clients know it by its fingerprint.
 *
 * X.509 version 3 in DER, written here as the one fixed structure that it is: a library for all of X.509 brings a dozen packages
 * for it. OpenSSL reads every certificate back before it is given out.
 */
import {
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from "node:crypto";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { concatBytes } from "@svc/shared/base/bytes.ts";
import { decodeHex } from "@svc/shared/base/hex.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { utcDigits } from "../../platform/time/clock.ts";

/** A certificate and its key, each in DER. */
export type MadeCertificate = {
  readonly certificate: Uint8Array;
  /** PKCS #8. */
  readonly key: Uint8Array;
};

const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  oid: 0x06,
  utf8: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
  dnsName: 0x82,
  ipAddress: 0x87,
} as const;

/** Object identifiers, their content as hex. */
const OID = {
  ecdsaWithSha256: "2a8648ce3d040302",
  commonName: "550403",
  basicConstraints: "551d13",
  keyUsage: "551d0f",
  extendedKeyUsage: "551d25",
  serverAuth: "2b06010505070301",
  subjectAltName: "551d11",
} as const;

const COMMON_NAME = "svc wallet API";
const LOCAL_NAME = "localhost";
const DAY_MS = 86_400_000n;
/** Ten years, two or three leap days among them. */
const VALID_MS = 3_652n * DAY_MS;
const SERIAL_BYTES = 16;
/** From this year on times are written with four digits of it (RFC 5280, 4.1.2.5). */
const FOUR_DIGITS = 2050;
const TRUE = Uint8Array.of(0xff);
/** One bit is set, of the eight that follow seven unused ones: `digitalSignature`. */
const DIGITAL_SIGNATURE = Uint8Array.of(7, 0x80);
const VERSION_3 = Uint8Array.of(2);
const LONG_LENGTH = 0x80;

/**
 * Makes a key on P-256 and its certificate for `localhost` and a host, an IP address or a DNS name, valid for ten years from a
 * day before `nowMs`, Unix time: the clock of a phone may be behind.
 */
export function selfSignedCertificate(host: string | null, nowMs: bigint): MadeCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const body = toBeSigned(host, nowMs - DAY_MS, publicKey);
  const signature = new Uint8Array(sign("sha256", body, privateKey));
  const certificate = sequence(body, ALGORITHM, bits(signature));
  requireReadable(certificate, publicKey);
  return { certificate, key: privateKey.export({ type: "pkcs8", format: "der" }) };
}

function toBeSigned(host: string | null, fromMs: bigint, publicKey: KeyObject): Uint8Array {
  return sequence(
    der(TAG.version, der(TAG.integer, VERSION_3)),
    der(TAG.integer, serialNumber()),
    ALGORITHM,
    NAME,
    sequence(time(fromMs), time(fromMs + VALID_MS)),
    NAME,
    publicKey.export({ type: "spki", format: "der" }),
    der(TAG.extensions, sequence(...extensions(host))),
  );
}

function extensions(host: string | null): readonly Uint8Array[] {
  const names = [der(TAG.dnsName, utf8(LOCAL_NAME))];
  if (host !== null && host !== LOCAL_NAME) names.push(altName(host));
  return [
    extension(OID.basicConstraints, sequence(), true),
    extension(OID.keyUsage, der(TAG.bits, DIGITAL_SIGNATURE), true),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth)), false),
    extension(OID.subjectAltName, sequence(...names), false),
  ];
}

function extension(id: string, content: Uint8Array, isCritical: boolean): Uint8Array {
  const critical = isCritical ? [der(TAG.boolean, TRUE)] : [];
  return sequence(oid(id), ...critical, der(TAG.octets, content));
}

function altName(host: string): Uint8Array {
  return isIP(host) === 0
    ? der(TAG.dnsName, utf8(host))
    : der(TAG.ipAddress, Uint8Array.from(ipaddr.parse(host).toByteArray()));
}

/** Positive and never zero: the first byte is from 0x40 to 0x7f. */
function serialNumber(): Uint8Array {
  const serial = new Uint8Array(randomBytes(SERIAL_BYTES));
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  return serial;
}

function time(ms: bigint): Uint8Array {
  const digits = utcDigits(ms);
  return Number(digits.slice(0, 4)) < FOUR_DIGITS
    ? der(TAG.utcTime, utf8(`${digits.slice(2)}Z`))
    : der(TAG.generalizedTime, utf8(`${digits}Z`));
}

function oid(hex: string): Uint8Array {
  return der(TAG.oid, decodeHex(hex));
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Whole bytes as a bit string: none of the last one is unused. */
function bits(bytes: Uint8Array): Uint8Array {
  return der(TAG.bits, Uint8Array.of(0), bytes);
}

function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return der(TAG.sequence, ...parts);
}

function der(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const content = concatBytes(...parts);
  return concatBytes(Uint8Array.of(tag, ...lengthBytes(content.length)), content);
}

/** One byte below 128, else how many bytes follow, then these, the highest first. */
function lengthBytes(length: number): readonly number[] {
  if (length < LONG_LENGTH) return [length];
  const bytes: number[] = [];
  for (let left = length; left > 0; left >>>= 8) bytes.unshift(left & 0xff);
  return [LONG_LENGTH | bytes.length, ...bytes];
}

const ALGORITHM = sequence(oid(OID.ecdsaWithSha256));
const NAME = sequence(
  der(TAG.set, sequence(oid(OID.commonName), der(TAG.utf8, utf8(COMMON_NAME)))),
);

/** Throws `internal/unexpected` for a certificate that OpenSSL does not take. */
function requireReadable(certificate: Uint8Array, publicKey: KeyObject): void {
  const read = new X509Certificate(certificate);
  if (read.verify(publicKey)) return;
  throw new SvcError("internal/unexpected", { message: "a certificate of ours does not verify" });
}
