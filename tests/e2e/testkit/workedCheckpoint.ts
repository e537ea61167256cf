/** The checkpoint of a network that a test mines, as a build of the pages takes it. */
import { loadNetwork } from "@svc/node-server/app/program/network.ts";
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { checkpointsText } from "@svc/shared/light/checkpointOf.ts";
import { knownWork } from "../../testkit/knownWork.ts";

/** Of the network of a profile's file, whose blocks keep the difficulty of its genesis block, known now: as `SVC_CHECKPOINTS` has it. */
export async function workedCheckpoint(file: string): Promise<string> {
  const { canonicalJson } = loadNetwork(await loadCoreFile(), { file });
  return checkpointsText(await knownWork(canonicalJson, { nowMs: systemClock.nowMs() }));
}
