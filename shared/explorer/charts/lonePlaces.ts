/** Places of a series whose value has no neighbour: a line shows none of them. */

/** Finds them, in rising order. */
export function lonePlaces(values: readonly (number | null)[]): readonly number[] {
  const isThere = (at: number) => (values[at] ?? null) !== null;
  return [...values.keys()].filter((at) => isThere(at) && !isThere(at - 1) && !isThere(at + 1));
}
