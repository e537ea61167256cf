/** Bundle format of a payment in a block of a given DAA score (docs/formats.md 3): 0 plain, 1 with a named anchor. */
import type { DaaScore } from "@svc/shared/base/brand.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";

/** Reads the security fork from canonical profile JSON. Throws `profile/invalid`. */
export function bundleFormat(profileJson: string, daaScore: DaaScore): 0 | 1 {
  const { securityFork } = readProfile(profileJson).activations;
  return typeof securityFork === "number" && daaScore >= BigInt(securityFork) ? 1 : 0;
}
