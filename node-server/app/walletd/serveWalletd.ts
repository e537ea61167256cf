/** Serves the wallet API: opens the folder, tells the person where the API is, runs until the signal fires. */
import { dirname, join } from "node:path";
import { availableParallelism } from "node:os";
import { untilAborted } from "@svc/shared/base/abort.ts";
import { sentenceOf } from "@svc/shared/base/errors.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { Secret } from "@svc/shared/base/secret.ts";
import type { WebhookEndpoint } from "../../client/deliveryQueue.ts";
import { webhookUrl, type WebhookReach } from "@svc/shared/protocol/webhook/webhookTarget.ts";
import { createLog } from "../../platform/log/log.ts";
import { authority } from "../../platform/net/authority.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { PLAINTEXT_WARNING } from "../../walletd/keys/secretSource.ts";
import { PublicAccess } from "../../walletd/public/publicAccess.ts";
import { residentDefault } from "../../walletd/residentDefault.ts";
import { startWalletd, type Walletd, type WalletdParts } from "../../walletd/startWalletd.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { freeMemory } from "../program/freeMemory.ts";
import { userFolder } from "../folder/dataFolder.ts";
import type { PublicFlags, WalletdFlags } from "./parseWalletd.ts";
import { promptSecret, systemTerminal } from "../program/promptSecret.ts";
import { walletFolderOptions } from "./walletFolderOptions.ts";
import { webhookSecret, withWalletSecret } from "./walletdSecrets.ts";

const MINUTE_MS = 60_000;

type Server = WalletdParts["server"];

/** Runs the daemon until the signal fires, or nobody has asked for anything for `--idle-timeout`. Returns the exit status. */
export async function serveWalletd(flags: WalletdFlags, context: CommandContext): Promise<number> {
  const core = await loadCoreFile();
  const options = walletFolderOptions(core, flags);
  const { path } = options.partsWith(null);
  const log = createLog(flags.logLevel, { masksAddresses: true });
  const idle = new IdleClock(flags.idleTimeoutMinutes);
  const { server, notice } = await serverOf(flags, path, networkId(options.profile));
  const { profile } = options;
  const webhook = webhookOf(flags, context.environment);
  const rpc = flags.rpcServer ?? { host: "127.0.0.1", port: profile.ports.grpc };
  const node = authority(rpc.host, rpc.port);
  const start = (secret: Secret | null): Promise<Walletd> => {
    if (secret === null) log.warn(PLAINTEXT_WARNING);
    return startWalletd({
      core,
      profileJson: profile.canonicalJson,
      folder: options.partsWith(secret),
      node,
      settings: settingsOf(flags),
      proofs: {
        atOnce: flags.maxConcurrentProves,
        threads: flags.proofThreads,
        cacheFolder: join(userFolder(), "prover"),
      },
      scanThreads: Math.max(1, availableParallelism() - 1),
      consolidateAbove: flags.autoConsolidate,
      webhook,
      server: { ...server, onRequest: () => idle.touch() },
      clock: systemClock,
      log,
    });
  };
  const daemon = await opened(flags, context, start);
  context.print(`network     ${profile.networkName}`);
  context.print(`wallets     ${path}`);
  context.print(`node        ${node} (gRPC)`);
  context.print(`wallet API  ${daemon.address} (openapi.json describes it)`);
  for (const { name, why } of flags.idle) context.print(`--${name} has no effect: ${why}`);
  // The path and the query of the address may hold a credential.
  if (webhook !== null) context.print(`webhook     ${webhook.url.origin} (signed)`);
  for (const line of notice(daemon.address)) context.print(line);
  await Promise.race([untilAborted(context.signal), idle.isOver(context.signal)]);
  context.print("stopping …");
  await daemon.stop();
  context.print("stopped, the wallets are written");
  return 0;
}

/** Starts with the secret that was given, else with one that is asked for at the terminal. */
function opened(
  flags: WalletdFlags,
  { environment, signal }: CommandContext,
  start: (secret: Secret | null) => Promise<Walletd>,
): Promise<Walletd> {
  const terminal = systemTerminal();
  const ask = terminal === null ? null : (text: string) => promptSecret(terminal, text, signal);
  return withWalletSecret(flags, { env: environment, ask }, start);
}

function settingsOf(flags: WalletdFlags): WalletdParts["settings"] {
  return {
    lanes: flags.syncWallets,
    opening: flags.loadWallets,
    most: flags.maxResidentWallets ?? residentDefault(freeMemory()),
    idleMs: BigInt(flags.idleEvictSeconds) * 1_000n,
  };
}

/** Where feeds are sent. Throws `node/bad-option`. */
function webhookOf(
  { webhook }: WalletdFlags,
  environment: CommandContext["environment"],
): WebhookEndpoint | null {
  if (webhook === null) return null;
  const reach: WebhookReach = webhook.allowPrivate ? "private" : "loopback";
  const secret = webhookSecret(webhook.secretFile, environment);
  try {
    return { url: webhookUrl(webhook.url, reach), reach, secret };
  } catch (error) {
    const reason = sentenceOf(SvcError.from(error).toJSON());
    throw new SvcError("node/bad-option", { option: "--webhook-url", reason }, error);
  }
}

type Served = {
  readonly server: Server;
  /** Lines for the operator, when it is known where the API listens. */
  readonly notice: (address: string) => readonly string[];
};

/** Where the API is served, by what rules, and what to tell about it. */
async function serverOf(flags: WalletdFlags, walletDir: string, network: string): Promise<Served> {
  const { allowDefaultToken, allowOrigins: origins, servePublic, hosts } = flags;
  if (servePublic !== null) return publicServer(flags, servePublic, { walletDir, network });
  const { host, port } = flags.listen;
  const rules = { ...hosts, origins };
  const credentials = { allowDefaultToken, custodial: !flags.noCustodial };
  const server = { host, port, option: "--listen", rules, credentials, bearer: null, tls: null };
  return { server, notice: () => [] };
}

async function publicServer(
  { allowDefaultToken, allowOrigins: origins, hosts }: WalletdFlags,
  { listen, insecure, host: named, token, renewCertificate }: PublicFlags,
  { walletDir, network }: { readonly walletDir: string; readonly network: string },
): Promise<Served> {
  const { host, port } = listen;
  const access = await PublicAccess.open({
    folder: join(dirname(walletDir), "api"),
    listen: host,
    host: named,
    hostOption: "--public-host",
    insecure,
    apiToken: token,
    renewCertificate,
    network,
    nowMs: systemClock.nowMs(),
  });
  const server = {
    host,
    port,
    option: "--serve-public",
    rules: access.rulesOf({ ...hosts, origins }),
    credentials: { allowDefaultToken, custodial: true },
    bearer: access.bearer,
    tls: access.tls,
  };
  const draws = process.stdout.isTTY;
  return {
    server,
    notice: (address) => access.lines({ port: portOf(address), draws, wallet: null }),
  };
}

/** An address leaves out the usual port of its scheme. */
function portOf(address: string): number {
  const { protocol, port } = new URL(address);
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** Notices when nobody has asked for anything in a while. */
class IdleClock {
  readonly #minutes: number;
  #lastMs = systemClock.steadyMs();

  /** 0 minutes: never. */
  constructor(minutes: number) {
    this.#minutes = minutes;
  }

  touch(): void {
    this.#lastMs = systemClock.steadyMs();
  }

  /** Resolves when the time is over; with the signal at the latest. */
  async isOver(signal: AbortSignal): Promise<void> {
    const limitMs = this.#minutes * MINUTE_MS;
    if (limitMs === 0) return untilAborted(signal);
    for (;;) {
      const leftMs = limitMs - Number(systemClock.steadyMs() - this.#lastMs);
      if (leftMs <= 0 || signal.aborted) return;
      await systemClock.sleep(leftMs, signal).catch(() => undefined);
    }
  }
}
