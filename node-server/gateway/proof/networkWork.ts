/** Work of a network as the release knows it (docs/light-client.md, "The floor"). */
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { checkpointOf, type WorkCheckpoint } from "@svc/shared/light/checkpointOf.ts";

/** `hasWork`: the profile asks for work at all. */
export type NetworkWork = { readonly hasWork: boolean; readonly checkpoint: WorkCheckpoint };

/** Of the network of a profile in canonical JSON. Throws as `readProfile` does. */
export function networkWork(
  core: Pick<CoreGlue, "profileDigest">,
  profileJson: string,
): NetworkWork {
  const profile = readProfile(profileJson);
  const digest = callCore(() => core.profileDigest(profileJson));
  return { hasWork: !profile.skipProofOfWork, checkpoint: checkpointOf(profile, digest) };
}
