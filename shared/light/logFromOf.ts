/** Where the anchor log of a network begins. */
import type { NetworkProfile } from "../chain/profile.ts";

/** DAA score from which chain blocks stand in the anchor log, that of the security fork; null for never. */
export function logFromOf({ activations }: Pick<NetworkProfile, "activations">): bigint | null {
  const fork = activations["securityFork"] ?? null;
  return fork === null ? null : BigInt(fork);
}
