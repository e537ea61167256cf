/** Count of handed-out addresses, as far as their names tell. */
import type { AddressLabels } from "./addressLabels.ts";

/**
 * How many addresses were handed out: `known`, or more where a name is at a later address of the first `max`. A scan finds only
 * addresses that were paid; a name that a backup brought back is at one that its owner gave to somebody.
 */
export function namedAddresses(names: AddressLabels, known: number, max: number): number {
  let count = known;
  for (const index of names.keys()) if (index < max && index >= count) count = index + 1;
  return count;
}
