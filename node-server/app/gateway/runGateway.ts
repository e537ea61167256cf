/** The command `svc gateway`: the gateway itself, and what its operator does with merchants and keys. */
import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { asTimestampMs } from "@svc/shared/base/brand.ts";
import { stableJson } from "@svc/shared/base/stableJson.ts";
import { SvcError } from "@svc/shared/base/svcError.ts";
import { networkId } from "@svc/shared/chain/profile.ts";
import type { CoreGlue } from "@svc/shared/core/generated/coreGlue.ts";
import type { ApiKeyMode } from "@svc/shared/gateway/apiKey.ts";
import { AccessStore } from "../../gateway/access/accessStore.ts";
import {
  addMerchant,
  checkMerchant,
  issueKey,
  keysOf,
  revokeKey,
  setPayout,
} from "../../gateway/access/issueKeys.ts";
import { HostedAdmin } from "../../gateway/hosted/hostedAdmin.ts";
import { ViewingKeyFiles } from "../../gateway/keys/viewingKeyFile.ts";
import { readBearer, readToken } from "../../gateway/refunds/payoutWallet.ts";
import { acquireLock } from "../../platform/files/lockFile.ts";
import { loadCoreFile } from "../../platform/files/wasmFiles.ts";
import { systemClock } from "../../platform/time/clock.ts";
import { makeDurableFolder } from "../../storage/durableFolder.ts";
import type { NodeProfile } from "../../rpc/service/nodeApi.ts";
import { userFolder } from "../folder/dataFolder.ts";
import type { CommandContext } from "../program/commandContext.ts";
import { loadNetwork } from "../program/network.ts";
import type { ConfiguredWebhook } from "../../gateway/desk/webhookDesk.ts";
import {
  ENVIRONMENT_MERCHANT,
  keepEnvironmentShop,
  readEnvironmentShop,
  type EnvironmentShop,
} from "./environmentShop.ts";
import { gatewayHelpText } from "./gatewayFlags.ts";
import type { GatewayPlace } from "./gatewayPlace.ts";
import { runTill } from "./runTill.ts";
import { readHostedSecret } from "./hostedSecret.ts";
import { merchantId, newMerchant } from "./newMerchant.ts";
import { operateHosted, type HostedRun } from "./operateHosted.ts";
import { registerKey, registerKeyFile, type KeyPlace } from "./registerKey.ts";
import { registerNewWallet } from "./registerNewWallet.ts";
import {
  parseGateway,
  type GatewayDrillFlags,
  type GatewayRun,
  type GatewayScanFlags,
  type GatewayServeFlags,
  type HostedPlace,
} from "./parseGateway.ts";

/** The gateway's folder, with its network. */
export type OpenedPlace = { readonly profile: NodeProfile; readonly folder: string };

/** Runs the gateway until the signal fires; resolves to the exit status. */
export type ServeGateway = (
  flags: GatewayServeFlags & { readonly webhook: ConfiguredWebhook | null },
  place: OpenedPlace,
  core: CoreGlue,
  context: CommandContext,
) => Promise<number>;

/** Scans for a hosted gateway until the signal fires; resolves to the exit status. */
export type ScanGateway = (
  flags: GatewayScanFlags,
  place: OpenedPlace,
  core: CoreGlue,
  context: CommandContext,
) => Promise<number>;

/** Plays a drill; resolves to the exit status. */
export type DrillGateway = (
  flags: GatewayDrillFlags,
  core: CoreGlue,
  context: CommandContext,
) => Promise<number>;

const FOLDER_MODE = 0o700;

/** What runs until the signal fires. */
export type GatewayPrograms = {
  readonly serve: ServeGateway;
  readonly scan: ScanGateway;
  readonly drill: DrillGateway;
};

/** Runs what the command line asks for. Resolves to the exit status. */
export async function runGateway(
  context: CommandContext,
  { serve, scan, drill }: GatewayPrograms,
): Promise<number> {
  const run = parseGateway(context.args, context.environment);
  if (run.command === "help") {
    context.print(gatewayHelpText(run.of));
    return 0;
  }
  const core = await loadCoreFile();
  if (run.command === "drill") return drill(run.flags, core, context);
  const place = openPlace(core, "flags" in run ? run.flags : run.place);
  if (run.command === "scan") return scan(run.flags, place, core, context);
  if (run.command === "serve") {
    const shop = readEnvironmentShop(context.environment);
    const webhook = await withAccess(place.folder, async (access) => {
      await keepEnvironmentShop(shop, {
        access,
        nowMs: asTimestampMs(systemClock.nowMs()),
        register: (key) => registerKey(keyPlace(core, place), key),
        newMerchant: (id, key) => newMerchant(id, id, key),
      });
      return configuredWebhook(shop, access);
    });
    return serve({ ...run.flags, webhook }, place, core, context);
  }
  const parts = { place, core, context };
  if (run.command === "scanner") return atHosted(run, run.hosted, parts);
  if ("hosted" in run && run.hosted !== null) return atHosted(run, run.hosted, parts);
  await withAccess(place.folder, (access) => operate(run, { access, place, core, context }));
  return 0;
}

type Operated = {
  readonly access: AccessStore;
  readonly place: OpenedPlace;
  readonly core: CoreGlue;
  readonly context: CommandContext;
};

async function operate(
  run: Exclude<GatewayRun, { readonly command: "help" | "serve" | "scan" | "scanner" | "drill" }>,
  operated: Operated,
): Promise<void> {
  const { access, context } = operated;
  switch (run.command) {
    case "merchants add":
      return add(run, operated);
    case "merchants list":
      for (const { id, name, key } of access.merchants.all()) {
        context.print(run.json ? stableJson({ id, name, key }) : `${id}  ${key}  ${name}`);
      }
      return undefined;
    case "merchants payout":
      return namePayout(run, operated);
    case "keys issue":
      return issue(run, operated);
    case "keys list":
      for (const { row } of keysOf(access, merchantId(run.merchant))) {
        const state = row.revokedMs === null ? "good" : "revoked";
        const line = `${row.id}…  ${state}  ${row.scopes.join(" ")}  ${row.label}`;
        context.print(run.json ? stableJson({ ...row, state }) : line);
      }
      return undefined;
    case "keys revoke": {
      const merchant = merchantId(run.merchant);
      const nowMs = asTimestampMs(systemClock.nowMs());
      revokeKey(access, { merchant, id: run.key.replace("…", ""), nowMs });
      context.print(`${run.key} is revoked`);
      return undefined;
    }
    case "pos add":
    case "pos list":
    case "pos set":
    case "pos password":
    case "pos remove":
      return runTill(run, access, context, merchantId);
  }
}

function namePayout(
  { merchant, payout }: Extract<GatewayRun, { readonly command: "merchants payout" }>,
  { access, context }: Operated,
): void {
  const id = merchantId(merchant);
  if (payout === null) {
    setPayout(access, id, null);
    return context.print(`refunds of ${id} wait: no wallet pays them`);
  }
  const { walletdUrl } = payout;
  const tokenFile = resolve(payout.tokenFile);
  const bearerFile = payout.bearerFile === null ? null : resolve(payout.bearerFile);
  readToken(tokenFile);
  if (bearerFile !== null) readBearer(bearerFile);
  setPayout(access, id, { walletdUrl, tokenFile, bearerFile });
  return context.print(`refunds of ${id} are paid by the wallet at ${walletdUrl}`);
}

async function issue(
  run: Extract<GatewayRun, { readonly command: "keys issue" }>,
  { access, place, context }: Operated,
): Promise<void> {
  const mode = modeOf(place);
  const nowMs = asTimestampMs(systemClock.nowMs());
  const wish = { merchant: merchantId(run.merchant), label: run.label, scopes: run.scopes };
  const { text, id } = await issueKey(access, { ...wish, mode, nowMs }, randomBytes);
  context.print(run.json ? stableJson({ id, key: text }) : text);
}

async function add(
  run: Extract<GatewayRun, { readonly command: "merchants add" }>,
  { access, place, core, context }: Operated,
): Promise<void> {
  const id = merchantId(run.merchant);
  const keys = keyPlace(core, place);
  const { newWallet, frameOrigins } = run;
  // Nobody is left with a seed file of a merchant that is refused.
  checkMerchant(access, id);
  const key =
    newWallet === null ? registerKeyFile(keys, run.keyFile) : registerNewWallet(keys, newWallet);
  const storeName = run.storeName ?? run.merchant;
  addMerchant(access, { ...newMerchant(id, storeName, key), frameOrigins });
  context.print(`${id} has the viewing key ${key}`);
  if (newWallet !== null) {
    context.print(`the seed in ${newWallet} spends what ${id} earns, and belongs off this machine`);
  }
}

/** Does it at a hosted gateway; resolves to the exit status. Nothing is written here but the viewing key that is registered. */
async function atHosted(
  run: HostedRun,
  { url, secretFile }: HostedPlace,
  { place, core, context }: Omit<Operated, "access">,
): Promise<number> {
  const { environment, print, signal } = context;
  using secret = readHostedSecret({
    ...{ file: secretFile, option: "admin-secret-file" },
    ...{ environment, variable: "SVC_ADMIN_SECRET" },
  });
  const lock = acquireLock(join(place.folder, ".access.lock"));
  try {
    const admin = new HostedAdmin({ url, secret, clock: systemClock });
    const keyOf = (file: string | null) => registerKeyFile(keyPlace(core, place), file);
    await operateHosted(run, { admin, keyOf, mode: modeOf(place), print, signal });
    return 0;
  } finally {
    lock.release();
  }
}

function keyPlace(core: CoreGlue, { profile, folder }: OpenedPlace): KeyPlace {
  const files = new ViewingKeyFiles(join(folder, "keys"));
  return { core, files, network: networkId(profile) };
}

function modeOf({ profile }: OpenedPlace): ApiKeyMode {
  return networkId(profile) === "mainnet" ? "live" : "test";
}

/** Whose webhook that of the environment is: of the merchant `default`, else of the only one. Throws `node/bad-option`. */
function configuredWebhook(
  { webhook }: EnvironmentShop,
  { merchants }: AccessStore,
): ConfiguredWebhook | null {
  if (webhook === null) return null;
  const all = merchants.all();
  const own =
    all.find(({ id }) => id === ENVIRONMENT_MERCHANT) ?? (all.length === 1 ? all[0] : undefined);
  if (own !== undefined) return { merchant: own.id, ...webhook };
  const reason = "it is of the merchant default, or of the only one; there is neither";
  throw new SvcError("node/bad-option", { option: "SVC_GATEWAY_WEBHOOK_URL", reason });
}

function openPlace(core: CoreGlue, { network, networkName, folder }: GatewayPlace): OpenedPlace {
  const profile = loadNetwork(core, network);
  const name = networkName ?? networkId(profile);
  const home = userFolder();
  const own = name === "mainnet" ? join(home, "gateway") : join(home, name, "gateway");
  const path = folder ?? own;
  makeDurableFolder(path, FOLDER_MODE);
  return { profile, folder: path };
}

/** One command at a time writes who may use the gateway. A gateway that runs reads it meanwhile. */
async function withAccess<T>(folder: string, use: (access: AccessStore) => Promise<T>): Promise<T> {
  const lock = acquireLock(join(folder, ".access.lock"));
  try {
    const access = await AccessStore.open(folder);
    try {
      return await use(access);
    } finally {
      await access.close();
    }
  } finally {
    lock.release();
  }
}
