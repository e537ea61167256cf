/** Starts the wallet daemon of a node that serves wallets (`--wallet-api`). */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { TrustedProxies } from "../../platform/http/trustedProxies.ts";
import type { Log } from "../../platform/log/log.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import { daemonDefaults } from "../../walletd/daemonDefaults.ts";
import { PLAINTEXT_WARNING } from "../../walletd/keys/secretSource.ts";
import { startWalletd } from "../../walletd/startWalletd.ts";
import { freeMemory } from "../program/freeMemory.ts";
import type { EmbeddedDaemon, StartedDaemon } from "./embeddedWallets.ts";

/** What the node knows already. */
export type WalletsOfNode = {
  readonly core: CoreGlue;
  readonly profile: NodeProfile;
  readonly clock: Clock;
  readonly log: Log;
};

/** Starts the daemon. Rejects as `startWalletd` does. */
export async function startWallets(
  { core, profile, clock, log }: WalletsOfNode,
  { rpcServer, walletDir, secret, listen, access, allowDefaultToken }: EmbeddedDaemon,
): Promise<StartedDaemon> {
  if (secret === null) log.warn(PLAINTEXT_WARNING);
  const machine = { cores: availableParallelism(), freeBytes: freeMemory() };
  const nowUnix = (): number => Number(clock.nowMs() / 1_000n);
  const daemon = await startWalletd({
    ...daemonDefaults(machine, join(walletDir, "..", "prover")),
    core,
    profileJson: profile.canonicalJson,
    folder: {
      path: walletDir,
      network: networkId(profile),
      hrp: profile.hrp,
      core,
      secret,
      nowUnix,
    },
    node: rpcServer,
    webhook: null,
    server: {
      host: listen.host ?? "127.0.0.1",
      port: listen.port ?? 0,
      option: "--wallet-api",
      rules: access.rulesOf({ hostNames: [], origins: [], proxies: TrustedProxies.none() }),
      credentials: { allowDefaultToken, custodial: true },
      bearer: access.bearer,
      tls: access.tls,
    },
    clock,
    log,
  });
  const port = Number(new URL(daemon.address).port);
  return { port, stop: () => daemon.stop() };
}
