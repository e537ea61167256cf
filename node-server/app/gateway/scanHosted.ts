/** Scans for a hosted gateway: opens the folder, tells the person what is told where, runs until the signal fires. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import { startHostedScan } from "../../gateway/hosted/startHostedScan.ts";
import { readPayouts } from "../../gateway/hosted/payoutsFile.ts";
import { CoinRates } from "../../gateway/prices/coinRates.ts";
import { acquireLock } from "../../platform/files/lockFile.ts";
import { createLog } from "../../platform/log/log.ts";
import { authority } from "../../platform/net/authority.ts";
import { systemClock } from "../../platform/time/clock.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { readHostedSecret } from "./hostedSecret.ts";
import type { GatewayScanFlags } from "./parseGateway.ts";
import type { OpenedPlace } from "./runGateway.ts";

/** How old a price may be is up to the hosted gateway. */
const PRICES_STAY = 0n;

/** Scans until the signal fires. Returns the exit status. */
export async function scanHosted(
  flags: GatewayScanFlags,
  { profile, folder }: OpenedPlace,
  core: CoreGlue,
  { environment, print, signal }: CommandContext,
): Promise<number> {
  using secret = readHostedSecret({
    ...{ file: flags.secretFile, option: "ingest-secret-file" },
    ...{ environment, variable: "SVC_INGEST_SECRET" },
  });
  const lock = acquireLock(join(folder, ".lock"));
  try {
    const rpc = flags.rpcServer ?? { host: "127.0.0.1", port: profile.ports.grpc };
    const node = authority(rpc.host, rpc.port);
    const { push: url, scanner, payoutsFile } = flags;
    const payouts = payoutsFile === null ? new Map() : readPayouts(payoutsFile);
    const log = createLog(flags.logLevel, { masksAddresses: true });
    const scan = await startHostedScan({
      ...{ core, profile, folder, node, url, scanner, secret, payouts },
      trustsNode: flags.trustsNode,
      checkpoints: flags.checkpoints,
      scanThreads: Math.max(1, availableParallelism() - 1),
      prices: new CoinRates({
        fixed: flags.rates,
        file: flags.ratesFile,
        oldestMs: PRICES_STAY,
        clock: systemClock,
        log,
      }),
      clock: systemClock,
      log,
    });
    print(`network   ${networkId(profile)}`);
    print(`gateway   ${folder}`);
    print(`node      ${node} (gRPC)`);
    print(`facts to  ${url} as ${scanner}`);
    if (payouts.size > 0) print(`refunds   by the wallets of ${payouts.size} viewing keys`);
    await untilAborted(signal);
    print("stopping …");
    await scan.stop();
    print("stopped, facts are written");
    return 0;
  } finally {
    lock.release();
  }
}
