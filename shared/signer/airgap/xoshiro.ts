/** Xoshiro256**, seeded by a SHA-256: the random numbers on which both ends of a fountain agree (BCR-2024-001). Never for secrets. */
import { sha256 } from "@noble/hashes/sha2.js";

const MASK = 0xffff_ffff_ffff_ffffn;
const RANGE = 2 ** 64;

function rotated(value: bigint, by: bigint): bigint {
  return ((value << by) | (value >> (64n - by))) & MASK;
}

/** The generator. */
export class Xoshiro {
  #state: readonly [bigint, bigint, bigint, bigint];

  constructor(seed: Uint8Array) {
    const view = new DataView(sha256(seed).slice().buffer);
    this.#state = [
      view.getBigUint64(0),
      view.getBigUint64(8),
      view.getBigUint64(16),
      view.getBigUint64(24),
    ];
  }

  /** The next 64 bits. */
  next(): bigint {
    const [a, b, c, d] = this.#state;
    const result = (rotated((b * 5n) & MASK, 7n) * 9n) & MASK;
    const third = c ^ a;
    const fourth = d ^ b;
    this.#state = [a ^ fourth, b ^ third, third ^ ((b << 17n) & MASK), rotated(fourth, 45n)];
    return result;
  }

  /** A fraction from 0 on; of 64 bits as a double has them, so 1 is possible. */
  fraction(): number {
    return Number(this.next()) / RANGE;
  }

  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number {
    return Math.min(Math.floor(this.fraction() * limit), limit - 1);
  }
}
