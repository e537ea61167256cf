/** A seeded random number generator for repeatable tests. */
import { mulberry32 } from "../../platform/testkit/mulberry32.ts";

/** Makes a generator of numbers of at least 0 and below 1, the same for the same seed. */
export function chances(seed: number): () => number {
  const bits = mulberry32(seed);
  return () => bits() / 2 ** 32;
}
