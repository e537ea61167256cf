/** Loads the profile of the network that a node runs, checked by the core. */
import { readFileSync } from "node:fs";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { readProfile } from "@svc/shared/chain/profile.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";

/** The choice of a network: its built-in name, or the file of a private one. */
export type NetworkChoice = { readonly name: string } | { readonly file: string };

/** Loads and checks a profile. Errors: `profile/…`, `node/bad-option` when the file cannot be read. */
export function loadNetwork(core: CoreGlue, choice: NetworkChoice): NodeProfile {
  const canonicalJson = callCore(() =>
    "name" in choice
      ? core.builtInProfile(choice.name)
      : core.canonicalProfile(readFile(choice.file)),
  );
  const digest = callCore(() => core.profileDigest(canonicalJson));
  return { ...readProfile(canonicalJson), canonicalJson, digest };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new SvcError(
      "node/bad-option",
      { option: "--profile", reason: `${path} cannot be read` },
      cause,
    );
  }
}
