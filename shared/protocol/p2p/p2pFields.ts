/** Field validators of peers' messages: every error names the field it is about. */
import { SvcError } from "../../base/svcError.ts";

const HASH_LENGTH = 32;
const U16_MAX = 0xffff;

/** A message that carries 32 bytes. */
export type BytesMessage = { readonly bytes: Uint8Array };

/** Makes the error about a field of a peer's message. */
export function badField(field: string, reason: string): SvcError {
  return new SvcError("p2p/bad-message", { field, reason });
}

/** Checks the 32 bytes of a hash, as a view of the message. */
export function hashBytes(field: string, message: BytesMessage | undefined): Uint8Array {
  const { bytes } = requiredField(field, message);
  if (bytes.length !== HASH_LENGTH) throw badField(field, `it has ${bytes.length} bytes`);
  return bytes;
}

/** Joins hashes one after the other, in bytes of their own. */
export function packedHashes(
  field: string,
  messages: readonly BytesMessage[],
): Uint8Array<ArrayBuffer> {
  const packed = new Uint8Array(messages.length * HASH_LENGTH);
  messages.forEach((hash, at) => packed.set(hashBytes(field, hash), at * HASH_LENGTH));
  return packed;
}

/** Checks a number that the chain keeps in 16 bits. */
export function u16Field(field: string, value: number): number {
  if (value > U16_MAX) throw badField(field, `it is above ${U16_MAX}`);
  return value;
}

/** Checks a time: milliseconds since 1970, signed on this wire and never negative. */
export function timestampField(field: string, value: bigint): bigint {
  if (value < 0n) throw badField(field, "it is negative");
  return value;
}

/** Checks a part of a message that must be there. */
export function requiredField<T>(field: string, value: T | undefined): T {
  if (value === undefined) throw badField(field, "it is missing");
  return value;
}

/** Checks a byte string of a fixed length. */
export function bytesOfLength(field: string, bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw badField(field, `it has ${bytes.length} bytes`);
  return bytes;
}

/** Checks the length of a list. */
export function boundedList<T>(field: string, items: readonly T[], max: number): readonly T[] {
  if (items.length > max) throw badField(field, `${items.length} of at most ${max}`);
  return items;
}
