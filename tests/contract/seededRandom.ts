/** Seeded random numbers, so that a failing test can be repeated: the seed is printed, `SVC_SEED` sets it. */

/** A source of numbers. */
export type SeededRandom = {
  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number;
};

/** A run that names no seed is the same every time: `npm run test:full` names a new one. */
const USUAL_SEED = 17;

/** A generator named for the printed line, seeded by `SVC_SEED`. */
export function seededRandom(name: string): SeededRandom {
  let state = Number(process.env["SVC_SEED"] ?? USUAL_SEED) >>> 0;
  console.info(`${name}: SVC_SEED=${state}`);
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
