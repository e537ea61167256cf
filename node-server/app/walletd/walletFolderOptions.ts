/** What a wallet folder is opened with, from the command line. */
import { join } from "node:path";
import type { Secret } from "@svc/shared/base/secret.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { systemClock } from "../../platform/time/clock.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import type { OfflineParts } from "../../walletd/tools/offlineFolder.ts";
import { userFolder } from "../folder/dataFolder.ts";
import { loadNetwork } from "../program/network.ts";
import type { FolderFlags } from "./parseWalletd.ts";

/** A network, and how its wallet folder is opened. */
export type WalletFolderOptions = {
  readonly profile: NodeProfile;
  /** The parts with a secret, which they take; null for plaintext. */
  readonly partsWith: (secret: Secret | null) => OfflineParts;
};

/** Reads the network and finds the folder. Throws `profile/…`, `node/bad-option`. */
export function walletFolderOptions(core: CoreGlue, flags: FolderFlags): WalletFolderOptions {
  const profile = loadNetwork(core, flags.network);
  const network = flags.networkName ?? networkId(profile);
  const path = flags.walletDir ?? defaultWalletFolder(network);
  const { hrp, digest, genesis } = profile;
  const identity = { genesis: genesis.hash, profileDigest: digest };
  const nowUnix = (): number => Number(systemClock.nowMs() / 1_000n);
  return {
    profile,
    partsWith: (secret) => ({ path, network, hrp, core, secret, nowUnix, identity }),
  };
}

/** The wallet folder of a network: a folder belongs to one. */
export function defaultWalletFolder(network: string): string {
  const home = userFolder();
  return network === "mainnet" ? join(home, "wallets") : join(home, network, "wallets");
}
