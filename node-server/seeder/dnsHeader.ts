/**
 * DNS message header (RFC 1035, 4.1.1), checked before anything is decoded: the library makes lists as long as the header's
 * counts say.
 */
import { SEEDER_LIMITS } from "./seederLimits.ts";

/** Length of the header in bytes. */
export const HEADER_BYTES = 12;
/** Offset of the flags. */
export const FLAGS_AT = 2;
/** Offset of the number of answers. */
export const ANSWER_COUNT_AT = 6;

const QUESTION_COUNT_AT = 4;
const AUTHORITY_COUNT_AT = 8;
const ADDITIONAL_COUNT_AT = 10;
const RESPONSE_BIT = 0x8000;
const OPCODE_BITS = 0x7800;
const RECURSION_DESIRED_BIT = 0x0100;
/** Results, in the lowest bits of the flags. */
const FORMAT_ERROR = 1;
const NOT_IMPLEMENTED = 4;

/** What to do with a message: ignore it, read it, or refuse it. */
export type HeaderVerdict = "silent" | "read" | { readonly refusal: Buffer };

/** Judges a message by its header. */
export function judgeHeader(message: Buffer): HeaderVerdict {
  if (message.length < HEADER_BYTES) return "silent";
  const flags = message.readUInt16BE(FLAGS_AT);
  // Two servers that answer each other's answers would never end.
  if ((flags & RESPONSE_BIT) !== 0) return "silent";
  if ((flags & OPCODE_BITS) !== 0) return refused(message, flags, NOT_IMPLEMENTED);
  const others = [ANSWER_COUNT_AT, AUTHORITY_COUNT_AT, ADDITIONAL_COUNT_AT]
    .map((at) => message.readUInt16BE(at))
    .reduce((sum, count) => sum + count, 0);
  const isPlain =
    message.readUInt16BE(QUESTION_COUNT_AT) === 1 && others <= SEEDER_LIMITS.dnsQueryRecords;
  return isPlain ? "read" : refused(message, flags, FORMAT_ERROR);
}

/** A head alone. */
function refused(message: Buffer, flags: number, result: number): HeaderVerdict {
  const refusal = Buffer.alloc(HEADER_BYTES);
  message.copy(refusal, 0, 0, FLAGS_AT);
  const kept = flags & (OPCODE_BITS | RECURSION_DESIRED_BIT);
  refusal.writeUInt16BE(RESPONSE_BIT | kept | result, FLAGS_AT);
  return { refusal };
}
