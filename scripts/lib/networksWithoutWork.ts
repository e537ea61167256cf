/** Finds the networks whose work a release does not know. */
import { networkWork } from "@svc/node-server/gateway/proof/networkWork.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { Checkpoints } from "@svc/shared/light/checkpointOf.ts";

/**
 * Of these built-in profiles, those that ask for work and have no checkpoint, neither the release's nor one of `given`. Throws
 * `profile/unknown` for a name of none.
 */
export function networksWithoutWork(
  core: Pick<CoreGlue, "builtInProfile" | "profileDigest">,
  names: readonly string[],
  given: Checkpoints = new Map(),
): readonly string[] {
  return names.filter((name) => {
    const profileJson = callCore(() => core.builtInProfile(name));
    const { hasWork, checkpoint } = networkWork(core, profileJson, given);
    return hasWork && checkpoint === null;
  });
}
