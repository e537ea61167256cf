/** Serves the gateway: opens its folder, tells the person where the API is, runs until the signal fires. */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { ConfiguredWebhook } from "../../gateway/desk/webhookDesk.ts";
import { CoinRates } from "../../gateway/prices/coinRates.ts";
import { startGateway } from "../../gateway/startGateway.ts";
import { acquireLock } from "../../platform/files/lockFile.ts";
import { createLog } from "../../platform/log/log.ts";
import { authority } from "../../platform/net/authority.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { builtPages } from "../folder/dataFolder.ts";
import type { CommandContext } from "../program/commandContext.ts";
import type { GatewayServeFlags } from "./parseGateway.ts";
import type { OpenedPlace } from "./runGateway.ts";

/** Runs the gateway until the signal fires. Returns the exit status. */
export async function serveGateway(
  flags: GatewayServeFlags & { readonly webhook: ConfiguredWebhook | null },
  { profile, folder }: OpenedPlace,
  core: CoreGlue,
  context: CommandContext,
): Promise<number> {
  const lock = acquireLock(join(folder, ".lock"));
  try {
    const log = createLog(flags.logLevel, { masksAddresses: true });
    const { host, port } = flags.listen;
    const rpc = flags.rpcServer ?? { host: "127.0.0.1", port: profile.ports.grpc };
    const node = authority(rpc.host, rpc.port);
    const gateway = await startGateway({
      core,
      profile,
      folder,
      node,
      trustsNode: flags.trustsNode,
      checkpoints: flags.checkpoints,
      scanThreads: Math.max(1, availableParallelism() - 1),
      publicUrl: flags.publicUrl,
      webhook: flags.webhook,
      webhookReach: flags.webhookAllowPrivate ? "private" : "loopback",
      prices: new CoinRates({
        fixed: flags.rates,
        file: flags.ratesFile,
        oldestMs: BigInt(flags.rateMaxAgeS) * 1_000n,
        clock: systemClock,
        log,
      }),
      pages: builtPages(),
      server: {
        host,
        port,
        option: "--gateway-listen",
        rules: { ...flags.hosts, origins: [] },
        hasLimits: true,
      },
      clock: systemClock,
      log,
    });
    context.print(`network   ${networkId(profile)}`);
    context.print(`gateway   ${folder}`);
    context.print(`node      ${node} (gRPC)`);
    context.print(`API       ${gateway.address} (openapi.json describes it)`);
    const reached = flags.publicUrl ?? gateway.address;
    context.print(`checkout  ${reached}/checkout/…`);
    context.print(`tills     ${reached}/pos`);
    await untilAborted(context.signal);
    context.print("stopping …");
    await gateway.stop();
    context.print("stopped, invoices are written");
    return 0;
  } finally {
    lock.release();
  }
}
