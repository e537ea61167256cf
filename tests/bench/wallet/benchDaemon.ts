/** A wallet daemon of a benchmark, in this process: its real folder, database, scan threads and lanes over a node. */
import { availableParallelism } from "node:os";
import { ScanThreads } from "@svc/node-server/scanning/scanThreads.ts";
import { WalletFolder } from "@svc/node-server/walletd/keys/walletFolder.ts";
import { asWalletToken, type WalletToken } from "@svc/node-server/walletd/keys/walletToken.ts";
import { WalletStore } from "@svc/node-server/walletd/store/walletStore.ts";
import { WalletDaemon } from "@svc/node-server/walletd/walletDaemon.ts";
import type { OpenWallet } from "@svc/node-server/walletd/wallets/openWallet.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { asDaaScore } from "@svc/shared/base/brand.ts";
import { Secret } from "@svc/shared/base/secret.ts";
import { callCore } from "@svc/shared/core/callCore.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { PolicyProfile } from "@svc/shared/wallet/state/walletPolicy.ts";
import type { NodePort } from "@svc/shared/wallet/state/ports.ts";

/** Where a daemon runs, and over which node. */
export type BenchDaemonParts = {
  readonly core: CoreGlue;
  /** JSON of the network's profile. */
  readonly profile: string;
  /** The wallet folder. */
  readonly path: string;
  readonly node: NodePort;
  /** Wallets that may be open at once. */
  readonly most: number;
};

/** What such a daemon is made of. */
export type BenchDaemon = Omit<BenchDaemonParts, "path" | "profile" | "most"> & {
  readonly profileJson: string;
  readonly folder: WalletFolder;
  readonly store: WalletStore;
  readonly daemon: WalletDaemon;
  stop(): Promise<void>;
};

/** Opens everything. The daemon follows the chain when `daemon.start` is called. */
export async function openBenchDaemon(parts: BenchDaemonParts): Promise<BenchDaemon> {
  const { core, path, node, most } = parts;
  // As the program starts it.
  const scanThreads = Math.max(1, availableParallelism() - 1);
  const profileJson = callCore(() => core.canonicalProfile(parts.profile));
  const log = createLog("warn");
  const folder = await openFolder(parts);
  const store = await WalletStore.open(path, null);
  const scan = new ScanThreads({ profileJson, threads: scanThreads, log });
  const settings = { lanes: 4, opening: 4, most, idleMs: 3_600_000n };
  const shared = { core, profileJson, folder, store, node };
  const daemon = new WalletDaemon({ ...shared, scan, clock: systemClock, log, settings });
  const stop = async (): Promise<void> => {
    await daemon.stop();
    await scan.stop();
    await store.close();
    folder.close();
  };
  return { ...shared, daemon, stop };
}

/** Makes wallets of seeds in a folder that no daemon has; returns their tokens. Each scans from genesis. */
export async function makeWallets(
  parts: Pick<BenchDaemonParts, "core" | "profile" | "path">,
  seeds: readonly Uint8Array[],
): Promise<readonly WalletToken[]> {
  const folder = await openFolder(parts);
  try {
    const tokens: WalletToken[] = [];
    for (const [number, seed] of seeds.entries()) {
      const token = asWalletToken(`wallet-${number}`);
      await folder.importSeed(token, new Secret(seed.slice()), { birthday: asDaaScore(0n) });
      tokens.push(token);
    }
    return tokens;
  } finally {
    folder.close();
  }
}

/** Opens wallets, and resolves when the daemon scans for all of them at the tip, which stays where it is. */
export async function openedAtTip(
  { daemon }: Pick<BenchDaemon, "daemon">,
  tokens: readonly WalletToken[],
): Promise<readonly OpenWallet[]> {
  const wallets = await Promise.all(tokens.map((token) => daemon.wallets.open(token)));
  await Promise.all(wallets.map((open) => atTip(daemon, open)));
  return wallets;
}

/** The lane says when it has scanned all that the node has; a wallet is told of each change. */
async function atTip(daemon: WalletDaemon, open: OpenWallet): Promise<void> {
  while (!(open.isAtTip && daemon.tip?.sink === daemon.lanes.main.tip.hash)) {
    await new Promise<void>((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const LOOK_MS = 5;

function openFolder({
  core,
  profile,
  path,
}: Pick<BenchDaemonParts, "core" | "profile" | "path">): Promise<WalletFolder> {
  const profileJson = callCore(() => core.canonicalProfile(profile));
  const { networkName: network, hrp }: PolicyProfile & { networkName: string } =
    JSON.parse(profileJson);
  const nowUnix = () => Number(systemClock.nowMs() / 1_000n);
  return WalletFolder.open({ path, network, hrp, core, secret: null, nowUnix });
}
