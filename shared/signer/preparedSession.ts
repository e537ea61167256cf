/**
 * Session of a prepared payment: a hash of all that the device checks and signs. So a session stands for one payment, a device
 * sees when it is given another one's, and signatures name the payment that they were made for. It cannot be guessed: the
 * payment holds fresh randomness.
 */
import { blake2b } from "@noble/hashes/blake2.js";
import { ByteWriter } from "../base/bytes.ts";
import { decodeHex, encodeHex } from "../base/hex.ts";
import { SvcError } from "../base/svcError.ts";
import type { PreparedPayment, SignatureList } from "./preparedPayment.ts";
import { unprovenBundle } from "./wire/unprovenBundle.ts";

const SESSION_BYTES = 24;
const PERSONAL = new TextEncoder().encode("prepared-payment");

/**
 * The session of a prepared payment, hex of 24 bytes. The proof does not count, which a device may not have, nor the DAA score,
 * which only decides the form that the bundle has. Throws `signer/bad-prepared`, `codec/*`.
 */
export function sessionOf(payment: Omit<PreparedPayment, "session" | "daaScore">): string {
  const writer = new ByteWriter();
  writer.u8(payment.version).raw(decodeHex(payment.network, 32));
  writer.u32(payment.payments.length);
  for (const { recipient, value, memo } of payment.payments) {
    writer.raw(decodeHex(recipient, 43)).u64(value).block(decodeHex(memo));
  }
  writer.u64(payment.fee).block(unprovenBundle(payment.bundle));
  writer.u32(payment.disclosure.length);
  for (const entry of payment.disclosure) {
    writer.u64(entry.spendValue).u64(entry.outValue).raw(decodeHex(entry.outRecipient, 43));
    writer.raw(decodeHex(entry.outRseed, 32)).raw(decodeHex(entry.rcv, 32));
  }
  writer.u32(payment.alphas.length);
  for (const { index, alpha } of payment.alphas) writer.u32(index).raw(decodeHex(alpha, 32));
  const options = { dkLen: SESSION_BYTES, personalization: PERSONAL };
  return encodeHex(blake2b(writer.toBytes(), options));
}

/** Throws `signer/wrong-session` for signatures of another payment than the one with this session. */
export function checkAnswers(list: SignatureList, session: string): void {
  if (list.session === session) return;
  throw new SvcError("signer/wrong-session", { expected: session, found: list.session });
}
