/**
 * The seeder's DNS zone: answers a query with addresses of nodes for its own name, and with its SOA and NS records (RFC 1035).
 *
 * It speaks plain DNS of 512 bytes over UDP: whoever asks for more is answered as by a server that does not know the
 * extension, and over TCP everything fits.
 */
import packet, { type Answer, type DecodedPacket, type Packet } from "dns-packet";
import ipaddr from "ipaddr.js";
import { SEEDER_LIMITS } from "./seederLimits.ts";
import { ANSWER_COUNT_AT, FLAGS_AT, HEADER_BYTES, judgeHeader } from "./dnsHeader.ts";
import type { NodeSample } from "./nodeSample.ts";

/** Names of the zone, lower case and without the last dot. */
export type ZoneNames = {
  /** Whose addresses are those of nodes. */
  readonly host: string;
  /** The server that answers for it. */
  readonly nameserver: string;
};

/** Dependencies of the zone. */
export type ZoneParts = ZoneNames & {
  /** Addresses of nodes to name now. */
  readonly nodes: () => NodeSample;
  /** At least 0 and below 1, nobody knows which. */
  readonly random: () => number;
};

/** Of a record behind the reference to its name: type, class, time to live, length. */
const RECORD_HEAD_BYTES = 12;
/** A name that stands where the first question has it. */
const NAME_OF_QUESTION = 0xc000 + HEADER_BYTES;
const TYPE_CODES = { A: 1, AAAA: 28 } as const;
const FAMILIES = { A: "IPv4", AAAA: "IPv6" } as const;
const CLASS_IN = 1;
/** A result, in the lowest bits of the flags. */
const REFUSED = 5;

/**
 * Encodes the answer to a query, of `room` bytes at most; null for what is no query. Fewer nodes are named when not all fit:
 * they are drawn anyway. Anything else that does not fit is left out, and the answer says so.
 */
export function answerQuery(bytes: Buffer, room: number, parts: ZoneParts): Buffer | null {
  const verdict = judgeHeader(bytes);
  if (verdict === "silent") return null;
  if (verdict !== "read") return verdict.refusal;
  try {
    return answered(packet.decode(bytes), room, parts);
  } catch {
    // The library refuses what is no message of DNS, and cannot write every name that it can read.
    return null;
  }
}

function answered(query: DecodedPacket, room: number, parts: ZoneParts): Buffer | null {
  const { id = 0, flags = 0, questions: [question] = [] } = query;
  if (question === undefined) return null;
  const kept = flags & packet.RECURSION_DESIRED;
  const reply = (more: Packet, result = 0): Packet => ({
    type: "response",
    id,
    flags: kept | packet.AUTHORITATIVE_ANSWER | result,
    questions: [question],
    ...more,
  });
  const isOurs = question.name.toLowerCase() === parts.host && question.class === "IN";
  if (!isOurs) return fitted(reply({}, REFUSED), room);
  if (question.type === "A" || question.type === "AAAA") {
    const ips = parts.nodes().draw(FAMILIES[question.type], SEEDER_LIMITS.dnsAnswers, parts.random);
    if (ips.length > 0) return withAddresses(reply({}), question.type, { ips, room });
  }
  if (question.type === "NS") return fitted(reply({ answers: [nsRecord(parts)] }), room);
  if (question.type === "SOA") return fitted(reply({ answers: [soaRecord(parts)] }), room);
  return fitted(reply({ authorities: [soaRecord(parts)] }), room);
}

/** The library writes the whole name into each record, for which 512 bytes are too few: these refer to the question. */
function withAddresses(
  reply: Packet,
  type: "A" | "AAAA",
  { ips, room }: { ips: readonly string[]; room: number },
): Buffer {
  const head = packet.encode(reply);
  const records = ips.map((ip) => addressRecord(type, ip));
  const [{ length: each } = { length: 0 }] = records;
  const count = Math.max(0, Math.min(records.length, Math.floor((room - head.length) / each)));
  const whole = Buffer.concat([head, ...records.slice(0, count)]);
  whole.writeUInt16BE(count, ANSWER_COUNT_AT);
  if (count === 0) markTruncated(whole);
  return whole;
}

function addressRecord(type: "A" | "AAAA", ip: string): Buffer {
  const data = ipaddr.parse(ip).toByteArray();
  const head = Buffer.alloc(RECORD_HEAD_BYTES);
  head.writeUInt16BE(NAME_OF_QUESTION, 0);
  head.writeUInt16BE(TYPE_CODES[type], 2);
  head.writeUInt16BE(CLASS_IN, 4);
  head.writeUInt32BE(SEEDER_LIMITS.dnsTtlSeconds, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, Buffer.from(data)]);
}

/** A reply without the records that do not fit. */
function fitted(reply: Packet, room: number): Buffer | null {
  const whole = packet.encode(reply);
  if (whole.length <= room) return whole;
  const { answers: _, authorities: __, ...bare } = reply;
  const cut = packet.encode(bare);
  if (cut.length > room) return null;
  markTruncated(cut);
  return cut;
}

function markTruncated(reply: Buffer): void {
  reply.writeUInt16BE(reply.readUInt16BE(FLAGS_AT) | packet.TRUNCATED_RESPONSE, FLAGS_AT);
}

function nsRecord({ host, nameserver }: ZoneNames): Answer {
  return { type: "NS", name: host, ttl: SEEDER_LIMITS.dnsServerTtlSeconds, data: nameserver };
}

/** There is one server and nothing to copy: only how long "there is none" may be kept matters. */
function soaRecord({ host, nameserver }: ZoneNames): Answer {
  const ttl = SEEDER_LIMITS.dnsServerTtlSeconds;
  const data = {
    mname: nameserver,
    rname: `hostmaster.${host}`,
    serial: 1,
    refresh: ttl,
    retry: ttl,
    expire: ttl,
    minimum: SEEDER_LIMITS.dnsTtlSeconds,
  };
  return { type: "SOA", name: host, ttl, data };
}
