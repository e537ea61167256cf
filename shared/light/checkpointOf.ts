/**
 * Checkpoints: for each network a header that the release knows, so that no node passes off easy work for the network's
 * (docs/light-client.md, "The floor").
 */
import { asTimestampMs, type TimestampMs } from "../base/brand.ts";
import type { NetworkProfile } from "../chain/profile.ts";

/** Bits and time of a header that was proved. */
export type WorkCheckpoint = { readonly bits: number; readonly timestamp: TimestampMs };

/**
 * Headers of releases by the digest of the network's profile. A release of this project is made with `scripts/checkpoint.ts`, which proves
 * the tip of a node and prints the row.
 */
const CHECKPOINTS: ReadonlyMap<string, WorkCheckpoint> = new Map();

/** The checkpoint of a network; the genesis block of one that no release knows more of. */
export function checkpointOf(
  { genesis }: Pick<NetworkProfile, "genesis">,
  profileDigest: string,
): WorkCheckpoint {
  const known = CHECKPOINTS.get(profileDigest);
  return known ?? { bits: genesis.bits, timestamp: asTimestampMs(BigInt(genesis.timestampMs)) };
}
