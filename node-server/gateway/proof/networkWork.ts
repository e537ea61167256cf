/** Work of a network as the program knows it (docs/light-client.md, "The floor"). */
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import {
  checkpointOf,
  type Checkpoints,
  type WorkCheckpoint,
} from "@svc/shared/light/checkpointOf.ts";

/** The work of a network. */
export type NetworkWork = {
  /** The profile asks for work at all. */
  readonly hasWork: boolean;
  /** Null where the program knows no work of the network: then nothing that a node shows has a measure. */
  readonly checkpoint: WorkCheckpoint | null;
};

/** Of the network of a profile in canonical JSON; `given`: what the operator knows. Throws as `readProfile` does. */
export function networkWork(
  core: Pick<CoreGlue, "profileDigest">,
  profileJson: string,
  given: Checkpoints,
): NetworkWork {
  const profile = readProfile(profileJson);
  const digest = callCore(() => core.profileDigest(profileJson));
  return { hasWork: !profile.skipProofOfWork, checkpoint: checkpointOf(digest, given) };
}
