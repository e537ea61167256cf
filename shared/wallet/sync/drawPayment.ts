/** Draws of payments from numbers of chance. */
import type { DrawPayment } from "../state/ports.ts";

/**
 * Draws as `DrawPayment` says. `chance` gives 32 bits of the system's randomness, as a number: with so many no payment is more likely
 * than another by more than one in a million.
 */
export function drawPayment(chance: () => number): DrawPayment {
  return (count, oneIn) => {
    if (count === 0 || chance() % oneIn >= count) return null;
    return chance() % count;
  };
}
