/** Free memory of the machine, or of the container that the program runs in. */
import { freemem } from "node:os";

/** Where the numbers come from, in bytes. */
export type MemorySources = {
  /** Free in the whole machine. */
  readonly machine: () => number;
  /** Left to this program, by the limit of its container too. */
  readonly program: () => number;
};

const OF_SYSTEM: MemorySources = { machine: freemem, program: () => process.availableMemory() };

/** Bytes that this program may still take; null where the system does not tell. */
export function freeMemory({ machine, program }: MemorySources = OF_SYSTEM): number | null {
  // Both are 0 on a system that does not tell. In a container that has used up its limit the second one alone is: nothing is free.
  return machine() > 0 ? program() : null;
}
