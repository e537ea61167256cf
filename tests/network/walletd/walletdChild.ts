/**
 * Child process of the kills of the wallet daemon: the daemon of `svc walletd` with its options, but with proofs that were made
 * beforehand (`RECORDED_PROOFS` names their folder, `RECORDED_VARIANT` the variant that shall be made).
 */
import { loadCoreFile } from "@svc/node-server/platform/files/wasmFiles.ts";
import { TrustedProxies } from "@svc/node-server/platform/http/trustedProxies.ts";
import { createLog } from "@svc/node-server/platform/log/log.ts";
import { authority } from "@svc/node-server/platform/net/authority.ts";
import { systemClock } from "@svc/node-server/platform/time/clock.ts";
import { webhookUrl } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { webhookSecret } from "@svc/node-server/app/walletd/walletdSecrets.ts";
import { parseWalletd } from "@svc/node-server/app/walletd/parseWalletd.ts";
import { walletFolderOptions } from "@svc/node-server/app/walletd/walletFolderOptions.ts";
import { startWalletd } from "@svc/node-server/walletd/startWalletd.ts";
import { RecordedProver } from "./recordedProver.ts";

const parsed = parseWalletd(process.argv.slice(2), {});
if (parsed.command !== "serve") throw new Error("a daemon is started");
const { flags } = parsed;
const core = await loadCoreFile();
const options = walletFolderOptions(core, flags);
const rpc = flags.rpcServer;
const { RECORDED_PROOFS: proofs = "", RECORDED_VARIANT: variant } = process.env;
const reach = "loopback";
const webhook =
  flags.webhook === null
    ? null
    : ({
        url: webhookUrl(flags.webhook.url, reach),
        reach,
        secret: webhookSecret(flags.webhook.secretFile, {}),
      } as const);
const daemon = await startWalletd({
  core,
  profileJson: options.profile.canonicalJson,
  folder: options.partsWith(null),
  node: authority(rpc?.host ?? "127.0.0.1", rpc?.port ?? 0),
  settings: { lanes: 1, opening: 1, most: 100, idleMs: 1_800_000n },
  proofs: {
    atOnce: 1,
    threads: null,
    cacheFolder: null,
    makeProver: () => new RecordedProver(proofs, variant),
  },
  scanThreads: 1,
  consolidateAbove: null,
  webhook,
  server: {
    host: "127.0.0.1",
    port: 0,
    option: "--listen",
    rules: { hostNames: [], origins: [], proxies: TrustedProxies.none() },
    credentials: { allowDefaultToken: false, custodial: true },
    bearer: null,
    tls: null,
  },
  clock: systemClock,
  log: createLog(flags.logLevel),
});
process.once("SIGTERM", () => void daemon.stop());
console.log(`wallet API  ${daemon.address}`);
