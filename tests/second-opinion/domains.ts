/** Hash functions of consensus (specification consensus 2), each named by what it hashes. */
import { blake2b } from "@noble/hashes/blake2.js";
import { blake3 } from "@noble/hashes/blake3.js";
import { cshake256 } from "@noble/hashes/sha3-addons.js";

/** Parts of an input: bytes, or text in ASCII. */
export type Part = Uint8Array | string;

const ascii = new TextEncoder();
/** Bytes of a key of BLAKE3, and of every output. */
const LENGTH = 32;

/** The parts one after the other. */
export function joined(...parts: readonly Part[]): Uint8Array {
  const bytes = parts.map((part) => (typeof part === "string" ? ascii.encode(part) : part));
  const whole = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const each of bytes) {
    whole.set(each, at);
    at += each.length;
  }
  return whole;
}

/** A number in so many bytes, little endian. */
export function numbered(value: bigint | number, length: number): Uint8Array {
  let rest = BigInt(value);
  return Uint8Array.from({ length }, () => {
    const byte = Number(rest & 0xffn);
    rest >>= 8n;
    return byte;
  });
}

/** BLAKE2b with the name as its key. */
export function keyedBlake2(name: string, ...parts: readonly Part[]): Uint8Array {
  return blake2b(joined(...parts), { key: ascii.encode(name), dkLen: LENGTH });
}

/** BLAKE3 with the name, padded by zeros, as its key. */
export function keyedBlake3(name: string, ...parts: readonly Part[]): Uint8Array {
  const key = new Uint8Array(LENGTH);
  key.set(ascii.encode(name));
  return blake3(joined(...parts), { key, dkLen: LENGTH });
}

/** BLAKE2b-256 with a personalisation of 16 characters. */
export function personalBlake2(personal: string, ...parts: readonly Part[]): Uint8Array {
  return blake2b(joined(...parts), { personalization: ascii.encode(personal), dkLen: LENGTH });
}

/** cSHAKE256 with a customization. */
export function customShake(name: string, input: Uint8Array): Uint8Array {
  return cshake256(input, { personalization: ascii.encode(name), dkLen: LENGTH });
}

/** Whether two hashes are the same. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
