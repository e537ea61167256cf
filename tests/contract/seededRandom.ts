/** Random numbers that a failing test can repeat: the seed is printed, `SVC_TEST_SEED` sets it. */
import { randomBytes } from "node:crypto";

/** A source of numbers. */
export type SeededRandom = {
  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number;
};

/** A generator named for the printed line; its seed is fresh unless `SVC_TEST_SEED` is set. */
export function seededRandom(name: string): SeededRandom {
  const given = process.env["SVC_TEST_SEED"];
  let state = given === undefined ? randomBytes(4).readUInt32LE() : Number(given) >>> 0;
  console.info(`${name}: SVC_TEST_SEED=${state}`);
  return {
    below(limit) {
      // Mulberry32.
      state = (state + 0x6d2b_79f5) >>> 0;
      let mixed = Math.imul(state ^ (state >>> 15), state | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
    },
  };
}
