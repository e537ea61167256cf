/** Randomness of the platform as numbers. */

/** 32 random bits. */
export function random32(): number {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1));
  return drawn;
}
