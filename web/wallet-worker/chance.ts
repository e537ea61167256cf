/** Random number of the system's generator. */

/** 32 bits of the system's randomness. */
export function chance(): number {
  return crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
}
