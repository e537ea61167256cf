/**
 * Network check: which network a node is on, by its profile, and whether this program knows it.
 *
 * A node that calls itself by the name of a built-in network but has another profile is refused. A network that this
 * program does not know needs the person's consent to name and digest.
 */
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import {
  checkpointOf,
  type Checkpoints,
  type WorkCheckpoint,
} from "@svc/shared/light/checkpointOf.ts";
import type { PolicyProfile } from "@svc/shared/wallet/state/walletPolicy.ts";
import * as v from "valibot";
import type { NetworkView } from "../wallet-api/walletApi.ts";

/** The names by which the core knows the built-in profiles are those of the files. */
const FILES = import.meta.glob<string>(
  ["../../wasm-core/profiles/*.json", "!../../wasm-core/profiles/defaults.json"],
  {
    eager: true,
    import: "networkName",
  },
);

const profileForm = v.looseObject({
  networkName: v.string(),
  hrp: v.string(),
  shieldedAnchorDepth: v.number(),
  maxShieldedAnchorAge: v.number(),
  skipProofOfWork: v.boolean(),
  targetTimePerBlockMs: v.number(),
  wallet: v.object({ slack: v.number(), grid: v.number(), settleDepth: v.number() }),
});

/** A profile that was checked by the core. */
export type Network = {
  readonly view: NetworkView;
  /** Canonical JSON. */
  readonly profileJson: string;
  /** The same, parsed. */
  readonly profile: PolicyProfile;
  readonly genesis: string;
  /** Null where this program knows no work of the network. */
  readonly checkpoint: WorkCheckpoint | null;
};

/**
 * Reads a profile; `given`: checkpoints beside the release's. Throws `profile/…`, and `wallet/node-wrong-network` for a false built-in.
 */
export function readNetwork(core: CoreGlue, json: string, given: Checkpoints = new Map()): Network {
  const profileJson = callCore(() => core.canonicalProfile(json));
  const digest = callCore(() => core.profileDigest(profileJson));
  const profile = v.parse(profileForm, JSON.parse(profileJson));
  const builtIn = builtInDigest(core, profile.networkName);
  if (builtIn !== null && builtIn !== digest) {
    throw new SvcError("wallet/node-wrong-network", { expected: builtIn, found: digest });
  }
  return {
    view: { name: profile.networkName, digest, hrp: profile.hrp, builtIn: builtIn !== null },
    profileJson,
    profile,
    genesis: callCore(() => core.genesisHash(profileJson)),
    checkpoint: checkpointOf(digest, given),
  };
}

/** The digest of the built-in profile with this network name; null when there is none. */
function builtInDigest(core: CoreGlue, networkName: string): string | null {
  const file = Object.entries(FILES).find(([, name]) => name === networkName)?.[0];
  if (file === undefined) return null;
  const name = file.slice(file.lastIndexOf("/") + 1, -".json".length);
  return callCore(() => core.profileDigest(core.builtInProfile(name)));
}
