/** Seeded random numbers, so that a failing test can be repeated: the seed is printed, `SVC_SEED` sets it. */
import { mulberry32 } from "@svc/node-server/platform/testkit/mulberry32.ts";
import { testSeed } from "@svc/node-server/platform/testkit/testRun.ts";

/** A source of numbers. */
export type SeededRandom = {
  /** An integer from 0 to `limit` − 1. */
  below(limit: number): number;
};

/** A run that names no seed is the same every time: `npm run test:full` names a new one. */
const USUAL_SEED = 17;

/** A generator named for the printed line, seeded by `SVC_SEED`. */
export function seededRandom(name: string): SeededRandom {
  const seed = testSeed(USUAL_SEED);
  console.info(`${name}: SVC_SEED=${seed}`);
  const bits = mulberry32(seed);
  return { below: (limit) => bits() % limit };
}
