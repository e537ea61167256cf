/** Checkpoints of a network that a test mines: without one a program knows no work of it, and settles nothing (ADR 63). */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import type { Checkpoints } from "@svc/shared/light/checkpointOf.ts";

/** Of the network of a profile's canonical JSON, known at `nowMs`; with the bits of its genesis block where nothing else is said. */
export async function knownWork(
  profileJson: string,
  { nowMs, bits }: { readonly nowMs: bigint; readonly bits?: number },
): Promise<Checkpoints> {
  const core = await loadCoreFile();
  const row = {
    bits: bits ?? readProfile(profileJson).genesis.bits,
    timestamp: asTimestampMs(nowMs),
  };
  return new Map([[core.profileDigest(profileJson), row]]);
}
