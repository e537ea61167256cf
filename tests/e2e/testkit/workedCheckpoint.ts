/** The checkpoint of a network that a test mines: without one the pages know no work of it, and call nothing confirmed (ADR 63). */
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { checkpointsText } from "@svc/shared/light/checkpointOf.ts";

/** Of the network of a profile's file, whose blocks keep the difficulty of its genesis block, known now: as `SVC_CHECKPOINTS` has it. */
export async function workedCheckpoint(file: string): Promise<string> {
  const core = await loadCoreFile();
  const { canonicalJson } = loadNetwork(core, { file });
  const { bits } = readProfile(canonicalJson).genesis;
  const row = { bits, timestamp: asTimestampMs(systemClock.nowMs()) };
  return checkpointsText(new Map([[core.profileDigest(canonicalJson), row]]));
}
