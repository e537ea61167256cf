/** Free memory of the machine, or of the container that the program runs in. */
import { freemem } from "node:os";

/** Bytes that this program may still take; null where the system does not tell. */
export function freeMemory(): number | null {
  return freemem() > 0 ? process.availableMemory() : null;
}
