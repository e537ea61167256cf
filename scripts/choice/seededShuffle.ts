/** A repeatable order by lot. */

/** The items in an order drawn by a seed, the same one for the same seed (Fisher and Yates over Mulberry32). */
export function seededShuffle<Item>(items: readonly Item[], seed: number): Item[] {
  const rest = [...items];
  const drawn: Item[] = [];
  // The generator of the tests' kits is for tests alone.
  let state = seed >>> 0;
  while (rest.length > 0) {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    drawn.push(...rest.splice(((mixed ^ (mixed >>> 14)) >>> 0) % rest.length, 1));
  }
  return drawn;
}
